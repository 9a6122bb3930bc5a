import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DealStages } from '../../../../../sdk/src/generated/types.ts'
import { Button } from '../../../parts/button.tsx'
import { Section } from '../../../parts/section.tsx'
import { Table } from '../../../parts/table.tsx'
import { summaryQuery } from '../../../records/deals/queries.ts'
import { useScope } from '../../../shell/scope.tsx'
import { SettingsActions } from '../../../shell/settings-actions.tsx'
import { useKey } from '../../../shell/use-key.ts'
import { RemoveStageDialog } from './remove-stage-dialog.tsx'
import { StageDialog } from './stage-dialog.tsx'
import { StageRow } from './stage-row.tsx'

type Open = { kind: 'new' } | { kind: 'rename' | 'remove'; stage: string }

const columns = [
  { name: 'Stage' },
  { name: 'Open deals', width: 160, phoneWidth: 100, isNumber: true },
  { name: 'Actions', width: 150, phoneWidth: 150, isHidden: true },
]

/** The stages in their order, with the number of open deals in each. */
export function Stages({ pipeline: { stages } }: { pipeline: DealStages }) {
  const scope = useScope()
  const summary = useQuery(summaryQuery(scope))
  const [open, setOpen] = useState<Open | null>(null)
  const mayManage = scope.can('deals:manage')
  const dealsIn = (stage: string) =>
    summary.data?.open.find((one) => one.stage === stage)?.values.reduce((sum, { deals }) => sum + deals, 0)
  const close = () => setOpen(null)
  useKey('c', () => mayManage && setOpen({ kind: 'new' }))
  return (
    <Section
      title="Stages"
      about="New deals start in the first stage. Closed deals keep the stage in which they ended."
    >
      <SettingsActions>
        {mayManage && (
          <Button kind="main" icon="plus" shortcut="C" onClick={() => setOpen({ kind: 'new' })}>
            New stage
          </Button>
        )}
      </SettingsActions>
      <Table label="Stages" columns={columns} hasControls={mayManage}>
        {stages.map((stage, index) => (
          <StageRow
            key={stage}
            {...{ stage, index, mayManage }}
            deals={dealsIn(stage)}
            last={stages.length - 1}
            onRename={() => setOpen({ kind: 'rename', stage })}
            onRemove={() => setOpen({ kind: 'remove', stage })}
          />
        ))}
      </Table>
      {(open?.kind === 'new' || open?.kind === 'rename') && (
        <StageDialog stage={open.kind === 'rename' ? open.stage : null} stages={stages} onClose={close} />
      )}
      {open?.kind === 'remove' && (
        <RemoveStageDialog
          stage={open.stage}
          stages={stages}
          deals={dealsIn(open.stage) ?? 0}
          onClose={close}
        />
      )}
    </Section>
  )
}
