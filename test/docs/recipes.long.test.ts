import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../support/app.ts'
import { cleanUp, fileNamed } from '../support/processes.ts'
import { linesOf, runProgram } from './programs.ts'

const app = await startTestApp({ movesCalls: true })
afterAll(async () => {
  await cleanUp()
  await app.close()
})

test('docs/guides/quickstart.md creates a key, a contact, an import and leads', async () => {
  const org = await app.newOrg()
  const printed = await linesOf('docs/guides/quickstart.md', org)
  expect(printed).toEqual([expect.stringMatching(/^[\da-f-]{36} 1$/), 'succeeded 2', '3 new leads'])
  const { body } = await org.get('/contacts?lifecycle_stage=lead&limit=1')
  expect(body.pagination.total).toBe(3)
})

test('docs/guides/mirror-contacts.md follows changes, archives, merges and erasures', async () => {
  const org = await app.newOrg()
  const create = async (first_name: string) =>
    (await org.post('/contacts', { first_name })).body.data.contact_id as string
  const [changed, archived, erased, survivor, absorbed] = await Promise.all(
    ['Changed', 'Archived', 'Erased', 'Survivor', 'Absorbed'].map(create),
  )
  const agree = async () => {
    const file = join(dirname(fileNamed('x')), 'mirror.db')
    const database = new DatabaseSync(file, { readOnly: true })
    const copy = database.prepare('select * from contact order by contact_id').all()
    database.close()
    const lists = await Promise.all(
      [false, true].map(
        async (archived) => (await org.get(`/contacts?limit=100&archived=${archived}`)).body.data,
      ),
    )
    const stored = lists.flat() as Record<string, unknown>[]
    const columns = Object.keys(copy[0] ?? {})
    expect(columns).toEqual(['contact_id', 'version', 'email', 'first_name', 'last_name', 'archived_at'])
    const shown = stored.map((contact) => Object.fromEntries(columns.map((name) => [name, contact[name]])))
    const byId = (one: object, other: object) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)
    expect(copy.map((row) => ({ ...row }))).toEqual(shown.toSorted(byId))
  }
  expect(await linesOf('docs/guides/mirror-contacts.md', org)).toEqual(['5'])
  await agree()
  await org.patch(`/contacts/${changed}`, {
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: 'ada@example.com',
  })
  expect((await org.delete(`/contacts/${archived}`)).status).toBeLessThan(300)
  await org.post(`/contacts/${erased}/erase`)
  const merge = { entity_type: 'contact', survivor_id: survivor, loser_ids: [absorbed] }
  expect((await org.post('/duplicates/merge', merge)).status).toBe(200)
  expect(await linesOf('docs/guides/mirror-contacts.md', org)).toEqual(['3'])
  await agree()
  const listed = (await org.get('/contacts?limit=100')).body.data as { first_name: string }[]
  expect(listed.map(({ first_name }) => first_name).toSorted()).toEqual(['Ada', 'Survivor'])

  // A contact of more than 256 KiB, which the feed leaves out.
  const external_ids = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`s${n}`, '€'.repeat(190)]))
  const items = Array.from({ length: 12 }, (_, n) => ({
    first_name: 'Large',
    external_ids: Object.fromEntries(Object.entries(external_ids).map(([name, id]) => [name, id + n])),
  }))
  const { body } = await org.post('/contacts/batch', { items })
  const [large, ...loser_ids] = body.data.map((outcome: { contact_id: string }) => outcome.contact_id)
  expect(await linesOf('docs/guides/mirror-contacts.md', org)).toEqual(['15'])
  await org.post('/duplicates/merge', { entity_type: 'contact', survivor_id: large, loser_ids })
  const record = JSON.stringify((await org.get(`/contacts/${large}`)).body)
  expect(Buffer.byteLength(record)).toBeGreaterThan(2 ** 18)
  expect(await linesOf('docs/guides/mirror-contacts.md', org)).toEqual(['4'])
  await agree()
})

test('docs/guides/nightly-import.md imports a file once a day', async () => {
  const org = await app.newOrg()
  const once = ['succeeded: 20 created, 0 updated, 0 unchanged, 0 refused']
  expect(await linesOf('docs/guides/nightly-import.md', org)).toEqual(once)
  expect(await linesOf('docs/guides/nightly-import.md', org)).toEqual(once)
  expect((await org.get('/imports')).body.pagination.total).toBe(1)
})

test('docs/guides/agency-loop.md visits every client of the agency', async () => {
  const agency = await app.newAgency()
  for (const name of ['Northwind', 'Lantern Row']) await agency.post('/agency/clients', { name })
  const printed = await linesOf('docs/guides/agency-loop.md', agency)
  expect(printed.toSorted()).toEqual(['Lantern Row: 0', 'Northwind: 0'])
})

test('the program of docs/guides/push-leads.md pushes the contacts with a tag once a day', async () => {
  const org = await app.newOrg()
  for (const name of ['ada', 'grace'])
    await org.post('/contacts', { email: `${name}@example.com`, tags: ['vip'] })
  await org.post('/contacts', { email: 'alan@example.com' })
  const printed = await linesOf('docs/guides/push-leads.md', org)
  expect(printed).toEqual(['2 people: 2 new', 'succeeded: 2 created, 0 failed'])
})

test('docs/guides/review-duplicates.md merges a proposed pair, and undoes the merge', async () => {
  const printed = await linesOf('docs/guides/review-duplicates.md', await app.newOrg())
  expect(printed).toEqual([expect.stringMatching(/^A\S+ Lovelace and A\S+ Lovelace: applied$/), '2'])
})

test('docs/guides/call-people.md places a call, and does not call a suppressed number', async () => {
  const org = await app.newOrg()
  await org.post('/voice/numbers', { number: '+14155550123' })
  await org.post('/voice/suppressions', { number: '+12025550198' })
  expect(await linesOf('docs/guides/call-people.md', org)).toEqual(['completed, 1 s', 'wants no calls'])
})

test('docs/guides/errors-and-retries.md creates a contact once, and reports an address that is refused', async () => {
  const org = await app.newOrg({ limited: true })
  const printed = await linesOf('docs/guides/errors-and-retries.md', org)
  expect(printed).toEqual([
    'true',
    expect.stringMatching(/^refused: .*@-sign/),
    expect.stringMatching(/^50 9\d\d$/),
  ])
  expect((await org.get('/contacts')).body.pagination.total).toBe(1)
})

test('a program of the docs with a wrong key ends with the reason and without the key', async () => {
  const token = `svc_live_${'x'.repeat(36)}`
  const { code, stderr } = await runProgram('docs/guides/push-leads.md', { address: app.address, token })
  expect(code).toBe(1)
  expect(stderr).toContain('AuthenticationError')
  expect(stderr).not.toContain(token)
})

test('the program of docs/guides/connect-ai-hosts.md lists the tools of its API key, and finds a contact', async () => {
  const org = await app.newOrg()
  await org.post('/contacts', { first_name: 'Ada' })
  const reader = await app.newKey(org.orgId, { permissions: ['contacts:read'] })
  const [tools, found] = await linesOf('docs/guides/connect-ai-hosts.md', reader)
  expect(tools).toMatch(/search fetch .*get_record/)
  expect(tools).not.toContain('place_call')
  expect(found).toContain('Ada')
})
