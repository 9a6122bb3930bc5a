import { createECDH } from 'node:crypto'
import type { SystemScope } from '../../platform/db/system.ts'
import { type DomainError, unauthenticated } from '../../platform/domain-error.ts'
import type { RequestingBrowser } from '../../platform/http/requesting-browser.ts'
import { challengeSeconds, consumeChallenge, newChallenge } from './challenges.ts'
import {
  type Credential,
  handleOf,
  type ReadCredential,
  readCredential,
  type Site,
  siteOf,
} from './credential.ts'
import { findPasskey, type KnownPasskey, passkeysFor, recordPasskeyUse } from './passkeys.ts'

/**
 * Options for the browser to sign with a passkey (PublicKeyCredentialRequestOptionsJSON).
 * @param memberId the person who confirms; null: a sign-in, for which the person chooses a passkey
 * @throws DomainError invalid at an IP address
 */
export async function assertionOptions(
  scope: SystemScope,
  browser: RequestingBrowser,
  memberId: string | null,
): Promise<Record<string, unknown>> {
  const { host } = siteOf(browser)
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  const known = memberId === null ? [] : await scope.read((tx) => passkeysFor(tx, memberId, host))
  const challenge = await newChallenge(scope, memberId === null ? 'sign_in' : 'confirm', memberId)
  const options = await generateAuthenticationOptions({
    rpID: host,
    allowCredentials: known.map(({ credential_id: id, transports }) => ({
      ...{ id: id.toString('base64url'), transports },
    })),
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    timeout: challengeSeconds * 1000,
    userVerification: 'required',
  })
  return { ...options }
}

/**
 * Checks the browser's answer to `assertionOptions`: challenge, origin, host, presence and verification of the
 * person, signature and counter. Returns the person's id.
 * @param memberId the person who confirms; null: a sign-in
 * @throws DomainError unauthenticated
 */
export async function checkAssertion(
  scope: SystemScope,
  browser: RequestingBrowser,
  memberId: string | null,
  credential: Credential,
): Promise<string> {
  const site = siteOf(browser)
  const sent = readCredential(credential)
  const purpose = memberId === null ? 'sign_in' : 'confirm'
  const challenge = sent && (await consumeChallenge(scope, purpose, sent.challenge))
  if (!sent || !challenge || challenge.member_id !== memberId) throw passkeyRefused()
  const id = Buffer.from(sent.id, 'base64url')
  const passkey = await scope.read((tx) => findPasskey(tx, id, site.host))
  // Check a signature in any case, so that the time does not tell whether the passkey exists.
  const counter = await verify(sent, site, passkey ?? decoy).catch(() => null)
  if (!passkey || counter === null) throw passkeyRefused()
  const isOwn = memberId === null || passkey.member_id === memberId
  const isNamed = sent.userHandle === '' || sent.userHandle === handleOf(passkey.member_id)
  if (!isOwn || !isNamed) throw passkeyRefused()
  const isRecorded = await scope.transact((tx) => recordPasskeyUse(tx, passkey.passkey_id, counter))
  if (!isRecorded) throw passkeyRefused()
  return passkey.member_id
}

/** Returns the counter; null if the signature is not valid. */
async function verify(
  sent: ReadCredential,
  { host, origin }: Site,
  passkey: Pick<KnownPasskey, 'public_key' | 'counter'>,
): Promise<number | null> {
  if (sent.isEmbedded) return null
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { id, clientDataJSON, authenticatorData, signature } = sent
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: {
      ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
      response: { clientDataJSON, authenticatorData, signature },
    },
    expectedChallenge: sent.challenge,
    expectedOrigin: origin,
    expectedRPID: host,
    credential: { id, publicKey: new Uint8Array(passkey.public_key), counter: passkey.counter },
  })
  return verified ? authenticationInfo.newCounter : null
}

const decoy = { public_key: newPublicKey(), counter: 0 }

/** A public key that nobody can sign for, in the form of passkeys: COSE, ES256 (RFC 9053, section 7.1.1). */
function newPublicKey(): Buffer {
  const point = createECDH('prime256v1').generateKeys()
  const member = (label: string, coordinate: Buffer) => [Buffer.from(label, 'hex'), coordinate]
  return Buffer.concat([
    Buffer.from('a5010203262001', 'hex'),
    ...member('215820', point.subarray(1, 33)),
    ...member('225820', point.subarray(33)),
  ])
}

const passkeyRefused = (): DomainError =>
  unauthenticated(
    'sign_in_failed',
    'The passkey was not accepted. It may be deleted, or belong to another person or site. Try again, or sign in another way',
  )
