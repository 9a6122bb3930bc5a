import { afterAll, expect, test } from 'vitest'
import { type Answer, startTestApp, type TestOrg } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { dumpTables, untilBlocked, withClient } from '../support/direct-sql.ts'
import { newLiveForm, sendForm } from '../support/form-pages.ts'
import { merge } from '../support/merges.ts'

const app = await startTestApp({ trustProxy: true })
afterAll(() => app.close())

const post = (org: TestOrg, path: string, body: unknown, key: string): Promise<Answer> =>
  org.post(path, body, { headers: { 'idempotency-key': key } })

const planted = { first_name: 'Zebedeeplanted', email: 'zebedee@planted.example' }

/** Checks that a retry is refused with a reason and has no effect. */
async function expectErased(org: TestOrg, path: string, body: unknown, key: string): Promise<void> {
  const before = (await org.get('/events?limit=100')).body.data.length
  const retry = await post(org, path, body, key)
  expect([retry.status, retry.body.detail]).toEqual([409, expect.stringMatching(/took effect.*erased since/)])
  expect([retry.headers.get('retry-after'), retry.headers.get('idempotent-replayed')]).toEqual([null, null])
  expect((await org.get('/events?limit=100')).body.data).toHaveLength(before)
}

test('erasing a contact blanks stored answers about the contact, and a retry does not create the contact again', async () => {
  const org = await app.newOrg()
  const upsert = { match_on: 'email', ...planted }
  const { contact_id: id } = (await post(org, '/contacts', planted, 'a')).body.data
  await post(org, '/contacts/upsert', upsert, 'b')
  await org.delete(`/contacts/${id}`)
  await post(org, `/contacts/${id}/restore`, undefined, 'c')
  const kept = await post(org, '/contacts', { first_name: 'Kept' }, 'd')
  expect(await dumpTables(app)).toContain('planted')
  const erased = await post(org, `/contacts/${id}/erase`, undefined, 'e')
  expect(erased.status).toBe(200)
  expect(await dumpTables(app)).not.toContain('planted')
  const bytea = Buffer.from('planted').toString('hex')
  expect(await dumpTables(app)).not.toContain(bytea)
  const rows = await runAsOwner<{ erased: boolean; fingerprint: Buffer; body: Buffer | null }>(
    app.databaseUrl,
    'select erased, fingerprint, body from idempotency_key where org_id = $1 and erased',
    [org.orgId],
  )
  expect(rows).toEqual(Array(3).fill({ erased: true, fingerprint: Buffer.alloc(0), body: null }))
  await expectErased(org, '/contacts', planted, 'a')
  await expectErased(org, '/contacts/upsert', upsert, 'b')
  await expectErased(org, `/contacts/${id}/restore`, undefined, 'c')
  expect((await post(org, '/contacts', { first_name: 'Kept' }, 'd')).text).toBe(kept.text)
  expect((await post(org, `/contacts/${id}/erase`, undefined, 'e')).text).toBe(erased.text)
  expect((await org.get('/contacts')).body.pagination.total).toBe(1)
})

test('erasing a contact blanks stored answers about contacts that were merged into it', async () => {
  const org = await app.newOrg()
  const { contact_id: loser } = (await post(org, '/contacts', planted, 'a')).body.data
  const { contact_id: survivor } = (await post(org, '/contacts', { first_name: 'Survivor' }, 'b')).body.data
  await merge(org, 'contact', survivor, loser)
  await org.post(`/contacts/${survivor}/erase`)
  await expectErased(org, '/contacts', planted, 'a')
  await expectErased(org, '/contacts', { first_name: 'Survivor' }, 'b')
})

test('erasing a company blanks stored answers about the company', async () => {
  const org = await app.newOrg()
  const { company_id: id } = (await post(org, '/companies', { name: 'Nameplanted' }, 'a')).body.data
  await org.post(`/companies/${id}/erase`)
  await expectErased(org, '/companies', { name: 'Nameplanted' }, 'a')
})

