import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useScope } from '../shell/scope.tsx'
import type { RecordKind } from './kinds.ts'

const idsMax = 500
const none: ReadonlyMap<string, string> = new Map()

/** The names of records by id. It reads at most 500 at once, the last ones. */
export function useRecordNames(kind: RecordKind, ids: readonly string[]): ReadonlyMap<string, string> {
  const { orgId, api, can } = useScope()
  const asked = useMemo(() => [...new Set(ids)].slice(-idsMax).sort(), [ids])
  const { data } = useQuery({
    queryKey: ['record-names', orgId, kind.entity, asked],
    queryFn: async ({ signal }) => {
      const found = await kind.apiOf(api).batchRead({ ids: asked }, { signal })
      return new Map(
        found.flatMap(({ requested, record }) => (record ? [[requested, kind.nameOf(record)] as const] : [])),
      )
    },
    enabled: asked.length > 0 && can(`${kind.resource}:read`),
    placeholderData: (before) => before,
    staleTime: 60_000,
    structuralSharing: false,
  })
  return data ?? none
}
