import { useState } from 'react'
import { Select, TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useScope } from '../../shell/scope.tsx'
import type { RecordKind, ShownRecord } from '../kinds.ts'
import { useNewOwner } from '../use-new-owner.ts'

type Typed = { name: string; label: string; type?: 'email' | 'tel' }

/** The fields that a person types for a new record. The others are on its page. */
const typedFields: Record<'contacts' | 'companies', readonly Typed[]> = {
  contacts: [
    { name: 'first_name', label: 'First name' },
    { name: 'last_name', label: 'Last name' },
    { name: 'email', label: 'E-mail', type: 'email' },
    { name: 'phone', label: 'Phone', type: 'tel' },
    { name: 'company_name', label: 'Company' },
    { name: 'job_title', label: 'Title' },
  ],
  companies: [
    { name: 'name', label: 'Name' },
    { name: 'domain', label: 'Domain' },
    { name: 'phone', label: 'Phone', type: 'tel' },
    { name: 'industry', label: 'Industry' },
  ],
}

/** Creates a person or a company. */
export function NewRecordDialog({
  kind,
  resource,
  onClose,
  onDone,
}: {
  kind: RecordKind
  resource: keyof typeof typedFields
  onClose: () => void
  onDone: (record: ShownRecord) => void
}) {
  const { api } = useScope()
  const owner = useNewOwner()
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const fields = typedFields[resource]
  const given = Object.entries(values).filter(([, value]) => value.trim() !== '')
  const form = useSubmit(
    async () =>
      kind.apiOf(api).create({ ...Object.fromEntries(given), owner_id: owner.ownerId, source: 'console' }),
    { places: [...fields.map(({ name }) => name), 'owner_id'], onDone },
  )
  return (
    <FormDialog
      title={`New ${kind.one}`}
      act={`Create ${kind.one}`}
      form={form}
      isBlocked={given.length === 0}
      onClose={onClose}
    >
      {fields.map(({ name, label, type }, index) => (
        <TextField
          key={name}
          label={label}
          value={values[name] ?? ''}
          onChange={(value) => setValues({ ...values, [name]: value })}
          error={form.errorAt(name)}
          inputMode={type ?? 'text'}
          autoComplete="off"
          autoFocus={index === 0}
        />
      ))}
      <Select {...owner.field} error={form.errorAt('owner_id')} />
    </FormDialog>
  )
}
