import { useState } from 'react'
import { Segments, TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useScope } from '../../shell/scope.tsx'
import { countOf, type RecordKind } from '../kinds.ts'
import { type BulkResult, tagRecords } from './batches.ts'

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
  const form = useSubmit(() => tagRecords(kind, api, ids, tag.trim(), act === 'add'), {
    onDone: (result) =>
      onDone(result, act === 'add' ? `tagged “${tag.trim()}”` : `lost the tag “${tag.trim()}”`),
  })
  return (
    <FormDialog
      title={`Tag ${countOf(kind, ids.length)}`}
      act={act === 'add' ? 'Add the tag' : 'Remove the tag'}
      form={form}
      isDraft={false}
      isBlocked={tag.trim() === ''}
      onClose={onClose}
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
    </FormDialog>
  )
}
