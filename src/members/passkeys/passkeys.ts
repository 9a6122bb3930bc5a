import { newId } from '../../platform/db/new-id.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { conflict, notFound } from '../../platform/domain-error.ts'
import { refuse } from '../../platform/http/fields.ts'
import { detailAt, ValidationError } from '../../platform/http/validation.ts'

const passkeysMax = 20

/** A passkey as answers show it. */
export type Passkey = {
  passkey_id: string
  name: string
  host: string
  is_synced: boolean
  created_at: number
  used_at: number | null
}

const columns = sql`passkey_id, name, host, is_synced, floor(extract(epoch from created_at))::bigint as created_at,
  floor(extract(epoch from used_at))::bigint as used_at`

/** The passkeys of a person, the oldest first. */
export const listPasskeys = (tx: Tx, memberId: string): Promise<Passkey[]> =>
  tx.rows(sql<Passkey>`
    select ${columns} from passkey where member_id = ${memberId} order by created_at, passkey_id`)

/** A person's passkeys for a host, in the form that authenticators need. */
export function passkeysFor(
  tx: Tx,
  memberId: string,
  host: string,
): Promise<{ credential_id: Buffer; transports: string[] }[]> {
  return tx.rows(sql<{ credential_id: Buffer; transports: string[] }>`
    select credential_id, transports from passkey
    where member_id = ${memberId} and host = ${host} order by created_at, passkey_id`)
}

/** A verified passkey that is not stored yet. */
export type NewPasskey = {
  memberId: string
  credentialId: Buffer
  publicKey: Buffer
  counter: number
  transports: string[]
  host: string
  isSynced: boolean
}

/**
 * Stores a passkey.
 * @throws DomainError conflict if the person has too many; ValidationError if it is already stored
 */
export async function insertPasskey(tx: Tx, passkey: NewPasskey, name: string): Promise<Passkey> {
  await lockPerson(tx, passkey.memberId)
  const { length } = await listPasskeys(tx, passkey.memberId)
  if (length >= passkeysMax)
    throw conflict('limit_reached', `A person has at most ${passkeysMax} passkeys; delete some first`)
  const stored = await tx.first(sql<Passkey>`
    insert into passkey (passkey_id, member_id, credential_id, public_key, counter, transports, host, is_synced, name,
      created_at)
    values (${newId()}, ${passkey.memberId}, ${passkey.credentialId}, ${passkey.publicKey}, ${passkey.counter},
      ${passkey.transports}, ${passkey.host}, ${passkey.isSynced}, ${name}, now())
    on conflict (credential_id) do nothing
    returning ${columns}`)
  if (stored) return stored
  const fault = 'this passkey is registered already; use another device, or delete the passkey first'
  throw new ValidationError([detailAt(['body', 'credential'], refuse(fault))])
}

/** @throws DomainError not_found */
export async function renamePasskey(
  tx: Tx,
  memberId: string,
  passkeyId: string,
  name: string,
): Promise<Passkey> {
  await lockPerson(tx, memberId)
  const renamed = await tx.first(sql<Passkey>`
    update passkey set name = ${name} where passkey_id = ${passkeyId} and member_id = ${memberId}
    returning ${columns}`)
  if (!renamed) throw passkeyUnknown()
  return renamed
}

/** Deletes a passkey. @throws DomainError not_found; conflict if it is the last way to sign in */
export async function deletePasskey(tx: Tx, memberId: string, passkeyId: string): Promise<void> {
  const { hasOther } = await lockPerson(tx, memberId)
  const passkeys = await listPasskeys(tx, memberId)
  if (!passkeys.some(({ passkey_id: id }) => id === passkeyId)) throw passkeyUnknown()
  if (passkeys.length === 1 && !hasOther) {
    throw conflict(
      'last_sign_in_way',
      'This passkey is your last way to sign in; add a password or another passkey first',
    )
  }
  await tx.run(sql`delete from passkey where passkey_id = ${passkeyId} and member_id = ${memberId}`)
}

/** Deletes all passkeys of a person. */
export async function deletePasskeys(tx: Tx, memberId: string): Promise<void> {
  await tx.run(sql`delete from passkey where member_id = ${memberId}`)
}

/** Locks a person's ways to sign in: parallel changes could remove the last two. */
async function lockPerson(tx: Tx, memberId: string): Promise<{ hasOther: boolean }> {
  const person = await tx.first(sql<{ has_other: boolean }>`
    select m.password is not null or exists (
      select from sso_identity i join membership h using (org_id, member_id)
      where i.member_id = m.member_id) as has_other
    from member m where m.member_id = ${memberId} for update of m`)
  return { hasOther: person?.has_other === true }
}

export type KnownPasskey = {
  passkey_id: string
  member_id: string
  public_key: Buffer
  counter: number
  transports: string[]
}

/** Finds a passkey by its id and host. */
export const findPasskey = (tx: Tx, credentialId: Buffer, host: string): Promise<KnownPasskey | undefined> =>
  tx.first(sql<KnownPasskey>`
    select passkey_id, member_id, public_key, counter, transports from passkey
    where credential_id = ${credentialId} and host = ${host}`)

/**
 * Records the use of a passkey. Returns false if its counter did not increase, which suggests a copied passkey. A
 * counter that is always 0 is ignored.
 */
export async function recordPasskeyUse(tx: Tx, passkeyId: string, counter: number): Promise<boolean> {
  const noted = await tx.run(sql`
    update passkey set counter = ${counter}, used_at = now()
    where passkey_id = ${passkeyId} and (counter < ${counter} or (counter = 0 and ${counter}::bigint = 0))`)
  return noted > 0
}

const passkeyUnknown = () => notFound('object_not_found', 'You have no passkey with this id')
