import type { Deal } from '../../../../sdk/src/generated/types.ts'
import { deals } from '../../records/deals/kind.ts'
import { RecordPage } from '../../records/record/page.tsx'
import { reloadLists } from '../../records/record-queries.ts'
import { useScope } from '../../shell/scope.tsx'
import { DealActs } from './deal-acts.tsx'
import { useMoves } from './use-moves.ts'

/** Everything about one deal. */
export function DealPage() {
  const { orgId } = useScope()
  const { move } = useMoves(() => reloadLists(deals, orgId))
  return (
    <RecordPage
      kind={deals}
      actsOf={(record) => (
        <DealActs
          deal={record as unknown as Deal}
          hasKeys
          move={move}
          onDone={() => void reloadLists(deals, orgId)}
        />
      )}
    />
  )
}
