import { isRsaKey, rsaKeyMessage } from '../../platform/secrets/credentials.ts'

export type ServiceAccount = { client_email: string; private_key: string }

const shape = 'send the JSON of the service account’s key file: {"client_email": …, "private_key": …}'

/** Reads a service account's key file. Returns the problem if the file is invalid. */
export function readServiceAccount(value: unknown): ServiceAccount | { problem: string } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { problem: shape }
  const { client_email: email, private_key: key } = value as Record<string, unknown>
  if (typeof email !== 'string' || typeof key !== 'string') return { problem: shape }
  if (!/^[^\s@]{1,200}@[^\s@]{1,200}$/.test(email))
    return { problem: 'client_email must be the e-mail address of the service account' }
  // In environment variables, line ends of a key are often written as a backslash and n.
  const pem = key.includes('\n') ? key : key.replaceAll('\\n', '\n')
  return isRsaKey(pem) ? { client_email: email, private_key: pem } : { problem: rsaKeyMessage }
}
