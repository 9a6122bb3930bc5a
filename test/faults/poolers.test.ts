import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { PooledAddress, PoolerMode } from '../../src/platform/db/address.ts'
import { createLog } from '../../src/platform/log.ts'
import { inspectDatabase } from '../../src/platform/setup/inspect.ts'
import type { Pooler } from '../../src/platform/setup/pooler.ts'
import { prepareDatabase } from '../../src/prepare-database.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { testKey } from '../support/database.ts'
import { newOwnedDatabase, silent } from '../support/each-postgres.ts'
import { OwnPgBouncer, type PoolMode, pgBouncerOrSkip } from '../support/own-pgbouncer.ts'
import { installedPostgres, OwnPostgres } from '../support/own-postgres.ts'
import { patience } from '../support/patience.ts'
import { cleanUp, command, startServer } from '../support/processes.ts'
import { call, everyEndpoint, makeObject, makeParams } from '../support/walk.ts'
import { expectWithin } from '../support/within.ts'

const program = pgBouncerOrSkip()
const [installed] = installedPostgres()
const limits = { statementTimeoutMs: 1_000, connectionWaitMs: patience.timeout }

describe.runIf(program && installed)('PgBouncer of Debian, with its default settings', () => {
  let postgres: OwnPostgres
  let bouncer: OwnPgBouncer
  let direct: string
  const apps: Partial<Record<PoolerMode, TestApp>> = {}

  beforeAll(async () => {
    postgres = await OwnPostgres.create(installed!)
    direct = await newOwnedDatabase(postgres, 'owner', 'createrole')
    await postgres.run('postgres', 'create database elsewhere owner owner')
    bouncer = await OwnPgBouncer.create(program!, postgres, 'crosswalk')
    const [session, transaction] = [bouncer.url(direct, 'session'), bouncer.url(direct, 'transaction')]
    apps.session = await startTestApp({ databaseUrl: session }, { databaseUrl: session }, silent, limits)
    apps.transaction = await startTransactionApp(transaction)
  })
  afterAll(async () => {
    await Promise.all(Object.values(apps).map((app) => app.close({ leavesJobs: true })))
    await bouncer?.remove()
    await postgres?.remove()
    await cleanUp()
  })

  const startTransactionApp = (databaseUrl: string) =>
    startTestApp(
      { databaseUrl, directDatabaseUrl: direct, pooler: 'transaction' },
      { databaseUrl: direct },
      createLog('warn'),
      limits,
    )

  const modes: PoolerMode[] = ['session', 'transaction']

  test.each(modes)('behind a pooler in %s mode, each transaction has its limits', async (mode) => {
    const app = apps[mode]!
    const { orgId } = await app.newOrg()
    const org = app.app.context.database.org(orgId)
    const text = `select current_setting('search_path') as path, current_setting('statement_timeout') as statement,
      current_setting('lock_timeout') as lock, current_setting('idle_in_transaction_session_timeout') as idle`
    const set = { path: 'public', statement: '1s', lock: '10s', idle: '1min' }
    const statement = { text, values: [] }
    expect(await org.readRows(statement)).toEqual([set])
    expect(await org.read((tx) => tx.rows(statement))).toEqual([set])
    expect(await org.transact((tx) => tx.rows(statement))).toEqual([set])
    const tooLong = { text: 'select pg_sleep(60)', values: [] }
    await expect(org.readRows(tooLong)).rejects.toThrow('statement timeout')
    await expect(org.transact((tx) => tx.rows(tooLong))).rejects.toThrow('statement timeout')
  })

  test.each(modes)('behind a pooler in %s mode, the jobs of an organization run', async (mode) => {
    const org = await apps[mode]!.newOrg()
    const connection_id = await makeObject('connection_id', org)
    const contact = await org.post('/contacts', { email: `${randomUUID()}@example.com` })
    const body = { connection_id, contact_ids: [contact.body.data.contact_id] }
    const { job_id: id } = (await org.post('/integrations/crm-sync/leads/push', body)).body
    await vi.waitFor(
      async () => expect((await org.get(`/integrations/crm-sync/jobs/${id}`)).body.status).toBe('succeeded'),
      patience,
    )
  })

  test.each(modes)(
    'behind a pooler in %s mode, a deleted API key gets 401 within 2 s on another node',
    async (mode) => {
      const org = await apps[mode]!.newOrg()
      const other = apps[modes.find((each) => each !== mode)!]!
      const key = (await other.client(org.token).post('/api-keys', { name: 'Short' })).body
      const client = apps[mode]!.client(key.api_key_token)
      expect((await client.get('/contacts')).status).toBe(200)
      expect((await other.client(org.token).delete(`/api-keys/${key.api_key_id}`)).status).toBe(204)
      await expectWithin(2_000, async () => (await client.get('/contacts')).status, 401)
    },
  )

  test('behind a pooler in transaction mode, every endpoint answers its example', async () => {
    const app = apps.transaction!
    // The claims of visitors share a state in the tests' code, so one after another.
    const left = everyEndpoint.filter(([name]) => !name.includes('claims'))
    const claims = everyEndpoint.filter(([name]) => name.includes('claims'))
    const failed: unknown[] = []
    const walk = async (list: typeof left) => {
      for (let next = list.shift(); next; next = list.shift()) {
        const [name, endpoint] = next
        const org = await app.newAgency()
        const answer = await call(endpoint, org, await makeParams(endpoint, org))
        if (answer.status >= 400) failed.push([name, answer.status, answer.text])
      }
    }
    await Promise.all([...Array.from({ length: 7 }, () => walk(left)), walk(claims)])
    expect(failed).toEqual([])
  })

  test('behind a pooler in transaction mode, no setting and no prepared statement stays on a connection', async () => {
    const client = new Client({ connectionString: bouncer.url(direct, 'transaction') })
    await client.connect()
    const { rows } = await client.query(
      `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
         current_setting('search_path') as path, (select count(*) from pg_prepared_statements) as prepared`,
    )
    await client.end()
    expect(rows).toEqual([{ statement: '0', lock: '0', path: '"$user", public', prepared: 0 }])
  })

  describe('a wrong set-up', () => {
    const pooledBy = (mode: PoolMode): PooledAddress => ({
      url: bouncer.url(direct, mode),
      mode: mode === 'session' ? 'session' : 'transaction',
    })
    const setUps: [string, () => [string, PooledAddress | null], RegExp, Pooler][] = [
      [
        'a pooler in transaction mode without POOLER',
        () => [pooledBy('transaction').url, null],
        /Set POOLER=transaction/,
        'transaction',
      ],
      [
        'DIRECT_DATABASE_URL without POOLER',
        () => [direct, { ...pooledBy('transaction'), mode: 'session' }],
        /Set POOLER=transaction/,
        'transaction',
      ],
      [
        'a pooler in DIRECT_DATABASE_URL',
        () => [pooledBy('transaction').url, pooledBy('transaction')],
        /^DIRECT_DATABASE_URL leads to a connection pooler/,
        'transaction',
      ],
      [
        'a pooler in statement mode',
        () => [direct, pooledBy('statement')],
        /pool_mode = transaction/,
        'statement',
      ],
      [
        'a pooler in statement mode without POOLER',
        () => [pooledBy('statement').url, null],
        /pool_mode = transaction/,
        'statement',
      ],
      [
        'another database',
        () => [postgres.url('elsewhere', 'owner'), pooledBy('transaction')],
        /lead to different databases/,
        'transaction',
      ],
    ]
    test.each(setUps)('%s stops the start, and doctor names it', async (_name, addresses, fault, pooler) => {
      const [url, pooled] = addresses()
      await expect(prepareDatabase(url, testKey, silent, null, { pooled })).rejects.toThrow(fault)
      expect(await inspectDatabase(url, pooled)).toMatchObject({
        pooler,
        poolerFault: expect.stringMatching(fault),
      })
    })

    test('the right set-up has no fault', async () => {
      expect(await inspectDatabase(direct, pooledBy('transaction'))).toMatchObject({
        pooler: 'transaction',
        poolerFault: null,
      })
      expect(await inspectDatabase(direct, pooledBy('session'))).toMatchObject({
        pooler: 'session',
        poolerFault: null,
      })
    })

    test('the server stops with a message, and doctor ends with status 1', async () => {
      const env = {
        DATABASE_URL: pooledBy('transaction').url,
        ENCRYPTION_KEY: testKey.toString('base64'),
      }
      const [started, examined] = await Promise.all([startServer(env).ended, command('doctor --json', env)])
      expect([started.code, examined.code]).toEqual([1, 1])
      expect(started.stderr).toContain('Set POOLER=transaction')
      expect(examined.stderr).toContain('Set POOLER=transaction')
      expect(JSON.parse(examined.stdout)).toMatchObject({ pooler: 'transaction' })
    })
  })
})