test('erasing a contact blanks stored answers about survivors that showed the data of the contact', async () => {
  const org = await app.newOrg()
  const idOf = async (fields: object) => (await org.post('/contacts', fields)).body.data.contact_id as string
  const loser = await idOf(planted)
  const middle = await idOf({ first_name: 'Middle', email: 'middle@kept.example' })
  const third = await idOf({ first_name: 'Third', email: 'third@kept.example' })
  const [link] = await merge(org, 'contact', middle, loser)
  const upsert = { match_on: 'email', email: 'middle@kept.example', city: 'Bern' }
  expect((await post(org, '/contacts/upsert', upsert, 'a')).text).toContain('zebedee@planted.example')
  const order = { entity_type: 'contact', survivor_id: third, loser_ids: [middle] }
  expect((await post(org, '/duplicates/merge', order, 'b')).text).toContain('zebedee@planted.example')
  const byThird = { match_on: 'email', email: 'third@kept.example', city: 'Bern' }
  expect((await post(org, '/contacts/upsert', byThird, 'c')).text).toContain('zebedee@planted.example')
  await org.post(`/duplicates/undo-merge/${link!.merge_id}`)
  await org.post(`/contacts/${loser}/erase`)
  await expectErased(org, '/contacts/upsert', upsert, 'a')
  await expectErased(org, '/duplicates/merge', order, 'b')
  await expectErased(org, '/contacts/upsert', byThird, 'c')
  const bytea = Buffer.from('planted').toString('hex')
  expect(await dumpTables(app)).not.toContain(bytea)
})

test.each([false, true])(
  'erasing a contact blanks the stored answer of a dry run that showed it (undoing: %j)',
  async (undoes) => {
    const org = await app.newOrg()
    const { contact_id: loser } = (await org.post('/contacts', planted)).body.data
    const { contact_id: survivor } = (await org.post('/contacts', { first_name: 'Survivor' })).body.data
    const [merged] = undoes ? await merge(org, 'contact', survivor, loser) : []
    const path = merged ? `/duplicates/undo-merge/${merged.merge_id}` : '/duplicates/merge'
    const order = merged ? {} : { entity_type: 'contact', survivor_id: survivor, loser_ids: [loser] }
    const body = { ...order, dry_run: true }
    const [trying, erasing] = await withClient(app, async (client) => {
      await client.query('begin')
      // The trigger makes storing an answer fail, but not erasing answers.
      await client.query('lock table idempotency_object in share mode')
      const dryRun = post(org, path, body, 'a')
      await untilBlocked(client)
      const erased = org.post(`/contacts/${loser}/erase`)
      await Promise.race([erased, untilBlocked(client, 2)])
      return [dryRun, erased]
    })
    expect((await trying).text).toContain('Zebedeeplanted')
    expect((await erasing).status).toBe(200)
    await expectErased(org, path, body, 'a')
    expect(await dumpTables(app)).not.toContain(Buffer.from('planted').toString('hex'))
  },
)

test('the preview of a push is not stored, so nothing of its sample is left when the contact is erased', async () => {
  const org = await app.newOrg()
  const { contact_id: id } = (await org.post('/contacts', planted)).body.data
  const connection = await org.post('/integrations/crm-sync/connections', { provider: 'sandbox' })
  const body = { connection_id: connection.body.data.connection_id, contact_ids: [id] }
  for (const kind of ['leads', 'contacts']) {
    const path = `/integrations/crm-sync/${kind}/previews`
    expect((await post(org, path, body, kind)).text).toContain('zebedee@planted.example')
  }
  await org.post(`/contacts/${id}/erase`)
  expect(await dumpTables(app)).not.toContain(Buffer.from('planted').toString('hex'))
})

test('erasing the contact of a form blanks the stored answer about a submission that was spam in the meantime', async () => {
  const org = await app.newOrg()
  await sendForm(app, await newLiveForm(org), {
    answers: { email: planted.email, name: planted.first_name },
    anonymousId: 'a1',
    honeypot: 'x',
  })
  const [{ submission_id: id }] = (await org.get('/forms/submissions')).body.data
  const path = `/forms/submissions/${id}`
  expect((await post(org, `${path}/spam`, undefined, 'a')).text).toContain('zebedee@planted.example')
  const restored = await post(org, `${path}/restore`, undefined, 'b')
  await org.post(`/contacts/${restored.body.data.contact_id}/erase`)
  await expectErased(org, `${path}/spam`, undefined, 'a')
  expect(await dumpTables(app)).not.toContain(Buffer.from('planted').toString('hex'))
})
