import type { CreatedKey } from '../keys/schema.ts'

/** The secret under the name that the API uses: `token` for an agency key, `api_key_token` for other keys. */
export const secretOf = (key: CreatedKey): { token: string } | { api_key_token: string } =>
  key.is_agency ? { token: key.token } : { api_key_token: key.api_key_token }

/** The lines that a command prints about a new key. */
export const keyLines = (key: CreatedKey): string[] => [
  `api_key_id     ${key.api_key_id}`,
  ...Object.entries(secretOf(key)).map(([name, token]) => `${name.padEnd(15)}${token}`),
  '',
  'The token is shown this once.',
]
