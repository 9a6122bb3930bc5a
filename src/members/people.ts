import { newId } from '../platform/db/new-id.ts'
import { sql } from '../platform/db/sql.ts'
import type { Tx } from '../platform/db/tx.ts'

/** A person who can sign in. */
export type Person = {
  member_id: string
  email: string
  email_key: string
  name: string
  password: string | null
  has_totp: boolean
}

const columns = sql`member_id, email, email_key, name, password, totp_secret is not null as has_totp`

/** @param emailKey the normalized address */
export const findByEmail = (tx: Tx, emailKey: string): Promise<Person | undefined> =>
  tx.first(sql<Person>`select ${columns} from member where email_key = ${emailKey}`)

/** Finds a member by id. */
export const findPerson = (tx: Tx, memberId: string): Promise<Person | undefined> =>
  tx.first(sql<Person>`select ${columns} from member where member_id = ${memberId}`)

export type NewPerson = {
  /** The id; by default a new one. */
  memberId?: string | undefined
  email: string
  emailKey: string
  name: string
  /** The hash; null: the person signs in with passkeys. */
  password: string | null
}

/** Stores a person. Returns the id, or null if another person has the address. */
export async function insertPerson(tx: Tx, person: NewPerson): Promise<string | null> {
  const { memberId = newId() } = person
  const stored = await tx.run(sql`
    insert into member (member_id, email, email_key, name, password, created_at)
    values (${memberId}, ${person.email}, ${person.emailKey}, ${person.name}, ${person.password}, now())
    on conflict (email_key) do nothing`)
  return stored === 0 ? null : memberId
}

/** @param password the hash; null: the person signs in with passkeys */
export async function setPassword(tx: Tx, memberId: string, password: string | null): Promise<void> {
  await tx.run(sql`update member set password = ${password} where member_id = ${memberId}`)
}

/**
 * Locks a person until the transaction ends. Returns whether the password and the second factor are unchanged since they
 * were checked. A change ends all sessions, but a check that began before the change would open a new session.
 */
export async function holdUnchanged(
  tx: Tx,
  { member_id: memberId, password, has_totp: hasTotp }: Person,
): Promise<boolean> {
  const held = await tx.run(sql`
    select from member
    where member_id = ${memberId} and password is not distinct from ${password}
      and (totp_secret is not null) = ${hasTotp}
    for no key update`)
  return held > 0
}
