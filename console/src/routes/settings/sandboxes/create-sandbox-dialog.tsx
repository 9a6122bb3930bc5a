import { useState } from 'react'
import type { CreatedSandbox, SandboxCopy } from '../../../../../sdk/src/generated/types.ts'
import { Segments, TextField } from '../../../parts/field.tsx'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { typedNumber } from '../../../parts/typed-number.ts'
import { useSubmit } from '../../../parts/use-submit.ts'
import { useScope } from '../../../shell/scope.tsx'

const copies = [
  ['sample', 'Sample data'],
  ['settings', 'Your settings'],
  ['nothing', 'Nothing'],
] as const

const contents: Record<SandboxCopy, string> = {
  sample: 'Invented companies, contacts and deals. They arrive within some seconds.',
  settings:
    'Copies of your deal stages, close reasons, fields, segments, personas, and the settings of duplicates, calls, CRM pushes and tracking. No records and no credentials are copied.',
  nothing: 'The sandbox begins empty.',
}

/** Creates a sandbox. Only the answer to this request has the token of its first key. */
export function CreateSandboxDialog({
  onClose,
  onCreated,
}: {
  onClose: () => void
  onCreated: (created: CreatedSandbox) => void
}) {
  const { api } = useScope()
  const [name, setName] = useState('')
  const [copy, setCopy] = useState<SandboxCopy>('sample')
  const [days, setDays] = useState('7')
  const form = useSubmit(
    async () => api.sandboxes.create({ name, copy, expires_in_days: typedNumber(days) }),
    { places: ['name', 'copy', 'expires_in_days'], onDone: onCreated },
  )
  const { errorAt } = form
  return (
    <FormDialog title="New sandbox" act="Create sandbox" form={form} onClose={onClose}>
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        error={errorAt('name')}
        hint="What you want to try, such as “Trial of the import”."
        autoFocus
        required
      />
      <div className="stack g4">
        <Segments
          label="Begins with"
          value={copy}
          options={copies}
          onChange={setCopy}
          error={errorAt('copy')}
        />
        <p className="t12 three">{contents[copy]}</p>
      </div>
      <TextField
        label="Days until it is deleted, from 1 to 30"
        inputMode="numeric"
        value={days}
        onChange={setDays}
        error={errorAt('expires_in_days')}
        style={{ maxWidth: 96 }}
      />
    </FormDialog>
  )
}
