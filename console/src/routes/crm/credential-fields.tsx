import type { CrmProvider } from '../../../../sdk/src/generated/types.ts'
import { Segments, TextArea, TextField } from '../../parts/field.tsx'

type CredentialField = {
  name: string
  label: string
  hint?: string
  kind?: 'secret' | 'lines'
  placeholder?: string
}

/** One set of credentials that a provider accepts. */
type Way = { id: string; name: string; fields: readonly CredentialField[] }

const clientId: CredentialField = { name: 'client_id', label: 'Consumer key of the connected app' }

/** The sets of credentials of each provider. The person chooses one. */
const waysOf: Record<CrmProvider, readonly Way[]> = {
  sandbox: [],
  hubspot: [
    {
      id: 'token',
      name: 'Access token',
      fields: [
        {
          name: 'access_token',
          label: 'Access token of a private app',
          kind: 'secret',
          hint: 'In HubSpot: Settings > Integrations > Private Apps > Auth.',
        },
      ],
    },
  ],
  salesforce: [
    {
      id: 'refresh_token',
      name: 'Refresh token',
      fields: [
        clientId,
        { name: 'client_secret', label: 'Consumer secret', kind: 'secret' },
        { name: 'refresh_token', label: 'Refresh token', kind: 'secret' },
      ],
    },
    {
      id: 'private_key',
      name: 'Private key',
      fields: [
        clientId,
        { name: 'username', label: 'User for whom the app acts', placeholder: 'sync@example.com' },
        {
          name: 'private_key',
          label: 'Private key (PEM)',
          kind: 'lines',
          placeholder: '-----BEGIN PRIVATE KEY-----',
        },
      ],
    },
  ],
  espocrm: [
    {
      id: 'api_key',
      name: 'API key',
      fields: [
        {
          name: 'url',
          label: 'Address of EspoCRM',
          placeholder: 'https://crm.example.com',
        },
        {
          name: 'api_key',
          label: 'API key of an API user',
          kind: 'secret',
          hint: 'In EspoCRM: Administration > API Users.',
        },
      ],
    },
  ],
}

/** The way whose credentials a connection has; the first one for a new connection. */
export const wayOf = (provider: CrmProvider, stored: Readonly<Record<string, string>> = {}): string =>
  (waysOf[provider].find(({ fields }) => fields.every(({ name }) => name in stored)) ?? waysOf[provider][0])
    ?.id ?? ''

const fieldsOf = (provider: CrmProvider, way: string) =>
  waysOf[provider].find(({ id }) => id === way)?.fields ?? []

/** The places of the fields in a request. */
export const placesOf = (provider: CrmProvider, way: string): string[] =>
  fieldsOf(provider, way).map(({ name }) => `credentials.${name}`)

/** Only the typed values of the chosen way. */
export function typedCredentials(
  provider: CrmProvider,
  way: string,
  values: Readonly<Record<string, string>>,
) {
  return Object.fromEntries(
    fieldsOf(provider, way).flatMap(({ name }) => {
      const value = values[name]?.trim()
      return value ? [[name, value]] : []
    }),
  )
}

/**
 * The fields for the credentials of a provider. A stored credential is not shown: an empty field keeps it.
 * @param stored the ends of the stored credentials; empty for a new connection
 */
export function CredentialFields({
  provider,
  way,
  values,
  stored = {},
  errorAt,
  onWay,
  onChange,
}: {
  provider: CrmProvider
  way: string
  values: Readonly<Record<string, string>>
  stored?: Readonly<Record<string, string>>
  errorAt: (place: string) => string | null
  onWay: (way: string) => void
  onChange: (values: Record<string, string>) => void
}) {
  const ways = waysOf[provider]
  return (
    <>
      {ways.length > 1 && (
        <Segments
          label="Sign in with"
          value={way}
          options={ways.map(({ id, name }) => [id, name] as const)}
          onChange={onWay}
        />
      )}
      {fieldsOf(provider, way).map(({ name, label, hint, kind, placeholder }) => {
        const shared = {
          label,
          hint: name in stored ? `Stored: ${stored[name]}. Leave it empty to keep it.` : hint,
          value: values[name] ?? '',
          onChange: (value: string) => onChange({ ...values, [name]: value }),
          error: errorAt(`credentials.${name}`),
          autoComplete: 'off',
          spellCheck: false,
          ...(placeholder && { placeholder }),
        }
        return kind === 'lines' ? (
          <TextArea key={name} {...shared} />
        ) : (
          <TextField key={name} {...shared} type={kind === 'secret' ? 'password' : 'text'} />
        )
      })}
    </>
  )
}
