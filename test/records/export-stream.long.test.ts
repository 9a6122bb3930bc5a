import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, sharedTestApp, type TestOrg } from '../support/app.ts'
import { withClient } from '../support/direct-sql.ts'
import { patience } from '../support/patience.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const exported = async (org: TestOrg, query: string): Promise<Answer> => {
  const answer = await org.get(`/contacts/export?${query}`)
  expect(answer.status, answer.text).toBe(200)
  return answer
}
const linesOf = (text: string) => text.split('\n').slice(0, -1)

const size = 2_600
let org: TestOrg

beforeAll(async () => {
  org = await app.newOrg()
  for (let start = 0; start < size; start += 500) {
    const items = Array.from({ length: Math.min(500, size - start) }, (_, index) => {
      const n = start + index
      return {
        ...{ first_name: `N${(n * 7919) % size}`, email: `p${n}@x.example`, tags: n % 2 ? ['odd'] : [] },
        ...{ city: n % 3 ? 'Oslo' : null, custom: { filling: 'x'.repeat(6_000), n } },
      }
    })
    expect((await org.post('/contacts/batch', { items })).status).toBe(200)
  }
  await withClient(app, (client) => client.query('analyze contact, contact_key'))
  await org.post('/contacts/batch', {
    items: (await org.get('/contacts?email[in]=p1@x.example,p2@x.example')).body.data.map(
      ({ contact_id }: { contact_id: string }) => ({ contact_id, action: 'archive' }),
    ),
  })
})

async function listed(query: string): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const path: string = `/contacts?fields=contact_id&limit=500&${query}${cursor && `&cursor=${cursor}`}`
    const { body }: Answer = await org.get(path)
    const { data, pagination } = body
    ids.push(...data.map(({ contact_id }: { contact_id: string }) => contact_id))
    cursor = pagination.next_cursor
  }
  return ids
}

test.each([
  ['', size - 2],
  ['sort=created_at', size - 2],
  ['sort=updated_at', size - 2],
  ['sort=name', size - 2],
  ['sort=-custom.n&city[ne]=Rome', size - 2],
  ['sort=-name&city=Oslo', null],
  ['city[is_null]=true&sort=-updated_at', null],
  ['tag=odd', null],
  ['tag=odd&sort=-name&custom.n[ne]=5', null],
  ['q=n1', null],
  ['q=n1&sort=name', null],
  ['archived=true', 2],
  ['updated_since=1', size - 2],
  ['email=nobody@x.example', 0],
])('an export with %o has the records of the list in its order', async (query, count) => {
  const { text } = await exported(org, `format=jsonl&fields=contact_id&${query}`)
  const ids = linesOf(text).map((line) => JSON.parse(line).contact_id)
  expect(ids).toEqual(await listed(query))
  if (count !== null) expect(ids).toHaveLength(count)
})

test('an exported file shows the state of one moment, even if records are written during the download', async () => {
  const slow = await begin(org)
  const { body } = await org.post('/contacts', { first_name: 'Later' })
  await org.post(`/contacts/${body.data.contact_id}/erase`)
  await withClient(app, (client) =>
    client.query(`update contact set city = 'Elsewhere' where org_id = $1`, [org.orgId]),
  )
  const lines = linesOf(await readRest(slow)).map((line) => JSON.parse(line))
  expect(lines).toHaveLength(size - 2)
  expect(lines.filter(({ city, first_name }) => city === 'Elsewhere' || first_name === 'Later')).toEqual([])
})

test('when a client disconnects during an export, the transaction of the export ends', async () => {
  const slow = await begin(org)
  await expect.poll(openTransactions, patience).toBe(1)
  slow.response.destroy()
  await expect.poll(openTransactions, patience).toBe(0)
  // PostgreSQL ends the transaction a moment before the server notices.
  await expect.poll(async () => (await org.get('/contacts/export?q=n1')).status, patience).toBe(200)
})

test('if the database fails during an export, the client sees that the file is incomplete', async () => {
  const slow = await begin(org)
  await withClient(app, (client) =>
    client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'crosswalk_app' and datname = current_database() and query like 'fetch%'`,
    ),
  )
  await expect(readRest(slow)).rejects.toThrow(/aborted|ECONNRESET/)
  await expect.poll(async () => (await org.get('/contacts/export?q=n1')).status, patience).toBe(200)
})

test('an organization has one export at a time', async () => {
  const others = await Promise.all([1, 2, 3].map(() => app.newOrg()))
  const slow = await begin(org)
  const refused = await org.get('/contacts/export')
  expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
    429,
    'export_limit_reached',
    '5',
  ])
  expect(refused.headers.get('content-disposition')).toBeNull()
  for (const other of others) await exported(other, '')
  slow.response.destroy()
  await expect.poll(async () => (await org.get('/contacts/export?q=n1')).status, patience).toBe(200)
})

test('an export ends with a reset soon after its key is deleted, and after its key may no longer read contacts', async () => {
  for (const act of ['delete', 'restrict']) {
    const key = await app.newKey(org.orgId)
    const slow = await begin(key)
    const path = `/api-keys/${key.apiKeyId}`
    await (act === 'delete' ? org.delete(path) : org.patch(path, { permissions: ['events:read'] }))
    await expect(readSlowly(slow), act).rejects.toThrow(/aborted|ECONNRESET/)
    await expect.poll(async () => (await org.get('/contacts/export?q=n1')).status, patience).toBe(200)
  }
})

test('HEAD of an export reads no record, and refuses the same requests as GET', async () => {
  const slow = await begin(org)
  const { status, headers } = await org.send('HEAD', '/contacts/export?format=jsonl')
  expect([status, headers.get('content-type')]).toEqual([200, 'application/x-ndjson'])
  expect(headers.get('content-disposition')).toContain('.jsonl"')
  expect((await org.send('HEAD', '/contacts/export?email=nobody')).status).toBe(422)
  slow.response.destroy()
  await expect.poll(openTransactions, patience).toBe(0)
})

type Slow = { response: IncomingMessage; start: string }

/** Begins an export and reads only the start. The rest waits in the server. */
async function begin(of: TestOrg): Promise<Slow> {
  const request = get(`${of.address}/api/v1/contacts/export?format=jsonl`, {
    // After an export, the buffers of a connection may be large enough for a whole file.
    agent: false,
    headers: { authorization: `Bearer ${of.token}` },
  })
  // The response reports the reset, too.
  request.on('error', () => {})
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  expect(response.statusCode).toBe(200)
  const [chunk] = await once(response, 'data')
  response.pause()
  return { response, start: chunk.toString() }
}

/** Reads the rest in about 10 s. */
async function readSlowly({ response }: Slow): Promise<void> {
  for await (const _chunk of response) await delay(40)
}

async function readRest({ response, start }: Slow): Promise<string> {
  let text = start
  for await (const chunk of response) text += chunk
  return text
}

const openTransactions = () =>
  withClient(app, async (client) => {
    const { rows } = await client.query(
      `select count(*)::int as n from pg_stat_activity
       where usename = 'crosswalk_app' and datname = current_database() and state like 'idle in transaction%'`,
    )
    return rows[0].n
  })
