import { useState } from 'react'
import { Select } from '../../../parts/field.tsx'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { count } from '../../../parts/numbers.ts'
import { showToast } from '../../../parts/toast.tsx'
import { useSubmit } from '../../../parts/use-submit.ts'
import { useStages } from './use-stages.ts'

/** Removes a stage, and moves its open deals to another one. */
export function RemoveStageDialog({
  stage,
  stages,
  deals,
  onClose,
}: {
  stage: string
  stages: readonly string[]
  /** The number of its open deals, without archived ones. */
  deals: number
  onClose: () => void
}) {
  const change = useStages()
  const others = stages.filter((one) => one !== stage)
  const [chosen, setChosen] = useState(others[Math.max(0, stages.indexOf(stage) - 1)] ?? '')
  const form = useSubmit(
    () =>
      change((all) =>
        all.includes(stage) && all.includes(chosen)
          ? { stages: all.filter((one) => one !== stage), moves: [{ from: stage, to: chosen }] }
          : null,
      ),
    {
      onDone: (isRemoved) => {
        if (isRemoved) showToast(`${stage} is removed.`)
        onClose()
      },
    },
  )
  return (
    <FormDialog
      title={`Remove ${stage}?`}
      act="Remove stage"
      form={form}
      isDangerous
      isDraft={false}
      onClose={onClose}
    >
      <p className="two">
        {deals === 0
          ? 'No open deal is in this stage. Archived ones move, too.'
          : deals === 1
            ? '1 open deal is in this stage. It moves, and so do archived ones.'
            : `${count(deals)} open deals are in this stage. They move, and so do archived ones.`}{' '}
        Closed deals keep it.
      </p>
      <Select
        label="The deals go to"
        value={chosen}
        options={others.map((one) => [one, one] as const)}
        onChange={setChosen}
        data-autofocus
      />
    </FormDialog>
  )
}
