import { useState } from 'react'
import { Segments, TextField } from '../../parts/field.tsx'
import { useScope } from '../../shell/scope.tsx'
import { countOf } from '../kinds.ts'
import { tagRecords } from './batches.ts'
import { type SelectionChange, SelectionDialog } from './selection-dialog.tsx'

/** Adds a tag to the selected records, or removes it from them. */
export function TagDialog({ kind, ids, onClose, onDone }: SelectionChange) {
  const { api } = useScope()
  const [typed, setTyped] = useState('')
  const [act, setAct] = useState<'add' | 'remove'>('add')
  const tag = typed.trim()
  const adds = act === 'add'
  return (
    <SelectionDialog
      title={`Tag ${countOf(kind, ids.length)}`}
      act={adds ? 'Add the tag' : 'Remove the tag'}
      ids={ids}
      isBlocked={tag === ''}
      change={(steps) => tagRecords(kind, api, ids, { tag, adds }, steps)}
      onClose={onClose}
      onDone={(result) => onDone(result, adds ? `tagged “${tag}”` : `lost the tag “${tag}”`)}
    >
      <TextField label="Tag" value={typed} maxLength={100} onChange={setTyped} autoComplete="off" autoFocus />
      <Segments
        label="What happens"
        value={act}
        options={[
          ['add', 'Add'],
          ['remove', 'Remove'],
        ]}
        onChange={setAct}
      />
    </SelectionDialog>
  )
}
