import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { startTestApp, TestClient } from '../support/app.ts'
import { testKey } from '../support/database.ts'
import { headOf, memoryGrowth } from '../support/half-sent.ts'
import { cleanUp, startServer } from '../support/processes.ts'

const app = await startTestApp()
afterAll(async () => {
  await cleanUp()
  await app.close()
})
const org = await app.newOrg()
const attacker = await app.newOrg({ limited: true })
// Few connections in CI, because each case starts a process. FAULT_ROUNDS=25 opens all 4,000.
const count = process.env.FAULT_ROUNDS ? 4_000 : 50
const megabyte = 1024 * 1024
const offer = '0190a3c4-0000-7000-8000-000000000001'
const token = app.app.context.orgTokens.make(attacker.orgId)
const withKey = [`Authorization: Bearer ${attacker.token}`]

// Without bodies, 4,000 connections use 70 MiB. Without a limit, their bodies would use 4,000 MiB.
test.each<[string, string, number, number]>([
  ['callbacks to the address of an unknown org', headOf('/hooks/voice/vapi/1', megabyte), megabyte, 100],
  ['callbacks of an unknown provider', headOf(`/hooks/voice/x/${token}`, megabyte), megabyte, 100],
  ['confirmations of a signature', headOf(`/install-signature/x/${offer}/confirm`, megabyte), megabyte, 100],
  [
    'callbacks to the address of an org',
    headOf(`/hooks/voice/vapi/${token}`, megabyte / 4),
    megabyte / 4,
    200,
  ],
  ['requests of an org within its limits', headOf('/v1/contacts', megabyte, withKey), megabyte, 200],
  [
    'imports of an org within its limits',
    headOf('/v1/contacts/imports', megabyte, [...withKey, 'Content-Type: text/csv']),
    megabyte,
    200,
  ],
])(
  'half-sent %s use little memory, and requests with a key are answered meanwhile',
  async (_what, head, bytes, mostMiB) => {
    const child = startServer({
      DATABASE_URL: app.databaseUrl,
      ENCRYPTION_KEY: testKey.toString('base64'),
      NODE_OPTIONS: '--max-semi-space-size=8',
      LOG_LEVEL: 'error',
      // A client may not open this many connections at once.
      TRUST_PROXY: '127.0.0.1',
    })
    const [, address] = await child.says(/is ready at (http\S+)/)
    const client = new TestClient(address!, org.token)
    const statuses = new Set<number>()
    let isOver = false
    const asking = (async () => {
      while (!isOver) {
        statuses.add((await client.get('/contacts')).status)
        await delay(100)
      }
    })()
    const grown = await memoryGrowth({ address: address!, pid: child.process.pid! }, { count, bytes, head })
    isOver = true
    await asking
    child.kill('SIGKILL')
    await child.ended
    console.log(`${_what}: ${grown.toFixed(0)} MiB`)
    expect([...statuses]).toEqual([200])
    expect(grown).toBeLessThan(mostMiB)
  },
)
