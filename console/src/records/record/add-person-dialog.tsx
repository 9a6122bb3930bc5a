import { useState } from 'react'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { people } from '../kinds.ts'
import { RecordPicker } from '../record-picker.tsx'

/** Adds a person to a deal. */
export function AddPersonDialog({
  without,
  onAdd,
  onClose,
}: {
  /** The ids of people who are already linked to the deal. */
  without: readonly string[]
  onAdd: (contactId: string) => Promise<void>
  onClose: () => void
}) {
  const [id, setId] = useState<string | null>(null)
  const form = useSubmit(async () => id !== null && onAdd(id), { onDone: onClose })
  return (
    <FormDialog
      title="Add a person"
      act="Add"
      form={form}
      isBlocked={id === null}
      isDraft={false}
      onClose={onClose}
    >
      <RecordPicker
        kind={people}
        label="Person"
        placeholder="Find by name or e-mail"
        recordId={id}
        without={without}
        autoFocus
        onChange={setId}
      />
    </FormDialog>
  )
}
