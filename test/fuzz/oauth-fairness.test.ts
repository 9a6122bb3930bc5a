import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp, TestClient } from '../support/app.ts'
import { certificateIn } from '../support/own-postgres.ts'
import { cleanUp } from '../support/processes.ts'
import { faultOf } from './neighbor.ts'
import { oauthFloods } from './oauth-floods.ts'
import { nobody, startProcess } from './server.ts'

// Strangers ask the authorization server as often as they can, while an organization reads its contacts. The settings are
// those of fairness.test.ts.
const only = new RegExp(process.env.FUZZ_FLOOD ?? '')
const seconds = Number(process.env.FUZZ_FLOOD_SECONDS ?? 20)

/** The https address of a server whom strangers can reach. */
const publicUrl = 'https://crosswalk.example'
const folder = mkdtempSync(join(tmpdir(), 'crosswalk-tls-'))
let website: Worker
let documents: string
let app: TestApp
let address: string

beforeAll(async () => {
  const file = certificateIn(folder)
  if (file === null) throw new Error('openssl is not installed')
  const key = readFileSync(join(folder, 'key'), 'utf8')
  website = new Worker(new URL('./documents-host.ts', import.meta.url), {
    workerData: { key, certificate: readFileSync(file, 'utf8') },
  })
  const listening = once(website, 'message')
  app = await startTestApp({ role: 'api' })
  documents = (await listening)[0]
  const settings = { PUBLIC_URL: publicUrl, OUTBOUND_ALLOW_PRIVATE: '1', NODE_EXTRA_CA_CERTS: file }
  address = (await startProcess(app.databaseUrl, nobody, settings)).address
}, 120_000)

afterAll(async () => {
  await website.terminate()
  await app.close({ leavesJobs: true })
  await cleanUp()
  rmSync(folder, { recursive: true })
})

describe.runIf(process.env.FUZZ_REQUESTS !== undefined)('floods of strangers who sign in apps', () => {
  test('strangers who sign in apps make an organization wait at most ten times as long, without a 5xx', {
    timeout: 3_600_000,
  }, async () => {
    const faults: string[] = []
    const floods = await oauthFloods(address, publicUrl, documents)
    for (const flood of floods.filter(({ name }) => only.test(name))) {
      const neighbor = new TestClient(address, (await app.newOrg()).token)
      const fault = await faultOf(neighbor, flood, { address, token: 'none', seconds })
      if (fault !== null) faults.push(fault)
    }
    expect(faults.join('\n')).toBe('')
  })
})
