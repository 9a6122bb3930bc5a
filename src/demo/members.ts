import { putMembership } from '../members/memberships.ts'
import { insertPerson } from '../members/people.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Owner } from '../records/owners/owner.ts'

/** Invented people who own records of the demo organization. */
const people = {
  maria: 'Maria Costa',
  tom: 'Tom Becker',
  aisha: 'Aisha Rahman',
  jonas: 'Jonas Lind',
}

export const ownerEmails: readonly string[] = Object.keys(people).map((name) => `${name}@demo.example`)

/** Makes the invented people members. They have no password, so nobody can sign in as one of them. */
export async function makeDemoMembers(tx: Tx, orgId: string): Promise<Owner[]> {
  const owners: Owner[] = []
  for (const [index, name] of Object.values(people).entries()) {
    const email = ownerEmails[index] ?? ''
    const memberId = await insertPerson(tx, { email, emailKey: email, name, password: null })
    if (memberId === null) continue
    await putMembership(tx, orgId, memberId, 'member')
    owners.push({ member_id: memberId, email, email_key: email, name })
  }
  return owners
}
