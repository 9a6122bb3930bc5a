import { useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../../../../../sdk/src/errors.ts'
import type { ReplaceDealStages } from '../../../../../sdk/src/generated/types.ts'
import { showToast } from '../../../parts/toast.tsx'
import { deals } from '../../../records/deals/kind.ts'
import { stagesQuery } from '../../../records/deals/queries.ts'
import { reloadLists } from '../../../records/record-queries.ts'
import { useScope } from '../../../shell/scope.tsx'

/** A change of the stages; null: it is not possible any more, because somebody else changed them. */
export type StagesChange = (stages: readonly string[]) => ReplaceDealStages | null

/**
 * Changes the stages. If somebody else changed them since they were read, the change is made to the newer stages, so that
 * both changes remain. The promise gives false if the change is not possible any more.
 */
export function useStages(): (change: StagesChange) => Promise<boolean> {
  const scope = useScope()
  const queries = useQueryClient()
  const query = stagesQuery(scope)
  return async (change) => {
    for (;;) {
      const { stages, version } = await queries.ensureQueryData(query)
      const body = change(stages)
      if (body === null) {
        showToast('Somebody else changed this stage meanwhile. The page shows the stages now.', 'bad')
        return false
      }
      try {
        queries.setQueryData(query.queryKey, await scope.api.deals.stages.replace(body, { ifMatch: version }))
        break
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 'version_conflict')) throw error
        await queries.fetchQuery({ ...query, staleTime: 0 })
      }
    }
    void queries.invalidateQueries({ queryKey: ['deal-summary', scope.orgId] })
    void reloadLists(deals, scope.orgId)
    return true
  }
}
