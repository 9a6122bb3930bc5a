import type { CreatedKey } from '../keys/schema.ts'

export const secretOf = (key: CreatedKey): { token: string } | { api_key_token: string } =>
  key.is_agency ? { token: key.token } : { api_key_token: key.api_key_token }

export const keyLines = (key: CreatedKey): string[] => [
  `api_key_id     ${key.api_key_id}`,
  ...Object.entries(secretOf(key)).map(([name, token]) => `${name.padEnd(15)}${token}`),
  '',
  'The token is shown only this once.',
]
