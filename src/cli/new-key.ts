import type { CreatedKey } from '../keys/schema.ts'

/** The token under the name that the API gives it. */
export const secretOf = (key: CreatedKey): { token: string } | { api_key_token: string } =>
  key.is_agency ? { token: key.token } : { api_key_token: key.api_key_token }

/** The lines that show a new key in a terminal. */
export const keyLines = (key: CreatedKey): string[] => [
  `api_key_id     ${key.api_key_id}`,
  ...Object.entries(secretOf(key)).map(([name, token]) => `${name.padEnd(15)}${token}`),
  '',
  'The token is shown only this once.',
]
