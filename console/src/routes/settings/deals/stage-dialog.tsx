import { useState } from 'react'
import { TextField } from '../../../parts/field.tsx'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { showToast } from '../../../parts/toast.tsx'
import { useSubmit } from '../../../parts/use-submit.ts'
import { useStages } from './use-stages.ts'

/** Adds a stage at the end, or renames one. The open deals of a renamed stage stay in it. */
export function StageDialog({
  stage,
  stages,
  onClose,
}: {
  /** null: a new one. */
  stage: string | null
  stages: readonly string[]
  onClose: () => void
}) {
  const change = useStages()
  const [text, setText] = useState(stage ?? '')
  const name = text.trim()
  const isTaken = name !== stage && stages.includes(name)
  const form = useSubmit(
    () =>
      change((all) => {
        if (stage === null) return { stages: [...all, name] }
        return all.includes(stage)
          ? {
              stages: all.map((one) => (one === stage ? name : one)),
              moves: [{ from: stage, to: name }],
            }
          : null
      }),
    {
      places: ['stages'],
      onDone: () => {
        if (stage === null) showToast(`${name} is the last stage.`)
        onClose()
      },
    },
  )
  return (
    <FormDialog
      title={stage === null ? 'New stage' : `Rename ${stage}`}
      act={stage === null ? 'Add stage' : 'Rename'}
      form={form}
      isBlocked={name === '' || name === stage || isTaken}
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={text}
        onChange={setText}
        error={isTaken ? 'There is a stage with this name already.' : form.errorAt('stages')}
        hint={stage === null ? undefined : 'Its open deals get the new name. Closed deals keep the old one.'}
        maxLength={100}
        autoComplete="off"
        autoFocus
      />
    </FormDialog>
  )
}
