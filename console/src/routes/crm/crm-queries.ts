import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { CrmConnection, CrmJob } from '../../../../sdk/src/generated/types.ts'
import { liveInterval } from '../../api/live.ts'
import type { Scope } from '../../shell/scope.tsx'
import { isUnfinished } from './words.ts'

/** Asks the CRM whether a push would work. It writes nothing to the CRM. */
export const testQuery = ({ orgId, mode, api, can }: Scope, { connection_id, version }: CrmConnection) =>
  queryOptions({
    queryKey: ['crm-test', orgId, mode, connection_id, version],
    queryFn: async ({ signal }) => api.crm.connections.test(connection_id, { signal, maxRetries: 0 }),
    enabled: can('crm:write'),
    staleTime: 300_000,
    refetchOnWindowFocus: false,
  })

type JobPages = { pages: { data: CrmJob[] }[] }

/** The pushes, newest first; those to one connection if it is given. */
export const jobsQuery = ({ orgId, mode, api }: Scope, connectionId?: string) =>
  infiniteQueryOptions({
    queryKey: ['crm-jobs', orgId, mode, connectionId],
    queryFn: async ({ pageParam, signal }) =>
      api.crm.jobs.list(
        {
          limit: 50,
          ...(connectionId && { connection_id: connectionId }),
          ...(pageParam && { cursor: pageParam }),
        },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    refetchInterval: liveInterval(({ pages }: JobPages) => pages.some(({ data }) => data.some(isUnfinished))),
  })
