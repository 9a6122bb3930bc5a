import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp, TestClient, type TestOrg } from '../support/app.ts'
import { cleanUp } from '../support/processes.ts'
import { type HeavyRequest, heavyRequests } from './heaviest.ts'
import { fillWithContacts, knownFloods } from './known-floods.ts'
import { cpuSecondsOf, faultOf } from './neighbor.ts'
import { ingestFloods, toolFloods, webhookFloods } from './other-floods.ts'
import { nobody, startProcess } from './server.ts'
import { formFloods, identifyFloods } from './stranger-floods.ts'

// One organization sends the most expensive requests up to its limit, while another one reads its contacts.
// `FUZZ_HEAVIEST` (default 20) is the number of generated requests, in addition to the known ones. With 0, none is made.
// `FUZZ_FLOOD_SECONDS` (default 20) is the duration of each flood; one that misses the target runs again for a minute.
// `FUZZ_FLOOD`: only floods whose name matches
// this pattern.
const heaviest = Number(process.env.FUZZ_HEAVIEST ?? 20)
const only = new RegExp(process.env.FUZZ_FLOOD ?? '')
const seconds = Number(process.env.FUZZ_FLOOD_SECONDS ?? 20)
const hours = { timeout: 4 * 3_600_000 }

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
  Object.assign(new TestClient(address, org.token), {
    ...{
      orgId: org.orgId,
      apiKeyId: org.apiKeyId,
      newAgency: async () => toServer(await org.newAgency()),
      newConnectedApp: org.newConnectedApp,
    },
  })

/** Cancels the imports that the requests began. Their jobs would make another organization wait also without a flood. */
async function cancelImports(org: TestOrg): Promise<void> {
  for (let cursor = ''; ; ) {
    const { data, pagination } = (await org.get(`/imports?limit=100${cursor}`)).body
    for (const { import_id, status } of data)
      if (['queued', 'running'].includes(status)) await org.post(`/imports/${import_id}/cancel`)
    if (!pagination.next_cursor) break
    cursor = `&cursor=${pagination.next_cursor}`
  }
}

type Cost = { heavy: HeavyRequest; seconds: number; status: number }

/** The cost in seconds: CPU time of the server, or the time to the answer if PostgreSQL does most of the work. */
async function costOf(heavy: HeavyRequest, org: TestOrg): Promise<Cost> {
  const { method, path, body, contentType = 'application/json' } = heavy
  const before = await cpuSecondsOf(address)
  const sentAt = performance.now()
  const headers = body ? { 'content-type': contentType } : {}
  const { status } = await org.send(method, path, {
    headers,
    ...(body ? { raw: new Uint8Array(body) } : {}),
  })
  const elapsed = (performance.now() - sentAt) / 1000
  return { heavy, seconds: Math.max((await cpuSecondsOf(address)) - before, elapsed), status }
}

describe.runIf(process.env.FUZZ_REQUESTS !== undefined)('floods of the most expensive requests', () => {
  test(
    'a flood of the most expensive requests makes another organization wait at most ten times as long, without a 5xx',
    hours,
    async () => {
      const filled = await app.newOrg({ key: { isAgency: true }, isAgency: true })
      await fillWithContacts(filled)
      const busy = toServer(filled)
      const costs: Cost[] = []
      if (heaviest > 0)
        for await (const heavy of heavyRequests(busy))
          if (only.test(heavy.name)) costs.push(await costOf(heavy, busy))
      expect(costs.filter(({ status }) => status >= 500)).toEqual([])
      await cancelImports(busy)
      // A 404 would mean that an object of the request was deleted.
      expect(
        costs.filter(({ heavy, status }) => heavy.prepare && status >= 300).map(({ heavy }) => heavy.name),
      ).toEqual([])
      costs.sort((one, other) => other.seconds - one.seconds)
      const worst = costs.filter(
        ({ heavy }, at) => costs.findIndex((each) => endpointOf(each.heavy) === endpointOf(heavy)) === at,
      )
      for (const { heavy, seconds } of costs.slice(0, 60))
        console.log(`${(seconds * 1000).toFixed(0)} ms ${heavy.name} ${heavy.body?.length ?? 0} bytes`)
      const faults: string[] = []
      const found = worst.slice(0, heaviest).map((each) => each.heavy)
      const floods = [
        ...[...knownFloods(app, busy), ...ingestFloods(busy), ...toolFloods(), ...found],
        ...[...formFloods(busy), ...identifyFloods()],
        // This flood comes last, because its deliveries continue after the flood.
        ...webhookFloods(busy),
      ].filter(({ name }) => only.test(name))
      for (const flood of floods) {
        const neighbor = toServer(await app.newOrg())
        const fault = await faultOf(neighbor, flood, { address, token: busy.token!, seconds })
        if (fault !== null) faults.push(fault)
      }
      expect(faults.join('\n')).toBe('')
    },
  )
})

const endpointOf = ({ method, path }: HeavyRequest) => `${method} ${path}`
