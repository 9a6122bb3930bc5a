type Json = Record<string, unknown>

/** The error if the browser created or used no passkey. The message says why, and what to do. */
export class PasskeyError extends Error {
  override name = 'PasskeyError'
}

/** Why passkeys do not work on this page; null if they do. Browsers create none for an IP address. */
export function passkeyObstacle(): 'address' | 'browser' | null {
  if (/^[\d.]+$|^\[/.test(location.hostname)) return 'address'
  return typeof window.PublicKeyCredential?.parseRequestOptionsFromJSON === 'function' ? null : 'browser'
}

/** The address of this page at localhost, where passkeys work; null if the server is another machine. */
export function localhostAddress(): string | null {
  if (!/^127\.|^\[::1\]$/.test(location.hostname)) return null
  const url = new URL(location.href)
  url.hostname = 'localhost'
  return url.href
}

/**
 * Creates a passkey on the device that the person chooses.
 * @param options PublicKeyCredentialCreationOptionsJSON
 * @returns RegistrationResponseJSON, for the server
 * @throws PasskeyError
 */
export async function makePasskey(options: Json): Promise<Json> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  )
  return answerOf(navigator.credentials.create({ publicKey }))
}

/**
 * Signs with a passkey that the person chooses.
 * @param options PublicKeyCredentialRequestOptionsJSON
 * @returns AuthenticationResponseJSON, for the server
 * @throws PasskeyError
 */
export async function signWithPasskey(options: Json): Promise<Json> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  )
  return answerOf(navigator.credentials.get({ publicKey }))
}

/** Returns whether the browser offers passkeys in the autofill of a field. */
export const offersAutofill = async (): Promise<boolean> =>
  (await window.PublicKeyCredential?.isConditionalMediationAvailable?.()) === true

/**
 * Waits until the person chooses a passkey in the autofill of a field.
 * @param options PublicKeyCredentialRequestOptionsJSON
 * @returns AuthenticationResponseJSON, for the server; null if the browser or the signal ended the wait
 */
export async function passkeyFromAutofill(options: Json, signal: AbortSignal): Promise<Json | null> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  )
  const chosen = await navigator.credentials
    .get({ publicKey, mediation: 'conditional', signal })
    .catch(() => null)
  return chosen && ((chosen as PublicKeyCredential).toJSON() as unknown as Json)
}

async function answerOf(asked: Promise<Credential | null>): Promise<Json> {
  try {
    const credential = (await asked) as PublicKeyCredential | null
    if (!credential) throw new PasskeyError('The browser returned no passkey. Try again.')
    return credential.toJSON() as unknown as Json
  } catch (error) {
    throw error instanceof DOMException ? new PasskeyError(wordsOf(error)) : error
  }
}

function wordsOf({ name, message }: DOMException): string {
  if (name === 'NotAllowedError' || name === 'AbortError')
    return 'No passkey was used: it was canceled, it took too long, or this device has none for this site. Try again, or use another way.'
  if (name === 'InvalidStateError') return 'This device already has a passkey for your account.'
  if (name === 'SecurityError')
    return 'The browser allows no passkey at this address. Open Crosswalk with https, or at localhost.'
  return `The browser could not use a passkey: ${message}`
}
