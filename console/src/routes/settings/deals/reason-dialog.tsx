import { useState } from 'react'
import type { CloseReason, CloseReasonOutcome } from '../../../../../sdk/src/generated/types.ts'
import { Segments, TextField } from '../../../parts/field.tsx'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { TheirChanges } from '../../../parts/their-changes.tsx'
import { useChanges } from '../../../parts/use-changes.ts'
import { useSubmit } from '../../../parts/use-submit.ts'
import { useScope } from '../../../shell/scope.tsx'
import { outcomeWords } from './outcomes.ts'

const outcomes = (['won', 'lost', 'any'] as const).map((outcome) => [outcome, outcomeWords[outcome]] as const)
const names = { label: 'label', outcome: 'kind of deals' }

const settingsOf = ({ label, outcome }: Pick<CloseReason, keyof typeof names>) => ({ label, outcome })

/** Creates a close reason, or changes one. */
export function ReasonDialog({
  reason: opened,
  onClose,
  onDone,
}: {
  /** null: a new one. */
  reason: CloseReason | null
  onClose: () => void
  onDone: () => void
}) {
  // Keep the values from when the dialog opened.
  const [reason] = useState(opened)
  const { closeReasons } = useScope().api.deals
  const [label, setLabel] = useState(reason?.label ?? '')
  const [outcome, setOutcome] = useState<CloseReasonOutcome>(reason?.outcome ?? 'lost')
  const { theirs, save } = useChanges(reason, {
    settingsOf,
    names,
    others: 'position',
    read: async ({ close_reason_id }) => closeReasons.get(close_reason_id),
    update: async ({ close_reason_id }, changes, ifMatch) =>
      closeReasons.update(close_reason_id, changes, { ifMatch }),
  })
  const form = useSubmit(
    async () => {
      if (reason) return (await save({ label: label.trim(), outcome })) && onDone()
      await closeReasons.create({ label, outcome })
      onDone()
    },
    { places: ['label', 'outcome'] },
  )
  return (
    <FormDialog
      title={reason ? `Change “${reason.label}”` : 'New close reason'}
      act={reason ? (theirs.length > 0 ? 'Save again' : 'Save') : 'Create reason'}
      form={form}
      isBlocked={label.trim() === ''}
      onClose={onClose}
    >
      <TextField
        label="Reason"
        value={label}
        onChange={setLabel}
        error={form.errorAt('label')}
        maxLength={120}
        autoComplete="off"
        autoFocus
        required
      />
      <Segments
        label="For deals that are"
        value={outcome}
        options={outcomes}
        onChange={setOutcome}
        error={form.errorAt('outcome')}
      />
      <TheirChanges theirs={theirs} of="close reason" />
    </FormDialog>
  )
}
