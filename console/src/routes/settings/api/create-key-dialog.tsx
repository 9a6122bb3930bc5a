import { useState } from 'react'
import type { CreatedApiKey } from '../../../../../sdk/src/generated/types.ts'
import { Checkbox, Segments, TextField } from '../../../parts/field.tsx'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { Note } from '../../../parts/note.tsx'
import { PermissionTable } from '../../../parts/permission-table.tsx'
import { typedNumber } from '../../../parts/typed-number.ts'
import { useSubmit } from '../../../parts/use-submit.ts'
import { useScope } from '../../../shell/scope.tsx'

type Lifetime = 'never' | '30' | '90' | '365' | 'days'

const lifetimes = [
  ['never', 'Never'],
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', '1 year'],
  ['days', 'Other'],
] as const

/** Creates a key. Only the answer to this request has its token. */
export function CreateKeyDialog({
  onClose,
  onCreated,
}: {
  onClose: () => void
  onCreated: (created: CreatedApiKey) => void
}) {
  const { api, mode: shownMode, can, membership } = useScope()
  const [name, setName] = useState('')
  const [mode, setMode] = useState<'live' | 'test'>(shownMode)
  const [isAgency, setAgency] = useState(false)
  const [lifetime, setLifetime] = useState<Lifetime>('90')
  const [days, setDays] = useState('')
  const [permissions, setPermissions] = useState<string[] | null>(null)
  const create = () =>
    api.apiKeys.create({
      name,
      mode,
      is_agency: isAgency,
      permissions,
      expires_in_days: daysOf(lifetime, days),
    })
  const form = useSubmit(async () => create(), {
    places: ['name', 'expires_in_days', 'permissions', 'is_agency'],
    onDone: onCreated,
  })
  const { errorAt } = form
  return (
    <FormDialog title="New API key" act="Create key" form={form} onClose={onClose} wide>
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        error={errorAt('name')}
        hint="The program that uses the key, such as “Website forms”."
        autoFocus
        required
      />
      <Segments
        label="Mode"
        value={mode}
        options={[
          ['live', 'Live'],
          ['test', 'Test'],
        ]}
        onChange={setMode}
      />
      {mode === 'test' && (
        <p className="t12 two">
          A test key acts on the same records. Its calls, CRM pushes and signature installs are simulated.
        </p>
      )}
      <div className="rail wrap g16">
        <Segments
          label="Expires after"
          value={lifetime}
          options={lifetimes}
          onChange={setLifetime}
          error={lifetime === 'days' ? null : errorAt('expires_in_days')}
        />
        {lifetime === 'days' && (
          <TextField
            label="Days, from 1 to 365"
            inputMode="numeric"
            value={days}
            onChange={setDays}
            error={errorAt('expires_in_days')}
          />
        )}
      </div>
      <PermissionTable value={permissions} onChange={setPermissions} error={errorAt('permissions')} />
      {membership.is_agency && can('agency:read') && (
        <Checkbox checked={isAgency} onChange={setAgency}>
          Agency key: it may act on linked clients
        </Checkbox>
      )}
      {errorAt('is_agency') && <Note kind="bad">{errorAt('is_agency')}</Note>}
    </FormDialog>
  )
}

function daysOf(lifetime: Lifetime, days: string): number | null {
  if (lifetime === 'never') return null
  return typedNumber(lifetime === 'days' ? days : lifetime)
}
