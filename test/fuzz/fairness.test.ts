import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp, TestClient, type TestOrg } from '../support/app.ts'
import { cleanUp } from '../support/processes.ts'
import { type Heavy, heavyRequests } from './heaviest.ts'
import { cpuSecondsOf, floodedWaits, idleWaits } from './neighbor.ts'
import { nobody, startProcess } from './server.ts'

// While one organization spends what its limits allow on the requests that cost most, another one asks for its contacts.
// `FUZZ_HEAVIEST` says how many of these requests are sent in floods; 20 unless told.
const heaviest = Number(process.env.FUZZ_HEAVIEST ?? 20)
const [perSecond, perMinute] = [50, 1000]
const hours = { timeout: 4 * 3_600_000 }

const phones = Array.from({ length: 50 }, (_, at) => `12${at}`)
const items = Array.from({ length: 500 }, (_, at) => ({ last_name: `n${at}`, phones }))
/** What was found to stop others once. */
const known: Heavy = {
  name: 'a batch of bad phone numbers',
  method: 'POST',
  path: '/contacts/batch',
  body: Buffer.from(JSON.stringify({ items })),
}

let app: TestApp
let address: string

beforeAll(async () => {
  app = await startTestApp({ role: 'api' })
  address = (await startProcess(app.databaseUrl, nobody)).address
}, 120_000)

afterAll(async () => {
  await app.close({ leavesJobs: true })
  await cleanUp()
})

const toServer = (org: TestOrg): TestOrg =>
  Object.assign(new TestClient(address, org.token), { orgId: org.orgId, apiKeyId: org.apiKeyId })

/** CPU seconds that one request costs the server. */
async function costOf(
  { method, path, body, contentType = 'application/json' }: Heavy,
  org: TestOrg,
): Promise<number> {
  const before = await cpuSecondsOf(address)
  const headers = body ? { 'content-type': contentType } : {}
  await org.send(method, path, { headers, ...(body ? { raw: new Uint8Array(body) } : {}) })
  return (await cpuSecondsOf(address)) - before
}

describe.runIf(process.env.FUZZ_REQUESTS !== undefined)(
  'while one organization spends its worst minute',
  () => {
    test('another one waits at most ten times as long as usual, and gets no 5xx', hours, async () => {
      const busy = toServer(await app.newOrg({ key: { isAgency: true }, isAgency: true }))
      const costs: { heavy: Heavy; cost: number }[] = []
      for await (const heavy of heavyRequests(busy)) costs.push({ heavy, cost: await costOf(heavy, busy) })
      costs.sort((one, other) => other.cost - one.cost)
      const worst = costs.filter(
        ({ heavy }, at) => costs.findIndex((each) => endpointOf(each.heavy) === endpointOf(heavy)) === at,
      )
      for (const { heavy, cost } of costs.slice(0, 60))
        console.log(`${(cost * 1000).toFixed(0)} ms ${heavy.name} ${heavy.body?.length ?? 0} bytes`)
      const faults: string[] = []
      for (const heavy of [known, ...worst.slice(0, heaviest).map((each) => each.heavy)]) {
        const neighbor = toServer(await app.newOrg())
        await idleWaits(neighbor, 1)
        const idle = await idleWaits(neighbor, 5)
        const { p50, p99, failures, answers } = await floodedWaits(neighbor, {
          contentType: 'application/json',
          ...heavy,
          address,
          token: busy.token!,
          perSecond,
          count: perMinute,
        })
        const told = `${heavy.name}: idle ${shown(idle)}, flooded ${shown({ p50, p99 })}, flood ${JSON.stringify(answers)}`
        console.log(told)
        if (p99 > Math.min(150, 10 * idle.p99) || failures.length > 0)
          faults.push(`${told} ${failures[0] ?? ''}`)
      }
      expect(faults.join('\n')).toBe('')
    })
  },
)

const endpointOf = ({ method, path }: Heavy) => `${method} ${path}`

const shown = ({ p50, p99 }: { p50: number; p99: number }) => `${p50.toFixed(1)} / ${p99.toFixed(1)} ms`
