import { useState } from 'react'
import type {
  UpdateVoiceSettings,
  VoiceProvider,
  VoiceSettings,
} from '../../../../../sdk/src/generated/types.ts'
import { Choices } from '../../../parts/choices.tsx'
import { TextField } from '../../../parts/field.tsx'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { TheirChanges } from '../../../parts/their-changes.tsx'
import { useChanges } from '../../../parts/use-changes.ts'
import { useSubmit } from '../../../parts/use-submit.ts'
import { voiceProviderNames } from '../../../parts/voice-providers.ts'
import { useScope } from '../../../shell/scope.tsx'

type Provider = Required<Pick<UpdateVoiceSettings, 'provider'>> & Pick<UpdateVoiceSettings, 'credentials'>

type CredentialField = { name: string; label: string; isSecret?: boolean; placeholder?: string }

/** The credentials of each provider. */
const fieldsOf: Record<VoiceProvider, readonly CredentialField[]> = {
  simulator: [],
  twilio: [
    { name: 'account_sid', label: 'Account SID', placeholder: 'AC…' },
    { name: 'auth_token', label: 'Auth token', isSecret: true },
  ],
  vapi: [
    { name: 'api_key', label: 'Private API key', isSecret: true },
    { name: 'assistant_id', label: 'Assistant id' },
    { name: 'phone_number_id', label: 'Phone number id' },
  ],
  livekit: [
    { name: 'url', label: 'Address of the server', placeholder: 'wss://livekit.example.com' },
    { name: 'api_key', label: 'API key' },
    { name: 'api_secret', label: 'API secret', isSecret: true },
    { name: 'sip_trunk_id', label: 'SIP trunk id' },
    { name: 'agent_name', label: 'Name of the agent' },
  ],
}

/** The name of a credential for people. */
export const credentialName = (provider: VoiceProvider, name: string): string =>
  fieldsOf[provider].find((field) => field.name === name)?.label ?? name

const providers = (
  [
    ['simulator', 'Makes no phone ring, and costs nothing.'],
    ['twilio', 'Speaks the first words of the persona and hangs up. It has no agent.'],
    ['vapi', 'Your assistant there talks with the person.'],
    ['livekit', 'Your own agent talks with the person, over a SIP trunk.'],
  ] as const satisfies readonly (readonly [VoiceProvider, string])[]
).map(([value, about]) => ({ value, name: voiceProviderNames[value], about }))

/** Changes who places the calls. Stored credentials are not shown: an empty field keeps them. */
export function ProviderDialog({
  settings: opened,
  onClose,
  onSaved,
}: {
  settings: VoiceSettings
  onClose: () => void
  onSaved: (settings: VoiceSettings) => void
}) {
  const [settings] = useState(opened)
  const { api } = useScope()
  const [provider, setProvider] = useState<VoiceProvider>(settings.provider)
  const [values, setValues] = useState<Record<string, string>>({})
  const fields = fieldsOf[provider]
  const isStored = settings.kept_credentials.includes(provider)
  const stored: Record<string, string> = (provider === settings.provider && settings.credentials) || {}
  const { theirs, save } = useChanges<VoiceSettings, Provider>(settings, {
    settingsOf: ({ provider }) => ({ provider, credentials: undefined }),
    names: { provider: 'provider', credentials: 'credentials' },
    others: null,
    read: () => api.voice.settings.get(),
    // Credentials belong to a provider, which somebody else may have changed meanwhile.
    update: (_settings, changes, ifMatch) => api.voice.settings.update({ provider, ...changes }, { ifMatch }),
  })
  const form = useSubmit(
    async () => {
      const typed = fields.flatMap(({ name }) => {
        const value = values[name]?.trim()
        return value ? [[name, value] as const] : []
      })
      // The server names the missing credentials.
      const credentials =
        typed.length > 0 || (fields.length > 0 && !isStored) ? Object.fromEntries(typed) : undefined
      return (await save({ provider, credentials })) ? api.voice.settings.get() : null
    },
    {
      places: fields.map(({ name }) => `credentials.${name}`),
      onDone: (saved) => saved && onSaved(saved),
    },
  )
  return (
    <FormDialog
      title="Change the provider"
      act={theirs.length > 0 ? 'Save again' : 'Save'}
      form={form}
      onClose={onClose}
      wide
    >
      <Choices label="Provider" value={provider} options={providers} onChange={setProvider} />
      {fields.map(({ name, label, isSecret, placeholder }) => (
        <TextField
          key={`${provider} ${name}`}
          label={label}
          type={isSecret ? 'password' : 'text'}
          value={values[name] ?? ''}
          onChange={(value) => setValues({ ...values, [name]: value })}
          error={form.errorAt(`credentials.${name}`)}
          hint={
            isStored
              ? `Stored${stored[name] ? `: ${stored[name]}` : ''}. Leave it empty to keep it.`
              : undefined
          }
          autoComplete="off"
          spellCheck={false}
          {...(placeholder && { placeholder })}
        />
      ))}
      {fields.length > 0 && (
        <p className="t12 three">Crosswalk stores the credentials encrypted, and never shows them again.</p>
      )}
      <TheirChanges theirs={theirs} of="organization" />
    </FormDialog>
  )
}
