import type { ReactNode } from 'react'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { count } from '../../parts/numbers.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import type { RecordKind } from '../kinds.ts'
import { type BulkResult, batchMax, type Steps } from './batches.ts'
import { useSteps } from './use-steps.ts'

/** The properties of each dialog that changes the selected records. `verb` says what happened to them, such as “archived”. */
export type SelectionChange = {
  kind: RecordKind
  ids: readonly string[]
  onClose: () => void
  onDone: (result: BulkResult, verb: string) => void
}

/** A dialog that changes the selected records in steps. It shows how many are done, and can stop. */
export function SelectionDialog({
  title,
  act,
  ids,
  isBlocked = false,
  change,
  onClose,
  onDone,
  children,
}: {
  title: string
  /** The verb on the button. */
  act: string
  ids: readonly string[]
  /** Whether the form cannot be submitted now. */
  isBlocked?: boolean
  change: (steps: Steps) => Promise<BulkResult>
  onClose: () => void
  onDone: (result: BulkResult) => void
  children: ReactNode
}) {
  const steps = useSteps()
  const form = useSubmit(() => change(steps.begin()), { onDone })
  const isLong = ids.length > batchMax
  const canStop = form.isBusy && !steps.isStopping && isLong
  return (
    <FormDialog
      {...{ title, act, form, isBlocked }}
      cancel={canStop ? 'Stop' : form.isBusy ? 'Close' : 'Cancel'}
      isDraft={false}
      onClose={canStop ? steps.stop : onClose}
    >
      {children}
      {isLong && steps.handled !== null && (
        <p role="status">
          {count(steps.handled)} of {count(ids.length)} done.
          {form.isBusy && steps.isStopping && ' It stops after these.'}
        </p>
      )}
    </FormDialog>
  )
}
