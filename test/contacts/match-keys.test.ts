import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { contacts } from '../../src/contacts/contacts.ts'
import { hashedKeys, keyName } from '../../src/records/keys.ts'
import { lockRecords } from '../../src/records/lock.ts'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { runs } from '../support/runs.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

/** Returns the stored match keys, and the match keys that the active contacts should have. */
function keysOf(org: TestOrg): Promise<{ stored: string[]; due: string[] }> {
  return app.app.context.database.org(org.orgId).transact(async (tx) => {
    const ids = await tx.rows<{ contact_id: string }>({ text: 'select contact_id from contact', values: [] })
    const records = await lockRecords(
      tx,
      contacts,
      ids.map(({ contact_id }) => contact_id),
    )
    const due = records.flatMap(({ recordId, status, state }) =>
      status === 'active' ? hashedKeys(contacts.keys(state)).map((key) => `${recordId} ${keyName(key)}`) : [],
    )
    const rows = await tx.rows<{ contact_id: string; kind: string; hash: string }>({
      text: 'select contact_id, kind, hash::text from contact_key',
      values: [],
    })
    return { stored: rows.map((row) => `${row.contact_id} ${keyName(row)}`).sort(), due: due.sort() }
  })
}

const emails = ['a@x.example', 'A@x.example', 'b@x.example', 'c@x.example']
const fields = fc.record(
  {
    email: fc.constantFrom(...emails, null),
    emails: fc.subarray(emails),
    phone: fc.constantFrom('+14155550100', '+14155550101', null),
    tags: fc.subarray(['t', 'u', 'T']),
    external_ids: fc.constantFrom({ crm: '1' }, { crm: '2', hub: '1' }, {}, null),
    first_name: fc.constantFrom('Ada', null),
  },
  { requiredKeys: [] },
)
const change = fc.oneof(
  fc.record({ method: fc.constant('PATCH'), path: fc.constant(''), body: fields }),
  fc.record({ method: fc.constant('DELETE'), path: fc.constant(''), body: fc.constant(undefined) }),
  fc.record({
    method: fc.constant('POST'),
    path: fc.constantFrom('/restore', '/restore', '/erase'),
    body: fc.constant(undefined),
  }),
  fc.record({
    method: fc.constant('POST'),
    path: fc.constant('upsert'),
    body: fields.map((given) => ({ match_on: 'email', ...given, email: given.email ?? 'a@x.example' })),
  }),
)

test('after any concurrent changes, the stored match keys are exactly the match keys of the active contacts', async () => {
  const changes = fc.array(fc.record({ change, of: fc.nat(2) }), { minLength: 5, maxLength: 25 })
  await fc.assert(
    fc.asyncProperty(changes, async (all) => {
      const org = await app.newOrg()
      const ids: string[] = []
      for (const email of emails.slice(0, 3)) {
        ids.push(
          (await org.post('/contacts', { email, first_name: 'Ada', tags: ['t'] })).body.data.contact_id,
        )
      }
      const answers = await Promise.all(
        all.map(({ change: { method, path, body }, of }) =>
          org.send(method, `/contacts/${path === 'upsert' ? path : `${ids[of]}${path}`}`, { body }),
        ),
      )
      for (const { status } of answers) expect([200, 404, 409, 422]).toContain(status)
      const { stored, due } = await keysOf(org)
      expect(stored).toEqual(due)
    }),
    { numRuns: runs(3, 25) },
  )
})
