import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { CloseReason, CloseReasonList } from '../../../../../sdk/src/generated/types.ts'
import { Button } from '../../../parts/button.tsx'
import { Checkbox } from '../../../parts/field.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { Section, SectionBody } from '../../../parts/section.tsx'
import { Table } from '../../../parts/table.tsx'
import { reasonsQuery } from '../../../records/deals/queries.ts'
import { useScope } from '../../../shell/scope.tsx'
import { ReasonDialog } from './reason-dialog.tsx'
import { ArchivedReasonRow, ReasonRow } from './reason-row.tsx'

const columns = [
  { name: 'Reason' },
  { name: 'For', width: 160, phoneWidth: 80 },
  { name: 'Actions', width: 150, phoneWidth: 150, isHidden: true },
]

/** The close reasons in their order. The API says whether the person may change them (`can_manage`). */
export function CloseReasons({ list: { close_reasons, can_manage } }: { list: CloseReasonList }) {
  const { orgId } = useScope()
  const queries = useQueryClient()
  const [open, setOpen] = useState<{ reason: CloseReason | null } | null>(null)
  const [showsArchived, setShowsArchived] = useState(false)
  const reload = () => void queries.invalidateQueries({ queryKey: ['close-reasons', orgId] })
  return (
    <Section
      title="Close reasons"
      about="Why deals are won or lost. A person who closes a deal chooses one."
      act={
        can_manage && (
          <Button icon="plus" onClick={() => setOpen({ reason: null })}>
            New reason
          </Button>
        )
      }
    >
      {close_reasons.length === 0 ? (
        <SectionBody>
          <p className="two">There is no close reason. Deals are closed without one.</p>
        </SectionBody>
      ) : (
        <Table label="Close reasons" columns={columns} hasControls={can_manage}>
          {close_reasons.map((reason, index) => (
            <ReasonRow
              key={reason.close_reason_id}
              reason={reason}
              index={index}
              last={close_reasons.length - 1}
              canManage={can_manage}
              onEdit={() => setOpen({ reason })}
              onDone={reload}
            />
          ))}
        </Table>
      )}
      <div className="pad">
        <Checkbox checked={showsArchived} onChange={setShowsArchived}>
          Show archived reasons
        </Checkbox>
      </div>
      {showsArchived && <ArchivedReasons onDone={reload} />}
      {open && (
        <ReasonDialog
          reason={open.reason}
          onClose={() => setOpen(null)}
          onDone={() => {
            setOpen(null)
            reload()
          }}
        />
      )}
    </Section>
  )
}

function ArchivedReasons({ onDone }: { onDone: () => void }) {
  const archived = useQuery(reasonsQuery(useScope(), true))
  return (
    <Loaded query={archived} rows={2}>
      {({ close_reasons, can_manage }) =>
        close_reasons.length === 0 ? (
          <SectionBody>
            <p className="two">No close reason is archived.</p>
          </SectionBody>
        ) : (
          <Table label="Archived close reasons" columns={columns} hasControls={can_manage}>
            {close_reasons.map((reason) => (
              <ArchivedReasonRow
                key={reason.close_reason_id}
                reason={reason}
                canManage={can_manage}
                onDone={onDone}
              />
            ))}
          </Table>
        )
      }
    </Loaded>
  )
}
