import { queryOptions } from '@tanstack/react-query'
import type { Segment, SegmentEntity } from '../../../../sdk/src/generated/types.ts'
import { queries } from '../../api/session.ts'
import type { Scope } from '../../shell/scope.tsx'

const countingMs = 1_000
const pollMs = 60_000

/** The segments of a type of record, by name. Reading them renews their counts. @param entity undefined: of all types */
export const segmentsQuery = ({ orgId, api }: Scope, entity?: SegmentEntity) =>
  queryOptions({
    queryKey: ['segments', orgId, entity ?? 'all'],
    queryFn: async ({ signal }): Promise<readonly Segment[]> =>
      (await api.segments.list(entity ? { entity } : {}, { signal })).segments,
    refetchInterval: ({ state }) =>
      state.data?.some(({ count_state }) => count_state === 'counting') ? countingMs : pollMs,
  })

export const rereadSegments = (orgId: string): Promise<void> =>
  queries.invalidateQueries({ queryKey: ['segments', orgId] })
