import { useState } from 'react'
import type { CreateCrmConnection, CrmConnection, CrmProvider } from '../../../../sdk/src/generated/types.ts'
import { Choices } from '../../parts/choices.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useScope } from '../../shell/scope.tsx'
import { CredentialFields, placesOf, typedCredentials, wayOf } from './credential-fields.tsx'
import { providerNames } from './words.ts'

const about: Record<CrmProvider, string> = {
  hubspot: 'Contacts and Leads, with the token of a private app.',
  salesforce: 'Leads and Contacts, through a connected app.',
  espocrm: 'Leads and Contacts, with the key of an API user.',
  sandbox: 'A simulated CRM in Crosswalk. No data leaves your server.',
}
const providers = (Object.keys(providerNames) as CrmProvider[]).map((value) => ({
  ...{ value, name: providerNames[value], about: about[value] },
}))

/** Connects a CRM. Nothing is sent to it: the page of the connection tests it. */
export function ConnectDialog({
  onClose,
  onConnected,
}: {
  onClose: () => void
  onConnected: (connection: CrmConnection) => void
}) {
  const { api } = useScope()
  const [provider, setProvider] = useState<CrmProvider>('hubspot')
  const [way, setWay] = useState(() => wayOf('hubspot'))
  const [name, setName] = useState('')
  const [values, setValues] = useState<Record<string, string>>({})
  const form = useSubmit(
    async () =>
      // The server says which credentials are missing.
      api.crm.connections.create({
        provider,
        ...(name.trim() && { name }),
        ...(provider !== 'sandbox' && { credentials: typedCredentials(provider, way, values) }),
      } as CreateCrmConnection),
    { places: ['name', ...placesOf(provider, way)], onDone: onConnected },
  )
  const { errorAt } = form
  return (
    <FormDialog title="Connect a CRM" act="Connect" form={form} onClose={onClose} wide>
      <Choices
        label="CRM"
        value={provider}
        options={providers}
        onChange={(next) => {
          setProvider(next)
          setWay(wayOf(next))
        }}
      />
      <CredentialFields {...{ provider, way, values, errorAt }} onWay={setWay} onChange={setValues} />
      <TextField
        label="Name (optional)"
        value={name}
        onChange={setName}
        error={errorAt('name')}
        placeholder={providerNames[provider]}
        maxLength={120}
      />
      {provider !== 'sandbox' && (
        <p className="t12 three">Crosswalk stores the credentials encrypted, and never shows them again.</p>
      )}
    </FormDialog>
  )
}
