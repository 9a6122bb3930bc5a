import { useState } from 'react'
import type { Deal } from '../../../../sdk/src/generated/types.ts'
import choices from '../../parts/choices.module.css'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import type { Ending } from './close-dialog.tsx'
import styles from './move-dialog.module.css'

/** Where a deal can go: to a stage, or to an end. */
export type Target = { stage: string } | { status: Ending }

/** Asks where a deal goes. The arrow keys choose, and Enter moves it. */
export function MoveDialog({
  deal: { name, stage },
  stages,
  onChoose,
  onClose,
}: {
  deal: Deal
  stages: readonly string[]
  onChoose: (target: Target) => void
  onClose: () => void
}) {
  const [chosen, setChosen] = useState(`stage ${stage}`)
  const targets: readonly (readonly [key: string, text: string, target: Target])[] = [
    ...stages.map((one) => [`stage ${one}`, one, { stage: one }] as const),
    ['won', 'Close as won …', { status: 'won' }],
    ['lost', 'Close as lost …', { status: 'lost' }],
  ]
  const form = useSubmit(async () => {
    const target = targets.find(([key]) => key === chosen)?.[2]
    if (target) onChoose(target)
  })
  return (
    <FormDialog
      title={`Move “${name}” to …`}
      act="Move"
      form={form}
      isDraft={false}
      isBlocked={chosen === `stage ${stage}`}
      onClose={onClose}
    >
      <fieldset className={styles.targets} aria-label="Stage">
        {targets.map(([key, text]) => (
          <label key={key}>
            <input
              type="radio"
              className={choices.dot}
              name="target"
              checked={key === chosen}
              onChange={() => setChosen(key)}
            />
            <span className="cut">{text}</span>
            {key === `stage ${stage}` && <span className="end three t12">now</span>}
          </label>
        ))}
      </fieldset>
    </FormDialog>
  )
}
