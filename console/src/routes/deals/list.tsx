import type { Deal } from '../../../../sdk/src/generated/types.ts'
import { deals } from '../../records/deals/kind.ts'
import { RecordList } from '../../records/list/page.tsx'
import { reloadLists } from '../../records/record-queries.ts'
import { useScope } from '../../shell/scope.tsx'
import { DealActs } from './deal-acts.tsx'
import { NewDealButton } from './new-deal-button.tsx'
import { useMoves } from './use-moves.ts'
import { ViewSwitch } from './view-switch.tsx'

/** The deals as a grid: also closed and archived ones. */
export function DealList() {
  const { orgId } = useScope()
  const reload = () => reloadLists(deals, orgId)
  const { move } = useMoves(reload)
  return (
    <RecordList
      kind={deals}
      acts={
        <>
          <ViewSwitch />
          <NewDealButton />
        </>
      }
      actsOf={(record) => (
        <DealActs deal={record as unknown as Deal} move={move} onDone={() => void reload()} />
      )}
    />
  )
}
