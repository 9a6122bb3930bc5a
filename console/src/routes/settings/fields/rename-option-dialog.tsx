import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Field } from '../../../../../sdk/src/generated/types.ts'
import { Select, TextField } from '../../../parts/field.tsx'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { Note } from '../../../parts/note.tsx'
import { count } from '../../../parts/numbers.ts'
import { showToast } from '../../../parts/toast.tsx'
import { useSubmit } from '../../../parts/use-submit.ts'
import { useScope } from '../../../shell/scope.tsx'
import { OfferingForms } from './offering-forms.tsx'

const apis = { contact: 'contacts', company: 'companies', deal: 'deals' } as const

/** Renames an option of a field, after it says how many records have the option. */
export function RenameOptionDialog({
  field,
  onClose,
  onDone,
}: {
  field: Field
  onClose: () => void
  onDone: () => void
}) {
  const { field_id, entity, key, label, options } = field
  const { api, orgId } = useScope()
  const [from, setFrom] = useState(options[0] ?? '')
  const [to, setTo] = useState('')
  const filter = { field: `custom.${key}`, op: 'eq' as const, value: from }
  const found = useQuery({
    queryKey: ['records with option', orgId, field_id, from],
    queryFn: async ({ signal }) =>
      (await api[apis[entity]].search({ filter, limit: 1 }, { signal })).pagination.total,
  })
  const name = to.trim()
  const form = useSubmit(async () => api.fields.update(field_id, { rename_options: [{ from, to: name }] }), {
    places: ['rename_options'],
    onDone: () => {
      showToast(`${from} of ${label} is now ${name}. Its records change in the background.`)
      onDone()
    },
  })
  return (
    <FormDialog title={`Rename an option of ${label}`} act="Rename" form={form} onClose={onClose}>
      <Select
        label="Option"
        value={from}
        options={options.map((option) => [option, option] as const)}
        onChange={setFrom}
      />
      <TextField
        label="New name"
        value={to}
        error={form.errorAt('rename_options')}
        onChange={setTo}
        autoFocus
        required
      />
      <p className="two">
        {found.data === undefined
          ? found.error
            ? 'The records could not be counted.'
            : 'Counting the records…'
          : found.data === 1
            ? '1 active record has this option. This record, and archived records with the option, get the new name.'
            : `${count(found.data)} active records have this option. These records, and archived records with the option, get the new name.`}
      </p>
      <OfferingForms field={field} lost={[from]} />
      {options.includes(name) && name !== from && (
        <Note kind="warn">
          {name} is an option already. The records of {from} join it, which cannot be undone.
        </Note>
      )}
    </FormDialog>
  )
}
