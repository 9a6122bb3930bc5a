import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { messageKeyOf } from '../../src/tracking/wire/ids.ts'
import { runAsOwner } from '../support/database.ts'
import { freePort } from '../support/own-postgres.ts'
import { patience } from '../support/patience.ts'
import { postmasterOf } from '../support/postgres-processes.ts'
import { type Child, cleanUp, command, newDataDir, startServer } from '../support/processes.ts'
import { rounds } from './clients.ts'

afterAll(cleanUp)

const clientsAtOnce = 64
const timeout = 180_000 + rounds * 20_000
const answerWithinMs = 60_000

/**
 * A server, and clients that send events with an API key. Each repeats a request unchanged until it is acknowledged.
 */
async function begin() {
  const env = { DATA_DIR: newDataDir(), DEMO: '0', LOG_LEVEL: 'error', PORT: String(await freePort()) }
  const address = `http://127.0.0.1:${env.PORT}`
  let server: Child = startServer(env)
  await server.says(/is ready/)
  const created = await command('orgs create Acme --json', env)
  const { org_id: orgId, api_key_token: token } = JSON.parse(created.stdout)
  const authorization = `Basic ${Buffer.from(`${token}:`).toString('base64')}`
  const { database_url: url } = JSON.parse((await command('database-url --json', env)).stdout)
  const acknowledged = new Set<string>()
  const unexpected: string[] = []
  let stopping = false

  async function send(messageIds: string[]): Promise<void> {
    const batch = messageIds.map((messageId) => ({
      type: 'track',
      event: 'Seen',
      anonymousId: 'a1',
      messageId,
    }))
    const until = performance.now() + answerWithinMs
    const answers = new Map<unknown, number>()
    while (performance.now() < until) {
      const status = await fetch(`${address}/v1/batch`, {
        method: 'POST',
        // In the header: requests with a key in the body share the budget of their address, ten a second.
        headers: { authorization },
        body: JSON.stringify({ batch, sentAt: new Date() }),
        signal: AbortSignal.timeout(answerWithinMs),
      }).then(
        (answer) => answer.arrayBuffer().then(() => answer.status),
        (error) => error.cause?.code ?? error.name,
      )
      answers.set(status, (answers.get(status) ?? 0) + 1)
      if (status === 200) {
        for (const messageId of messageIds) acknowledged.add(messageId)
        return
      }
      if (typeof status === 'number' && status !== 503 && status !== 429) unexpected.push(`status ${status}`)
      // All clients together stay below 1,000 requests a second: their organization gets 429 otherwise.
      await delay(100)
    }
    const seen = [...answers].map(([answer, n]) => `${answer}: ${n}`)
    unexpected.push(`no success within ${answerWithinMs} ms (${seen})`)
  }

  async function work(): Promise<void> {
    while (!stopping) await send([randomUUID(), randomUUID(), randomUUID()])
  }
  const working = Promise.all(Array.from({ length: clientsAtOnce }, work))
  return {
    url,
    async somewhatLater(): Promise<void> {
      const before = acknowledged.size
      await expect.poll(() => acknowledged.size, { ...patience, interval: 5 }).toBeGreaterThan(before + 200)
      await delay(Math.random() * 50)
    },
    async restart(signal: NodeJS.Signals): Promise<void> {
      server.kill(signal)
      await server.ended
      server = startServer(env)
      await server.says(/is ready/)
    },
    /** Lets the clients finish, and compares the acknowledged events with the rows and the counts. */
    async expectNothingLost(): Promise<void> {
      stopping = true
      await working
      const rows = await runAsOwner<{ key: string; n: number }>(
        url,
        'select message_key::text as key, count(*)::int as n from web_event where org_id = $1 group by 1',
        [orgId],
      )
      const stored = new Map(rows.map(({ key, n }) => [key, n]))
      const lost = [...acknowledged].filter((messageId) => !stored.has(messageKeyOf(messageId, true)))
      const doubled = rows.filter(({ n }) => n !== 1)
      const counts = await runAsOwner<{ hour: Date; n: number }>(
        url,
        `select hour, sum(n)::int as n
         from (select * from web_event_count union all select org_id, mode, hour, outcome, n, key_id from web_event_delta) as c
         where org_id = $1 and outcome = 'accepted' group by 1 order by 1`,
        [orgId],
      )
      const counted = await runAsOwner<{ hour: Date; n: number }>(
        url,
        `select date_trunc('hour', received_at, 'UTC') as hour, count(*)::int as n from web_event where org_id = $1
         group by 1 order by 1`,
        [orgId],
      )
      const visitors = await runAsOwner<{ n: number }>(
        url,
        'select events::int as n from visitor where org_id = $1',
        [orgId],
      )
      const reported = await runAsOwner<{ n: number }>(
        url,
        `select sum(n)::int as n
         from (select org_id, dimension, key, n from web_report union all select org_id, dimension, key, n from web_report_delta) as c
         where org_id = $1 and dimension = 'count' and key = 'events'`,
        [orgId],
      )
      console.log(`${acknowledged.size} events acknowledged, ${rows.length} stored, ${rounds} rounds`)
      expect({ lost, doubled, unexpected, counts }).toEqual({
        ...{ lost: [], doubled: [], unexpected: [] },
        counts: counted,
      })
      expect(rows).toHaveLength(acknowledged.size)
      expect(visitors).toEqual([{ n: rows.length }])
      expect(reported).toEqual([{ n: rows.length }])
      server.kill('SIGTERM')
      await server.ended
    },
  }
}

test('after SIGKILL of a server under 64 tracking clients, every acknowledged event is stored once and counted', {
  timeout,
}, async () => {
  const { somewhatLater, restart, expectNothingLost } = await begin()
  for (let round = 0; round < rounds; round++) {
    await somewhatLater()
    await restart('SIGKILL')
  }
  await somewhatLater()
  await expectNothingLost()
})

test('after SIGKILL of PostgreSQL under 64 tracking clients, every acknowledged event is stored once and counted', {
  timeout,
}, async () => {
  const { somewhatLater, url, expectNothingLost } = await begin()
  for (let round = 0; round < rounds; round++) {
    await somewhatLater()
    process.kill(postmasterOf(url), 'SIGKILL')
  }
  await somewhatLater()
  await expectNothingLost()
})
