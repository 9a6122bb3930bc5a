import { useState } from 'react'
import { FieldError, Select, TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useScope } from '../../shell/scope.tsx'
import { companies, type RecordKind, type ShownRecord } from '../kinds.ts'
import { RecordPicker } from '../record-picker.tsx'
import { useNewOwner } from '../use-new-owner.ts'
import { KnownRecord } from './known-record.tsx'

type Typed = {
  name: string
  label: string
  type?: 'email' | 'tel'
  /** Whether few records have the same value: the dialog says if one has it. */
  isKey?: true
}

/** The fields that a person types for a new record. The others are on its page. */
const typedFields: Record<'contacts' | 'companies', readonly Typed[]> = {
  contacts: [
    { name: 'first_name', label: 'First name' },
    { name: 'last_name', label: 'Last name' },
    { name: 'email', label: 'E-mail', type: 'email', isKey: true },
    { name: 'phone', label: 'Phone', type: 'tel', isKey: true },
    { name: 'company_name', label: 'Company' },
    { name: 'job_title', label: 'Title' },
  ],
  companies: [
    { name: 'name', label: 'Name' },
    { name: 'domain', label: 'Domain', isKey: true },
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
  const { api, can } = useScope()
  const owner = useNewOwner()
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [company, setCompany] = useState<{ id: string; name: string } | null>(null)
  const fields = typedFields[resource]
  const given = Object.entries(values).filter(([, value]) => value.trim() !== '')
  const put = (name: string, value: string) => setValues({ ...values, [name]: value })
  const form = useSubmit(
    async () =>
      kind.apiOf(api).create({
        ...Object.fromEntries(given),
        ...(company && { company_id: company.id, company_name: company.name }),
        ...{ owner_id: owner.ownerId, source: 'console' },
      }),
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
      {fields.map(({ name, label, type, isKey }, index) =>
        name === 'company_name' && can('companies:read') ? (
          <div key={name} className="stack g4">
            <RecordPicker
              kind={companies}
              label={label}
              placeholder="Find by name or domain"
              recordId={company?.id ?? null}
              ifUnchosen="No company is chosen: the person gets this name as a text, and is linked to no company."
              onWords={(words) => put(name, words)}
              onChange={(id, record) =>
                setCompany(id && record ? { id, name: companies.nameOf(record) } : null)
              }
            />
            {form.errorAt(name) && <FieldError>{form.errorAt(name)}</FieldError>}
          </div>
        ) : (
          <div key={name} className="stack g4">
            <TextField
              label={label}
              value={values[name] ?? ''}
              onChange={(value) => put(name, value)}
              error={form.errorAt(name)}
              inputMode={type ?? 'text'}
              autoComplete="off"
              autoFocus={index === 0}
            />
            {isKey && <KnownRecord kind={kind} name={name} value={values[name] ?? ''} />}
          </div>
        ),
      )}
      <Select {...owner.field} error={form.errorAt('owner_id')} />
    </FormDialog>
  )
}
