import { queryOptions } from '@tanstack/react-query'
import { liveInterval } from '../../api/live.ts'
import { queries } from '../../api/session.ts'
import type { Scope } from '../../shell/scope.tsx'
import { isUnfinished } from './import-words.ts'

/** One import, which is polled until it ends. */
export const importQuery = ({ orgId, api }: Scope, importId: string) =>
  queryOptions({
    queryKey: ['import', orgId, importId],
    queryFn: ({ signal }) => api.imports.get(importId, { signal }),
    refetchInterval: liveInterval(isUnfinished, false),
  })

/** Reads the list of imports again. */
export const reloadImports = (orgId: string): Promise<void> =>
  queries.invalidateQueries({ queryKey: ['imports', orgId] })
