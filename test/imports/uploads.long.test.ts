import { once } from 'node:events'
import { request } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { sweepOnce } from '../../src/imports/sweep.ts'
import { DatabaseUnavailable } from '../../src/platform/db/errors.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { system } from '../../src/platform/db/system.ts'
import { startTestApp } from '../support/app.ts'
import { importCounts, importCsv, streamCsv, uploadCsv } from '../support/csv-imports.ts'
import { withClient } from '../support/direct-sql.ts'
import { withShortTimeouts } from '../support/short-timeouts.ts'
import { zipOf } from '../support/xlsx.ts'

const megabyte = 1024 * 1024
const app = await startTestApp({ importMaxBytes: 24 * megabyte })
afterAll(() => app.close())

let before: Awaited<ReturnType<typeof importCounts>>
beforeEach(async () => {
  before = await importCounts(app)
})

/** Checks that the test left no row of an upload. */
async function expectNoTrace(): Promise<void> {
  expect(await importCounts(app)).toEqual(before)
}

const header = 'name,email\n'
const toSend = expect.stringMatching(/text\/csv.*\{"csv": .*"mapping": .*application\/json/)
const line = Buffer.from(`Ada,ada@example.com,${'x'.repeat(1000)}\n`)

function* endless(start: string): Generator<Uint8Array> {
  yield Buffer.from(start, 'latin1')
  const chunk = Buffer.concat(Array.from({ length: 64 }, () => line))
  for (;;) yield chunk
}

describe('an upload that is rejected at once leaves no rows in the database', () => {
  test.each<[string, string | Uint8Array, RegExp]>([
    ['an empty file', '', /empty/],
    ['a file of blank lines', '\n\r\n  ', /empty/],
    ['UTF-16 without a byte order mark', Buffer.from('name,email\n', 'utf16le'), /UTF-16.*UTF-8/],
    ['an unknown encoding', Buffer.from('pr\xe9nom\x81,email\n', 'latin1'), /neither UTF-8 nor Windows-1252/],
    [
      'an unknown encoding after 2 MiB of ASCII',
      Buffer.from(`${header}${'a,b\n'.repeat(megabyte / 2)}pr\xe9nom\x81`, 'latin1'),
      /neither UTF-8 nor Windows-1252/,
    ],
    ['a damaged xlsx', 'PK\x03\x04\x14\x06\x08', /spreadsheet/],
    ['a zip that is not a spreadsheet', zipOf([['a.txt', Buffer.from('a')]]), /not an .xlsx spreadsheet/],
    ['an xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /save it as \.xlsx/],
    ['gzip', Buffer.from('1f8b0800', 'hex'), /archive/],
    ['a header that does not end', `"${'x'.repeat(2 * megabyte)}`, /quote/],
    ['too many columns', 'a,'.repeat(1001), /the maximum is 1000/],
  ])('an upload of %s gets 422 with the reason', async (_what, file, says) => {
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
    ['a column that the file lacks', { Mail: 'email' }, /"Mail".*not a column.*"name", "email"/],
    ['a field that does not exist', { email: 'e-mail' }, /"e-mail".*not a field.*first_name/],
    ['two columns for one field', { name: 'city', email: 'city' }, /more than one column/],
  ])(
    'an upload whose mapping has %s is rejected, and leaves no rows in the database',
    async (_what, mapping, says) => {
      const org = await app.newOrg()
      const msg = expect.stringMatching(says)
      const asQuery = await uploadCsv(org, header, { mapping })
      expect(asQuery.status).toBe(422)
      expect(asQuery.body.detail).toMatchObject([{ loc: ['query', 'mapping'], msg }])
      const asBody = await org.post('/contacts/imports', { csv: header, mapping })
      expect(asBody.status).toBe(422)
      expect(asBody.body.detail).toMatchObject([{ loc: ['body', 'mapping'], msg }])
      await expectNoTrace()
    },
  )

  test.each(['nonsense', '[]', '"email"', '{"name":5}', 'null'])(
    'an upload with the mapping %s is rejected, and leaves no rows in the database',
    async (mapping) => {
      const org = await app.newOrg()
      const answer = await org.send('POST', `/contacts/imports?${new URLSearchParams({ mapping })}`, {
        raw: header,
        headers: { 'content-type': 'text/csv' },
      })
      expect(answer.status).toBe(422)
      const msg = expect.stringContaining('JSON object')
      expect(answer.body.detail).toMatchObject([{ loc: ['query', 'mapping'], msg }])
      await expectNoTrace()
    },
  )

  test('a long stream that is not CSV is rejected while the client still sends, and leaves no rows in the database', async () => {
    const org = await app.newOrg()
    const { status, text, sent } = await streamCsv(org, endless('\x1f\x8b'))
    expect(status).toBe(422)
    expect(JSON.parse(text).detail[0].msg).toContain('archive')
    expect(sent).toBeLessThan(20 * megabyte)
    await expectNoTrace()
  })

  test('a body that is neither CSV nor import JSON is rejected, and leaves no rows in the database', async () => {
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

describe('size limits', () => {
  test('a spreadsheet of more than 16 MiB gets 413', async () => {
    const org = await app.newOrg()
    const { status, text } = await streamCsv(org, endless('PK\x03\x04'))
    expect([status, JSON.parse(text).detail]).toEqual([413, expect.stringContaining('larger than 16 MiB')])
    await expectNoTrace()
  })

  test('a file over the limit gets 413, and leaves no rows in the database', async () => {
    const small = await startTestApp({ importMaxBytes: 100 }, app)
    const org = await small.newOrg()
    expect((await importCsv(org, header.padEnd(100, ' '))).counts.rows_read).toBe(0)
    before = await importCounts(app)
    const answer = await uploadCsv(org, header.padEnd(101, ' '))
    expect(answer.status).toBe(413)
    expect(answer.body.detail).toMatch(/100 bytes.*IMPORT_MAX_BYTES/)
    await expectNoTrace()
    await small.close()
  })

  test('a file over the limit gets 413 before it is sent if the client announces the length', async () => {
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

  test('a JSON body of more than 10 MiB gets 413', async () => {
    const org = await app.newOrg()
    const answer = await org.post('/contacts/imports', { csv: header.padEnd(10 * megabyte, ' ') })
    expect(answer.status).toBe(413)
    await expectNoTrace()
  })

  test('an endless file is cut off at the limit, and its upload uses less than 16 MiB of memory', async () => {
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
        if (++count % 64 === 0) most = Math.max(most, used() - start)
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

test('an upload whose server was killed is deleted after a day', async () => {
  const org = await app.newOrg()
  const abandoned = crypto.randomUUID()
  await app.operate(async (tx) => {
    await tx.run(sql`
      insert into import (org_id, import_id, entity, status, mode, created_at)
      values (${org.orgId}, ${abandoned}, 'contact', 'uploading', 'live', now() - interval '25 hours')`)
    await tx.run(sql`
      insert into import_piece (org_id, import_id, piece, bytes) values (${org.orgId}, ${abandoned}, 0, ${line})`)
  })
  expect((await org.get(`/imports/${abandoned}`)).body.data.status).toBe('uploading')
  // The upload is deleted even if its org imports nothing more.
  await sweepOnce(system(app.app.context.database), app.app.context)
  expect((await org.get(`/imports/${abandoned}`)).status).toBe(404)
  expect((await importCounts(app)).pieces).toBe(before.pieces)
})

test('an import whose command was killed fails after a day, and its records are checked for duplicates', async () => {
  const [held, other] = [await app.newOrg(), await app.newOrg()]
  const ids: string[] = []
  for (const org of [held, other]) ids.push((await importCsv(org, 'email\nada@example.com\n')).import_id)
  const checks = sql`select from duplicate_check where import_id = ${ids[1]}`
  await app.operate(async (tx) => {
    await tx.run(sql`
      update import set status = 'running', finished_at = null, progressed_at = now() - interval '25 hours'
      where import_id = any(${ids}::uuid[])`)
    await tx.run(sql`delete from duplicate_check where import_id = any(${ids}::uuid[])`)
  })
  await withClient(app, async (client) => {
    await client.query('begin')
    await client.query('select from import where import_id = $1 for update', [ids[0]])
    await withShortTimeouts(app, (context) =>
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

test('the list of imports does not contain uploads, and cannot be asked for them', async () => {
  const org = await app.newOrg()
  await withClient(app, (client) =>
    client.query(
      `insert into import (org_id, import_id, entity, status, mode, created_at)
       values ($1, gen_random_uuid(), 'contact', 'uploading', 'live', now())`,
      [org.orgId],
    ),
  )
  expect((await org.get('/imports')).body).toMatchObject({ data: [], pagination: { total: 0 } })
  expect((await org.get('/imports?status=uploading')).status).toBe(422)
})
