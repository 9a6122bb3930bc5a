import { randomUUID } from 'node:crypto'
import { connectApp } from '../../src/connected-apps/apps.ts'
import { putMembership } from '../../src/members/memberships.ts'
import { insertPerson } from '../../src/members/people.ts'
import { operatorOf } from '../../src/platform/actor.ts'
import type { Tx } from '../../src/platform/db/tx.ts'

/** Connects an AI host to an organization, in the name of a new member. Returns the id of the connection. */
export async function connectNewApp(tx: Tx, orgId: string, name = 'Claude'): Promise<string> {
  const email = `${randomUUID()}@x.example`
  const person = { email, emailKey: email, name: 'A person with an app', password: '' }
  const memberId = (await insertPerson(tx, person)) ?? ''
  await putMembership(tx, orgId, memberId, 'member')
  return connectApp(tx, operatorOf(orgId), {
    ...{ memberId, orgId, homeOrgId: orgId, clientId: 'https://claude.ai/client', clientName: name },
    ...{ clientHost: 'claude.ai', mode: 'live', permissions: ['contacts:read', 'contacts:write'] },
    viaSso: false,
  })
}
