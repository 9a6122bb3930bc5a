import { randomBytes } from 'node:crypto'
import { sql } from '../../platform/db/sql.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { sha256 } from '../sha256.ts'

/** How long a person may take at the provider. */
export const attemptSeconds = 600

const random = () => randomBytes(32).toString('base64url')

/** A sign-in that goes to a provider. */
export type NewAttempt = {
  orgId: string
  issuer: string
  returnTo: string
  /** The session that the person confirms; null: a sign-in. */
  sessionId: string | null
}

/** The secrets of an attempt. The browser keeps `token` in a cookie. Only hashes of `token` and `state` are stored. */
export type SignOnAttempt = { token: string; state: string; nonce: string; codeVerifier: string }

/** Stores a new sign-in through an identity provider, and returns its secrets. */
export async function insertAttempt(tx: Tx, attempt: NewAttempt): Promise<SignOnAttempt> {
  const secrets = { token: random(), state: random(), nonce: random(), codeVerifier: random() }
  const { token, state, nonce, codeVerifier } = secrets
  await tx.run(sql`
    insert into sso_attempt (org_id, attempt_hash, state_hash, issuer, nonce, code_verifier, return_to, session_id,
      expires_at)
    values (${attempt.orgId}, ${sha256(token)}, ${sha256(state)}, ${attempt.issuer}, ${nonce}, ${codeVerifier},
      ${attempt.returnTo}, ${attempt.sessionId}, clock_timestamp() + make_interval(secs => ${attemptSeconds}))`)
  return secrets
}

export type OpenAttempt = {
  issuer: string
  nonce: string
  code_verifier: string
  return_to: string
  session_id: string | null
}

/** Invalidates and returns an attempt, if org, browser, state and time are right. */
export const consumeAttempt = (
  tx: Tx,
  { orgId, token, state }: { orgId: string; token: string; state: string },
): Promise<OpenAttempt | undefined> =>
  tx.first(sql<OpenAttempt>`
    delete from sso_attempt
    where org_id = ${orgId} and attempt_hash = ${sha256(token)} and state_hash = ${sha256(state)}
      and expires_at > clock_timestamp()
    returning issuer, nonce, code_verifier, return_to, session_id`)
