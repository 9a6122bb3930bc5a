import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp, TestClient } from '../support/app.ts'
import { cleanUp } from '../support/processes.ts'
import { faultOf } from './neighbor.ts'
import { nobody, startProcess } from './server.ts'
import { vendorFloods } from './vendor-floods.ts'

// One organization makes the server ask a hostile vendor as often as its limits allow, while another one reads its contacts.
// The settings are those of fairness.test.ts.
const only = new RegExp(process.env.FUZZ_FLOOD ?? '')
const seconds = Number(process.env.FUZZ_FLOOD_SECONDS ?? 20)

const vendor = new Worker(new URL('./hostile-vendor.ts', import.meta.url))
// A message that comes before somebody listens is lost.
const listening = once(vendor, 'message')
let app: TestApp
let vendorUrl: string
let address: string

beforeAll(async () => {
  app = await startTestApp({ role: 'api' })
  vendorUrl = (await listening)[0]
  address = (await startProcess(app.databaseUrl, nobody, { OUTBOUND_ALLOW_PRIVATE: '1' })).address
}, 120_000)

afterAll(async () => {
  await vendor.terminate()
  await app.close({ leavesJobs: true })
  await cleanUp()
})

describe.runIf(process.env.FUZZ_REQUESTS !== undefined)('floods of answers of hostile vendors', () => {
  test('a vendor of one organization makes another one wait at most ten times as long, without a 5xx', {
    timeout: 3_600_000,
  }, async () => {
    const busy = await app.newOrg()
    // Only the process may reach private addresses.
    const org = Object.assign(new TestClient(address, busy.token), { orgId: busy.orgId })
    const faults: string[] = []
    for (const flood of vendorFloods(app, org, vendorUrl).filter(({ name }) => only.test(name))) {
      const neighbor = new TestClient(address, (await app.newOrg()).token)
      const fault = await faultOf(neighbor, flood, { address, token: busy.token!, seconds })
      if (fault !== null) faults.push(fault)
    }
    expect(faults.join('\n')).toBe('')
  })
})
