import { useState } from 'react'
import { Segments, TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { count } from '../../parts/numbers.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import { useScope } from '../../shell/scope.tsx'
import { countOf, type RecordKind } from '../kinds.ts'
import { type BulkResult, batchMax, tagRecords } from './batches.ts'
import { useSteps } from './use-steps.ts'

/** Adds a tag to the selected records, or removes it from them. */
export function TagDialog({
  kind,
  ids,
  onClose,
  onDone,
}: {
  kind: RecordKind
  ids: readonly string[]
  onClose: () => void
  onDone: (result: BulkResult, verb: string) => void
}) {
  const { api } = useScope()
  const [tag, setTag] = useState('')
  const [act, setAct] = useState<'add' | 'remove'>('add')
  const steps = useSteps()
  const form = useSubmit(
    () => tagRecords(kind, api, ids, { tag: tag.trim(), adds: act === 'add' }, steps.begin()),
    {
      onDone: (result) =>
        onDone(result, act === 'add' ? `tagged “${tag.trim()}”` : `lost the tag “${tag.trim()}”`),
    },
  )
  const canStop = form.isBusy && !steps.isStopping && ids.length > batchMax
  return (
    <FormDialog
      title={`Tag ${countOf(kind, ids.length)}`}
      act={act === 'add' ? 'Add the tag' : 'Remove the tag'}
      cancel={canStop ? 'Stop' : form.isBusy ? 'Close' : 'Cancel'}
      form={form}
      isDraft={false}
      isBlocked={tag.trim() === ''}
      onClose={canStop ? steps.stop : onClose}
    >
      <TextField label="Tag" value={tag} maxLength={100} onChange={setTag} autoComplete="off" autoFocus />
      <Segments
        label="What happens"
        value={act}
        options={[
          ['add', 'Add'],
          ['remove', 'Remove'],
        ]}
        onChange={setAct}
      />
      {ids.length > batchMax && steps.handled !== null && (
        <p role="status">
          {count(steps.handled)} of {count(ids.length)} done.
          {form.isBusy && steps.isStopping && ' It stops after these.'}
        </p>
      )}
    </FormDialog>
  )
}
