import { useState } from 'react'
import type { CrmConnection } from '../../../../sdk/src/generated/types.ts'
import { Disclosure } from '../../parts/disclosure.tsx'
import { Checkbox, TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { TheirChanges } from '../../parts/their-changes.tsx'
import { useChanges } from '../../parts/use-changes.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import { useScope } from '../../shell/scope.tsx'
import { CredentialFields, placesOf, typedCredentials, wayOf } from './credential-fields.tsx'

const names = { name: 'name', settings: 'settings', credentials: 'credentials' }

const settingsOf = ({ name, settings }: CrmConnection) => ({
  ...{ name, settings },
  // Stored credentials are not shown: only typed ones change.
  credentials: {} as Record<string, string>,
})

/** Changes the name, the credentials and the settings of a connection. */
export function EditConnectionDialog({
  connection: opened,
  onClose,
  onSaved,
}: {
  connection: CrmConnection
  onClose: () => void
  onSaved: () => void
}) {
  // Keep the values from when the dialog opened: the page behind it may load new ones.
  const [connection] = useState(opened)
  const { api } = useScope()
  const { provider, credentials: stored } = connection
  const [name, setName] = useState(connection.name)
  const [settings, setSettings] = useState(connection.settings)
  const [way, setWay] = useState(() => wayOf(provider, stored))
  const [values, setValues] = useState<Record<string, string>>({})
  const { theirs, save } = useChanges(connection, {
    settingsOf,
    names,
    others: 'fields or credentials',
    read: ({ connection_id }) => api.crm.connections.get(connection_id),
    update: ({ connection_id }, changes, ifMatch) =>
      api.crm.connections.update(connection_id, changes, { ifMatch }),
  })
  const form = useSubmit(
    async () =>
      (await save({ name: name.trim(), settings, credentials: typedCredentials(provider, way, values) })) &&
      onSaved(),
    { places: ['name', 'settings.external_id_field', ...placesOf(provider, way)] },
  )
  const { errorAt } = form
  return (
    <FormDialog
      title={`Edit ${connection.name}`}
      act={theirs.length > 0 ? 'Save again' : 'Save'}
      form={form}
      onClose={onClose}
      wide
    >
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        error={errorAt('name')}
        autoFocus
        maxLength={120}
      />
      <CredentialFields {...{ provider, way, values, stored, errorAt }} onWay={setWay} onChange={setValues} />
      <Disclosure title="Settings" isOpen={errorAt('settings.external_id_field') !== null}>
        <TextField
          label="Field of the CRM that stores the Crosswalk id"
          value={settings.external_id_field}
          onChange={(external_id_field) => setSettings({ ...settings, external_id_field })}
          error={errorAt('settings.external_id_field')}
          hint="Its values must be unique."
        />
        <Checkbox
          checked={settings.allow_duplicates}
          onChange={(allow_duplicates) => setSettings({ ...settings, allow_duplicates })}
        >
          Create people that the CRM refuses as duplicates of other records
        </Checkbox>
      </Disclosure>
      <TheirChanges theirs={theirs} of="connection" />
    </FormDialog>
  )
}
