import type { SystemScope } from '../../platform/db/system.ts'
import { refuse } from '../../platform/http/fields.ts'
import type { RequestingBrowser } from '../../platform/http/requesting-browser.ts'
import { detailAt, ValidationError } from '../../platform/http/validation.ts'
import { challengeSeconds, consumeChallenge, newChallenge, type Purpose } from './challenges.ts'
import { type Credential, type ReadCredential, readCredential, type Site, siteOf } from './credential.ts'
import { type NewPasskey, passkeysFor } from './passkeys.ts'

/** The key algorithms of passkeys: EdDSA, ES256 and RS256 (RFC 9053). */
const algorithms = [-8, -7, -257]

export type PasskeyOwner = { memberId: string; email: string; name: string }
export type RegistrationPurpose = Extract<Purpose, 'register' | 'recover' | 'join'>

/**
 * Options for the browser to create a passkey (PublicKeyCredentialCreationOptionsJSON).
 * @throws DomainError invalid at an IP address
 */
export async function registrationOptions(
  scope: SystemScope,
  browser: RequestingBrowser,
  purpose: RegistrationPurpose,
  { memberId, email, name }: PasskeyOwner,
): Promise<Record<string, unknown>> {
  const { host } = siteOf(browser)
  // Load the library at its first use, because loading takes 0.2 s.
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  const known = await scope.read((tx) => passkeysFor(tx, memberId, host))
  const options = await generateRegistrationOptions({
    rpName: 'Crosswalk',
    rpID: host,
    userName: email,
    userDisplayName: name,
    userID: new Uint8Array(Buffer.from(memberId.replaceAll('-', ''), 'hex')),
    challenge: new Uint8Array(Buffer.from(await newChallenge(scope, purpose, memberId), 'base64url')),
    timeout: challengeSeconds * 1000,
    attestationType: 'none',
    excludeCredentials: known.map(({ credential_id: id, transports }) => ({
      ...{ id: id.toString('base64url'), transports },
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
  })
  return { ...options }
}

/**
 * Checks the browser's answer to `registrationOptions`: challenge, origin, host, presence and verification of the
 * person. Ignores the device's attestation. Returns the passkey to store.
 * @param expected the member of the body that has the credential, and the only person who may answer
 * @throws ValidationError
 */
export async function checkRegistration(
  scope: SystemScope,
  browser: RequestingBrowser,
  purpose: RegistrationPurpose,
  credential: Credential,
  { member = 'credential', memberId }: { member?: string; memberId?: string } = {},
): Promise<NewPasskey> {
  const site = siteOf(browser)
  const sent = readCredential(credential)
  const challenge = sent && (await consumeChallenge(scope, purpose, sent.challenge))
  if (!sent || !challenge?.member_id || (memberId ?? challenge.member_id) !== challenge.member_id)
    throw refusedAt(member)
  const info = await verify(sent, site).catch(() => null)
  if (!info) throw refusedAt(member)
  return {
    memberId: challenge.member_id,
    credentialId: Buffer.from(info.credential.id, 'base64url'),
    publicKey: Buffer.from(info.credential.publicKey),
    counter: info.credential.counter,
    transports: sent.transports,
    host: site.host,
    isSynced: info.credentialBackedUp,
  }
}

async function verify(sent: ReadCredential, { host, origin }: Site) {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  // Remove the attestation: its certificates may name revocation lists, which the library would fetch.
  const attestation = decodeAttestationObject(
    new Uint8Array(Buffer.from(sent.attestationObject, 'base64url')),
  )
  const statement = attestation.get('attStmt')
  const isPlain =
    attestation.get('fmt') === 'none' || (attestation.get('fmt') === 'packed' && !statement.get('x5c'))
  if (!isPlain || sent.isEmbedded) return null
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: {
      id: sent.id,
      rawId: sent.id,
      type: 'public-key',
      clientExtensionResults: {},
      response: { clientDataJSON: sent.clientDataJSON, attestationObject: sent.attestationObject },
    },
    expectedChallenge: sent.challenge,
    expectedOrigin: origin,
    expectedRPID: host,
    supportedAlgorithmIDs: algorithms,
  })
  return verified ? registrationInfo : null
}

function refusedAt(member: string): ValidationError {
  const fault = 'this passkey could not be checked: try again, in this browser and within 5 minutes'
  return new ValidationError([detailAt(['body', member], refuse(fault))])
}
