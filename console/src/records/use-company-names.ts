import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useScope } from '../shell/scope.tsx'
import { companies } from './kinds.ts'

const idsMax = 500
const none: ReadonlyMap<string, string> = new Map()

/** The names of companies by id. It reads at most 500 at once, the last ones. */
export function useCompanyNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const { orgId, api, can } = useScope()
  const asked = useMemo(() => [...new Set(ids)].slice(-idsMax).sort(), [ids])
  const { data } = useQuery({
    queryKey: ['company-names', orgId, asked],
    queryFn: async ({ signal }) => {
      const found = await companies.apiOf(api).batchRead({ ids: asked }, { signal })
      return new Map(
        found.flatMap(({ requested, record }) =>
          record ? [[requested, companies.nameOf(record)] as const] : [],
        ),
      )
    },
    enabled: asked.length > 0 && can('companies:read'),
    placeholderData: (before) => before,
    staleTime: 60_000,
    structuralSharing: false,
  })
  return data ?? none
}
