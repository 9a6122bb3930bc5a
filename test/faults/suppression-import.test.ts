import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { type Answer, startTestApp, TestClient, type TestOrg } from '../support/app.ts'
import { runAsOwner, testKey } from '../support/database.ts'
import { untilBlocked, withClient } from '../support/direct-sql.ts'
import { patience } from '../support/patience.ts'
import { type Child, cleanUp, startServer } from '../support/processes.ts'
import { rounds } from './clients.ts'

const app = await startTestApp()
afterAll(async () => {
  await cleanUp()
  await app.close()
})

const rows = 5_000
const numbers = Array.from({ length: rows }, (_, at) => `+141555${String(at).padStart(5, '0')}`)
const csv = `number\n${numbers.join('\n')}\n`
const suppressions = numbers.slice(0, 1_000).map((number) => ({ number }))

const send = {
  CSV: (client: TestClient): Promise<Answer> =>
    client.post('/voice/suppressions/import', undefined, {
      raw: csv,
      headers: { 'content-type': 'text/csv', 'idempotency-key': 'k' },
    }),
  JSON: (client: TestClient): Promise<Answer> =>
    client.post('/voice/suppressions/import', { suppressions }, { headers: { 'idempotency-key': 'k' } }),
}
const sent = { CSV: rows, JSON: suppressions.length }

async function startProcess(org: TestOrg): Promise<{ child: Child; client: TestClient }> {
  const child = startServer({ DATABASE_URL: app.databaseUrl, ENCRYPTION_KEY: testKey.toString('base64') })
  const [address] = await child.says(/http:\/\/127\.0\.0\.1:\d+/)
  return { child, client: new TestClient(address!, org.token) }
}

/** The number of the organization's suppressions, of their events, and of stored answers. */
async function traces({ orgId }: TestOrg): Promise<{ stored: number; events: number; answers: number }> {
  const [row] = await runAsOwner<{ stored: number; events: number; answers: number }>(
    app.databaseUrl,
    `select (select count(*)::int from voice_suppression where org_id = $1) as stored,
      (select count(*)::int from event where org_id = $1 and type = 'suppression.created') as events,
      (select count(*)::int from idempotency_key where org_id = $1) as answers`,
    [orgId],
  )
  return row!
}

/** Resolves when PostgreSQL has ended the transactions of killed servers. */
const untilRolledBack = () =>
  expect
    .poll(
      () =>
        runAsOwner(
          app.databaseUrl,
          `select pid from pg_stat_activity where datname = current_database() and usename = 'crosswalk_app'
             and application_name <> '' and (state like 'idle in transaction%' or wait_event_type = 'Lock')`,
        ),
      patience,
    )
    .toEqual([])

/** Sends the import twice more. It must take effect only once. */
async function expectOnce(org: TestOrg, format: keyof typeof send): Promise<void> {
  const [retry, again] = [await send[format](org), await send[format](org)]
  expect([retry.status, retry.body.data]).toEqual([
    200,
    { created: sent[format], existing: 0, refused: 0, refusals: [] },
  ])
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(again.text).toBe(retry.text)
  expect(await traces(org)).toEqual({ stored: sent[format], events: sent[format], answers: 1 })
}

describe.each(['CSV', 'JSON'] as const)('an import of suppressions as %s', (format) => {
  test('an import of suppressions that SIGKILL ends stores no row until a retry with the same idempotency key stores all rows', async () => {
    const org = await app.newOrg()
    const { child, client } = await startProcess(org)
    await withClient(app, async (blocker) => {
      await blocker.query('begin')
      // The import waits for a lock at this number. Earlier rows are written.
      await blocker.query(
        'insert into voice_suppression (org_id, suppression_id, number, since, created_at) values ($1, gen_random_uuid(), $2, now(), now())',
        [org.orgId, numbers[sent[format] - 1]],
      )
      const lost = send[format](client).catch((error: Error) => error)
      await untilBlocked(blocker)
      child.kill('SIGKILL')
      expect(await lost).toBeInstanceOf(Error)
      await untilRolledBack()
      await blocker.query('rollback')
    })
    expect(await traces(org)).toEqual({ stored: 0, events: 0, answers: 0 })
    await expectOnce(org, format)
  })

  test('an import of suppressions stores all rows or none, whenever its server is killed', async () => {
    const found = { none: 0, all: 0 }
    for (let round = 0; round < 2 * rounds; round++) {
      const org = await app.newOrg()
      const { child, client } = await startProcess(org)
      const lost = send[format](client).catch((error: Error) => error)
      // Kill at a random instant: the outcome must be right at each.
      await delay(Math.random() * 1_500)
      child.kill('SIGKILL')
      await Promise.all([lost, child.ended])
      await untilRolledBack()
      const { stored, events, answers } = await traces(org)
      expect([0, sent[format]]).toContain(stored)
      expect({ events, answers }).toEqual({ events: stored, answers: stored > 0 ? 1 : 0 })
      found[stored > 0 ? 'all' : 'none']++
      await expectOnce(org, format)
    }
    console.log(`${format}: killed ${2 * rounds} times`, found)
  })
})
