import { Client } from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { createLog } from '../../src/platform/log.ts'
import { findPooler, requireFittingPooler } from '../../src/platform/setup/pooler.ts'
import { startTestApp } from '../support/app.ts'
import { StandInPooler } from './stand-in-pooler.ts'

const direct = await startTestApp()
const pooler = await StandInPooler.start(direct.databaseUrl)
const app = await startTestApp({}, { databaseUrl: pooler.url }, createLog('silent'), {})
afterAll(async () => {
  await app.close()
  await pooler.close()
  await direct.close()
})

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return client
}

describe('session mode', () => {
  test('the API reads and writes behind a connection pooler in session mode', async () => {
    const org = await app.newOrg()
    expect((await org.post('/contacts', { last_name: 'Lovelace' })).status).toBe(201)
    expect((await org.get('/contacts')).body.pagination.total).toBe(1)
  })

  test.each([
    ['search_path', 'public'],
    ['statement_timeout', '15s'],
    ['lock_timeout', '10s'],
    ['idle_in_transaction_session_timeout', '1min'],
    ['max_parallel_workers_per_gather', '0'],
  ])('behind a connection pooler in session mode, %s is set', async (name, value) => {
    const org = await app.newOrg()
    const rows = await app.app.context.database
      .org(org.orgId)
      .read((tx) => tx.rows({ text: 'select current_setting($1) as value', values: [name] }))
    expect(rows).toEqual([{ value }])
  })
})

describe('detection of a connection pooler', () => {
  test.each([
    ['none', () => direct.databaseUrl],
    ['session', () => pooler.url],
  ])('the check for a connection pooler finds the kind %s', async (kind, url) => {
    const client = await connect(url())
    expect(await findPooler(client, () => connect(url()))).toBe(kind)
    await client.end()
  })

  test('the check for a connection pooler refuses a pooler in transaction mode', async () => {
    const client = await connect(pooler.url)
    // Two clients on one PostgreSQL process, as with PgBouncer in transaction mode.
    const second = { query: client.query.bind(client), end: async () => {} } as unknown as Client
    await expect(requireFittingPooler(client, async () => second, null)).rejects.toThrow(
      'pool_mode = session',
    )
    await client.end()
  })
})
