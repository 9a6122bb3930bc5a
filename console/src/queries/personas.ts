import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { queries } from '../api/session.ts'
import type { Scope } from '../shell/scope.tsx'

/** The personas to choose from: drafts and active ones, the active ones first. */
export const personasQuery = ({ orgId, api }: Scope) =>
  queryOptions({
    queryKey: ['personas', orgId, 'usable'],
    queryFn: async ({ signal }) => {
      const { data } = await api.personas.list({ limit: 100 }, { signal })
      return data.toSorted((a, b) => Number(b.status === 'active') - Number(a.status === 'active'))
    },
  })

/** All personas, or the archived ones, page by page. */
export const personaPagesQuery = ({ orgId, api }: Scope, archived: true | undefined) =>
  infiniteQueryOptions({
    queryKey: ['personas', orgId, 'list', archived],
    queryFn: ({ pageParam, signal }) =>
      api.personas.list(
        { limit: 100, ...(archived && { status: 'archived' }), ...(pageParam && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    placeholderData: keepPreviousData,
  })

export const personaQuery = ({ orgId, api }: Scope, personaId: string) =>
  queryOptions({
    queryKey: ['persona', orgId, personaId],
    queryFn: ({ signal }) => api.personas.get(personaId, { signal }),
  })

/** Reads all lists of personas again. */
export const reloadPersonas = (orgId: string) => queries.invalidateQueries({ queryKey: ['personas', orgId] })
