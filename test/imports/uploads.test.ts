import { once } from 'node:events'
import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { sweepOnce } from '../../src/imports/sweep.ts'
import { linkOrgs, unlinkOrgs } from '../../src/orgs/operator.ts'
import { DatabaseUnavailable } from '../../src/platform/db/errors.ts'
import { system } from '../../src/platform/db/system.ts'
import { startTestApp, type TestOrg } from '../support/app.ts'
import { importCsv, streamCsv, traces, uploadCsv } from '../support/csv-imports.ts'
import { withClient } from '../support/direct-sql.ts'
import { withHurriedDatabase } from '../support/hurried-database.ts'
import { patience } from '../support/patience.ts'

const megabyte = 1024 * 1024
const app = await startTestApp({ importMaxBytes: 24 * megabyte })
afterAll(() => app.close())

let before: Awaited<ReturnType<typeof traces>>
beforeEach(async () => {
  before = await traces(app)
})

/** Nothing is there that was not there before the test. */
async function expectNoTrace(): Promise<void> {
  expect(await traces(app)).toEqual(before)
}

const header = 'name,email\n'
const toSend = expect.stringMatching(/text\/csv.*\{"csv": .*"mapping": .*application\/json/)
const line = Buffer.from(`Ada,ada@example.com,${'x'.repeat(1000)}\n`)

function* endless(start: string): Generator<Uint8Array> {
  yield Buffer.from(start)
  const chunk = Buffer.concat(Array.from({ length: 64 }, () => line))
  for (;;) yield chunk
}

describe('refused at once, and without a trace:', () => {
  test.each<[string, string | Uint8Array, RegExp]>([
    ['an empty file', '', /empty/],
    ['a file of blank lines', '\n\r\n  ', /empty/],
    ['UTF-16', Buffer.from('\ufeffname,email\n', 'utf16le'), /UTF-16.*UTF-8/],
    ['Latin-1', Buffer.from('prénom,email\n', 'latin1'), /UTF-8/],
    ['an xlsx', 'PK\x03\x04\x14\x06\x08', /spreadsheet/],
    ['an xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /spreadsheet/],
    ['gzip', Buffer.from('1f8b0800', 'hex'), /archive/],
    ['a header without end', `"${'x'.repeat(2 * megabyte)}`, /quote/],
    ['too many columns', 'a,'.repeat(1001), /the maximum is 1000/],
  ])('%s', async (_what, file, says) => {
    const org = await app.newOrg()
    const problem = { type: 'value_error', msg: expect.stringMatching(says) }
    const answer = await uploadCsv(org, file)
    expect(answer.status).toBe(422)
    expect(answer.body.detail).toMatchObject([{ ...problem, loc: ['body'] }])
    if (typeof file === 'string' && file !== '') {
      const asJson = await org.post('/contacts/imports', { csv: file })
      expect(asJson.status).toBe(422)
      expect(asJson.body.detail).toMatchObject([{ ...problem, loc: ['body', 'csv'] }])
    }
    expect((await org.get('/imports')).body.pagination.total).toBe(0)
    await expectNoTrace()
  })

  test.each<[string, object, RegExp]>([
    ['a column that the file lacks', { Mail: 'email' }, /"Mail".*no column.*"name", "email"/],
    ['a field that there is not', { email: 'e-mail' }, /"e-mail".*no field.*first_name/],
    ['two columns for one field', { name: 'city', email: 'city' }, /more than one column/],
  ])('a mapping with %s', async (_what, mapping, says) => {
    const org = await app.newOrg()
    const msg = expect.stringMatching(says)
    const asQuery = await uploadCsv(org, header, { mapping })
    expect(asQuery.status).toBe(422)
    expect(asQuery.body.detail).toMatchObject([{ loc: ['query', 'mapping'], msg }])
    const asBody = await org.post('/contacts/imports', { csv: header, mapping })
    expect(asBody.status).toBe(422)
    expect(asBody.body.detail).toMatchObject([{ loc: ['body', 'mapping'], msg }])
    await expectNoTrace()
  })

  test.each(['nonsense', '[]', '"email"', '{"name":5}', 'null'])('the mapping %s', async (mapping) => {
    const org = await app.newOrg()
    const answer = await org.send('POST', `/contacts/imports?${new URLSearchParams({ mapping })}`, {
      raw: header,
      headers: { 'content-type': 'text/csv' },
    })
    expect(answer.status).toBe(422)
    const msg = expect.stringContaining('JSON object')
    expect(answer.body.detail).toMatchObject([{ loc: ['query', 'mapping'], msg }])
    await expectNoTrace()
  })

  test('what is no CSV of a long stream: the client hears of it, though it still sends', async () => {
    const org = await app.newOrg()
    const { status, text, sent } = await streamCsv(org, endless('PK\x03\x04'))
    expect(status).toBe(422)
    expect(JSON.parse(text).detail[0].msg).toContain('spreadsheet')
    expect(sent).toBeLessThan(20 * megabyte)
    await expectNoTrace()
  })

  test('a body that is neither', async () => {
    const org = await app.newOrg()
    const types = ['text/plain', 'text/csvx', 'multipart/form-data; boundary=x']
    for (const type of [...types, 'application/x-www-form-urlencoded']) {
      const answer = await uploadCsv(org, header, { headers: { 'content-type': type } })
      const detail = { type: 'model_attributes_type', loc: ['body'], ctx: { expected: toSend } }
      expect([answer.status, answer.body.detail]).toEqual([422, [expect.objectContaining(detail)]])
    }
    const asJson = await uploadCsv(org, header, { headers: { 'content-type': 'application/json' } })
    const unread = { type: 'json_invalid', ctx: { error: 'Expecting value', expected: toSend } }
    expect([asJson.status, asJson.body.detail]).toMatchObject([422, [unread]])
    const none = await org.post('/contacts/imports')
    expect([none.status, none.body.detail]).toMatchObject([
      422,
      [{ type: 'missing', ctx: { expected: toSend } }],
    ])
    for (const body of [{}, { csv: 5 }, { csv: '' }]) {
      const answer = await org.post('/contacts/imports', body)
      expect(answer.status).toBe(422)
      expect(answer.body.detail).toMatchObject([{ loc: ['body', 'csv'] }])
    }
    await expectNoTrace()
  })
})

describe('a file over the limit', () => {
  test('is refused, and leaves no trace', async () => {
    const small = await startTestApp({ importMaxBytes: 100 }, app)
    const org = await small.newOrg()
    expect((await importCsv(org, header.padEnd(100, ' '))).status).toBe('succeeded')
    before = await traces(app)
    const answer = await uploadCsv(org, header.padEnd(101, ' '))
    expect(answer.status).toBe(413)
    expect(answer.body.detail).toMatch(/100 bytes.*IMPORT_MAX_BYTES/)
    await expectNoTrace()
    await small.close()
  })

  test('that says so is refused before it comes', async () => {
    const org = await app.newOrg()
    const sending = request(`${app.address}/contacts/imports`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${org.token}`,
        'content-type': 'text/csv',
        'content-length': 24 * megabyte + 1,
      },
    })
    sending.flushHeaders()
    const [response] = await once(sending, 'response')
    expect(response.statusCode).toBe(413)
    sending.on('error', () => {}).destroy()
    await expectNoTrace()
  })

  test('as JSON has the limit of the body', async () => {
    const org = await app.newOrg()
    const answer = await org.post('/contacts/imports', { csv: header.padEnd(10 * megabyte, ' ') })
    expect(answer.status).toBe(413)
    await expectNoTrace()
  })

  test('that never ends is cut off there, with memory for some pieces only', async () => {
    const org = await app.newOrg()
    setFlagsFromString('--expose-gc')
    const collectGarbage = runInNewContext('gc') as () => void
    const used = () => {
      collectGarbage()
      return process.memoryUsage().arrayBuffers
    }
    const start = used()
    let [count, most] = [0, 0]
    function* watched() {
      for (const chunk of endless(header)) {
        if (++count % 32 === 0) most = Math.max(most, used() - start)
        yield chunk
      }
    }
    const { status, text, sent } = await streamCsv(org, watched())
    expect(status).toBe(413)
    expect(JSON.parse(text).detail).toContain('IMPORT_MAX_BYTES')
    expect(sent).toBeGreaterThan(24 * megabyte)
    expect(sent).toBeLessThan(40 * megabyte)
    expect(most).toBeLessThan(16 * megabyte)
    await expectNoTrace()
  })
})

test('a client that breaks off in the middle leaves no trace', async () => {
  const org = await app.newOrg()
  const sending = request(`${app.address}/contacts/imports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${org.token}`, 'content-type': 'text/csv' },
  })
  sending.on('error', () => {})
  sending.write(Buffer.concat([Buffer.from(header), Buffer.alloc(2 * megabyte, line)]))
  await expect.poll(async () => (await traces(app)).pieces, patience).toBeGreaterThan(before.pieces)
  sending.destroy()
  await expect.poll(() => traces(app), patience).toEqual(before)
  expect((await org.get('/contacts')).body.pagination.total).toBe(0)
})

describe('an upload that goes on while its key', () => {
  type TakeAway = (key: TestOrg, admin: TestOrg, client: TestOrg) => Promise<unknown>
  test.each<[string, TakeAway, number, RegExp]>([
    ['is deleted', (key, admin) => admin.delete(`/api-keys/${key.apiKeyId}`), 401, /deleted/],
    [
      'loses the permission',
      (key, admin) => admin.patch(`/api-keys/${key.apiKeyId}`, { permissions: ['contacts:read'] }),
      403,
      /contacts:write/,
    ],
    [
      'loses the client',
      (key, _admin, client) => app.operate((tx) => unlinkOrgs(tx, key.orgId, client.orgId)),
      403,
      /no longer a client of this agency/,
    ],
  ])('%s is refused, and leaves no trace', async (_what, takeAway, status, says) => {
    const [agency, client] = [await app.newAgency(), await app.newOrg()]
    const admin = await app.newKey(agency.orgId)
    await app.operate((tx) => linkOrgs(tx, agency.orgId, client.orgId))
    const sending = request(`${app.address}/contacts/imports`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${agency.token}`,
        'x-target-org-id': client.orgId,
        'content-type': 'text/csv',
      },
    })
    sending.write(header)
    await expect.poll(async () => (await traces(app)).imports, patience).toBe(before.imports + 1)
    await takeAway(agency, admin, client)
    sending.end('Ada,ada@example.com\n')
    const [response] = await once(sending, 'response')
    expect(response.statusCode).toBe(status)
    expect(await json(response)).toEqual({ detail: expect.stringMatching(says) })
    await expectNoTrace()
  })
})

