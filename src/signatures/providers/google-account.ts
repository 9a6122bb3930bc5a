import { isRsaKey, rsaKeyWords } from '../../platform/secrets/credentials.ts'

export type ServiceAccount = { client_email: string; private_key: string }

const shape = 'a service account is the JSON of its key file: {"client_email": …, "private_key": …}'

/** What is needed of the key file of a Google service account, or why it is none. */
export function readServiceAccount(value: unknown): ServiceAccount | { problem: string } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { problem: shape }
  const { client_email: email, private_key: key } = value as Record<string, unknown>
  if (typeof email !== 'string' || typeof key !== 'string') return { problem: shape }
  if (!/^[^\s@]{1,200}@[^\s@]{1,200}$/.test(email))
    return { problem: 'client_email is the e-mail address of the service account' }
  // Pasted out of an environment variable, line ends often arrive as two characters.
  const pem = key.includes('\n') ? key : key.replaceAll('\\n', '\n')
  return isRsaKey(pem) ? { client_email: email, private_key: pem } : { problem: rsaKeyWords }
}
