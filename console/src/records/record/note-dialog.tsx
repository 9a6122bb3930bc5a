import { useState } from 'react'
import type { CreateNote, Note } from '../../../../sdk/src/generated/types.ts'
import { TextArea } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Note as Remark } from '../../parts/note.tsx'
import { useChanges } from '../../parts/use-changes.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import { useScope } from '../../shell/scope.tsx'

/** Writes a note about a record, or changes one. */
export function NoteDialog({
  note: opened,
  about,
  onClose,
  onSaved,
}: {
  note: Note | null
  about: Pick<CreateNote, 'entity_type' | 'record_id'>
  onClose: () => void
  onSaved: () => void
}) {
  // Keep the text from when the dialog opened: the page behind it continues to load new ones.
  const [note] = useState(opened)
  const { api } = useScope()
  const [text, setText] = useState(note?.text ?? '')
  const { theirs, save } = useChanges(note, {
    settingsOf: (one: Pick<Note, 'text'>) => ({ text: one.text }),
    names: { text: 'text' },
    others: 'state',
    read: ({ note_id }) => api.notes.get(note_id),
    update: ({ note_id }, changes, ifMatch) => api.notes.update(note_id, { text, ...changes }, { ifMatch }),
  })
  const form = useSubmit(
    async () => {
      if (note) return (await save({ text })) && onSaved()
      await api.notes.create({ ...about, text })
      onSaved()
    },
    { places: ['text'] },
  )
  return (
    <FormDialog
      title={note ? 'Edit the note' : 'New note'}
      act={note ? (theirs.length > 0 ? 'Save again' : 'Save') : 'Add note'}
      form={form}
      isBlocked={text.trim() === ''}
      onClose={onClose}
    >
      <TextArea
        label="Text"
        hint="You can use Markdown."
        rows={8}
        value={text}
        onChange={setText}
        error={form.errorAt('text')}
        data-autofocus
      />
      {theirs.length > 0 && (
        <Remark kind="warn">
          Somebody else changed this note while you typed. What you typed is still here. “Save again” replaces
          their text.
        </Remark>
      )}
    </FormDialog>
  )
}