test('what a server that was killed had taken in is gone a day later', async () => {
  const org = await app.newOrg()
  const abandoned = crypto.randomUUID()
  await app.operate(async (tx) => {
    await tx.run({
      text: `insert into import (org_id, import_id, entity, status, mode, created_at)
        values ($1, $2, 'contact', 'uploading', 'live', now() - interval '25 hours')`,
      values: [org.orgId, abandoned],
    })
    await tx.run({
      text: 'insert into import_piece (org_id, import_id, piece, bytes) values ($1, $2, 0, $3)',
      values: [org.orgId, abandoned, line],
    })
  })
  expect((await org.get(`/imports/${abandoned}`)).body.data.status).toBe('uploading')
  // Whether the org ever imports anything again or not.
  await sweepOnce(system(app.app.context.database), app.app.context)
  expect((await org.get(`/imports/${abandoned}`)).status).toBe(404)
  expect((await traces(app)).pieces).toBe(before.pieces)
})

test('what a command that was killed had imported ends a day later, and is looked at for duplicates', async () => {
  const [held, other] = [await app.newOrg(), await app.newOrg()]
  const ids: string[] = []
  for (const org of [held, other]) ids.push((await importCsv(org, 'email\nada@example.com\n')).import_id)
  const checks = { text: 'select from duplicate_check where import_id = $1', values: [ids[1]] }
  await app.operate(async (tx) => {
    const text = `update import set status = 'running', finished_at = null, progressed_at = now() - interval '25 hours'
      where import_id = any($1)`
    await tx.run({ text, values: [ids] })
    await tx.run({ text: 'delete from duplicate_check where import_id = any($1)', values: [ids] })
  })
  await withClient(app, async (client) => {
    await client.query('begin')
    await client.query('select from import where import_id = $1 for update', [ids[0]])
    await withHurriedDatabase(app, (context) =>
      expect(sweepOnce(system(context.database), context)).rejects.toThrow(DatabaseUnavailable),
    )
  })
  const { status, error } = (await other.get(`/imports/${ids[1]}`)).body.data
  expect([status, error]).toEqual([
    'failed',
    { code: 'interrupted', message: expect.stringContaining('can be reverted') },
  ])
  expect(await app.operate((tx) => tx.rows(checks))).toHaveLength(1)
  expect((await held.get(`/imports/${ids[0]}`)).body.data.status).toBe('running')
})

test('an upload that broke off is no import', async () => {
  const org = await app.newOrg()
  await withClient(app, (client) =>
    client.query(
      `insert into import (org_id, import_id, entity, status, mode, created_at)
       values ($1, gen_random_uuid(), 'contact', 'uploading', 'live', now())`,
      [org.orgId],
    ),
  )
  expect((await org.get('/imports')).body).toMatchObject({ data: [], pagination: { total: 0 } })
})
