import { ApiError } from '../../../../sdk/src/errors.ts'
import type { Deal } from '../../../../sdk/src/generated/types.ts'
import { problemOf } from '../../api/problem.ts'
import { showToast } from '../../parts/toast.tsx'
import { deals } from '../../records/deals/kind.ts'
import type { ShownRecord } from '../../records/kinds.ts'
import { storeRecords } from '../../records/record-queries.ts'
import { useScope } from '../../shell/scope.tsx'

/**
 * Reopens a closed deal. A message says so, or why not, and then offers it again.
 * @param onDone called in both cases, so that the page reads its lists again
 */
export function useReopen(onDone: () => void): (closed: Deal) => Promise<void> {
  const { orgId, api } = useScope()
  const reopen = async (closed: Deal): Promise<void> => {
    try {
      const open = await api.deals
        .reopen(closed.deal_id, { ifMatch: closed.version })
        .catch((error: unknown) =>
          // The answer of an earlier try may be lost.
          ifOpen(api.deals.get(closed.deal_id), error),
        )
      storeRecords(deals, orgId, [open as unknown as ShownRecord])
      showToast(`“${open.name}” is open again, in ${open.stage}.`, 'ok', undefined, open.deal_id)
    } catch (error) {
      const isConflict = error instanceof ApiError && error.code === 'version_conflict'
      const why = isConflict ? 'somebody changed it meanwhile.' : problemOf(error).text
      const again = { name: 'Reopen', run: () => void reopen(closed) }
      showToast(
        `“${closed.name}” is not open again: ${why}`,
        'bad',
        isConflict ? undefined : again,
        closed.deal_id,
      )
    }
    onDone()
  }
  return reopen
}

/** Returns a deal if it is open. @throws `otherwise` */
async function ifOpen(read: Promise<Deal>, otherwise: unknown): Promise<Deal> {
  const deal = await read.catch(() => null)
  if (deal?.status !== 'open') throw otherwise
  return deal
}
