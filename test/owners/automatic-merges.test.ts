import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { StoredRecordAccess } from '../../src/auth/roles.ts'
import { sharedTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { createRecords, findAmong, rowOf } from '../support/finding.ts'
import { newMember, type SignedIn } from '../support/members.ts'

let app: TestApp
let org: TestOrg
beforeAll(async () => {
  app = await sharedTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  org = await app.newOrg()
  const { status } = await org.patch('/duplicates/settings', { contact: { mode: 'auto' } })
  expect(status).toBe(200)
})

const asOwner = (statement: string, values: unknown[]) => runAsOwner(app.databaseUrl, statement, values)

async function member(recordAccess: StoredRecordAccess): Promise<SignedIn> {
  const made = await newMember(app, org.orgId, 'member')
  await asOwner('update membership set record_access = $1 where member_id = $2', [
    recordAccess,
    made.memberId,
  ])
  return made
}

async function makeTeam(...members: SignedIn[]): Promise<void> {
  const team = crypto.randomUUID()
  await asOwner(`insert into team (org_id, team_id, name) values ($1, $2, 'Sales')`, [org.orgId, team])
  for (const { memberId } of members)
    await asOwner('insert into team_member (org_id, team_id, member_id) values ($1, $2, $3)', [
      org.orgId,
      team,
      memberId,
    ])
}

/** Creates two equal contacts, and lets the engine decide about them. */
async function findTwins(one: SignedIn | null, other: SignedIn | null) {
  const twin = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@acme.example' }
  const of = (owner: SignedIn | null) => ({ ...twin, owner_id: owner?.memberId ?? null })
  const ids = await createRecords(org, 'contact', { ...of(one), city: 'Secret' }, of(other))
  const { opened, merged } = await findAmong(app, org, 'contact', ids)
  return { ids, opened, merged }
}

test.each([
  ['of somebody else', true],
  ['without an owner', false],
])(
  'a limited member does not see a hidden contact %s through an automatic merge with a copy',
  async (_, hasOwner) => {
    const [limited, stranger] = [await member('own'), await member('all')]
    const { ids, opened, merged } = await findTwins(hasOwner ? stranger : null, limited)
    expect({ opened, merged }).toEqual({ opened: 1, merged: 0 })
    expect((await rowOf(org, 'shadow')).would_apply).toBe(true)
    const copy = await limited.get(`/contacts/${ids[1]}`)
    expect([copy.status, copy.body.data.city, copy.body.data.merged_ids]).toEqual([200, null, []])
    const { pagination } = (await limited.get('/duplicates/recent-merges?include_shadow=true')).body
    expect(pagination.total).toBe(0)
  },
)

test('the engine only proposes a merge if a team sees just one of the two contacts', async () => {
  const [limited, mate, stranger] = [await member('team'), await member('all'), await member('all')]
  await makeTeam(limited, mate)
  expect(await findTwins(mate, stranger)).toMatchObject({ opened: 1, merged: 0 })
})

test('the engine merges contacts of different owners if the same limited members see both', async () => {
  const [limited, mate, stranger] = [await member('team'), await member('all'), await member('all')]
  expect(await findTwins(mate, stranger)).toMatchObject({ opened: 0, merged: 1 })
  await makeTeam(limited, mate)
  expect(await findTwins(limited, mate)).toMatchObject({ opened: 0, merged: 1 })
})
