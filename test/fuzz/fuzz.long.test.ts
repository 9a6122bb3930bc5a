import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { untilNoJobs } from '../support/jobs/left-jobs.ts'
import { operations } from '../support/openapi-document.ts'
import { type Child, cleanUp } from '../support/processes.ts'
import { TwilioStandIn } from '../support/stand-ins/twilio.ts'
import { leftInDatabase, resourcesOf, type ServerResources } from './health.ts'
import { leakInLog } from './leaks.ts'
import { type ReachTools, reachTheRest, reachWithoutDatabase } from './reach.ts'
import { ReachedStatuses } from './reached.ts'
import { report, run } from './run.ts'
import { nobody, startProcess } from './server.ts'
import { Wire } from './wire.ts'
import { World } from './world.ts'

// Requests are made from openapi.json, and made invalid in many ways. `npm run test:fuzz` sends many to a separate
// process. `npm test` sends a few, always the same, to a server in this process.
const seed = Number(process.env.FUZZ_SEED ?? 1)
const count = Number(process.env.FUZZ_REQUESTS ?? 250)
const only = process.env.FUZZ_ONLY
const isLarge = process.env.FUZZ_REQUESTS !== undefined
const hours = { timeout: 4 * 3_600_000 }
const megabyte = 2 ** 20

let app: TestApp
let means: ReachTools
let child: Child | null = null
let address: string
let before: ServerResources

beforeAll(async () => {
  const twilio = await TwilioStandIn.start()
  const away = { hubspotApiUrl: nobody, vapiApiUrl: nobody, gmailApiUrl: nobody, googleTokenUrl: nobody }
  app = await startTestApp({
    ...away,
    trustProxy: true,
    salesforceLoginUrl: nobody,
    twilioApiUrl: twilio.server.url,
    ...(isLarge ? { role: 'api' } : {}),
  })
  const started = isLarge ? await startProcess(app.databaseUrl, twilio.server.url) : null
  child = started?.child ?? null
  address = started?.address ?? app.address
  const world = await World.create(app, address, isLarge ? 4 : 1)
  means = { app, world, twilio, wire: new Wire(address), reached: new ReachedStatuses() }
}, 120_000)

afterAll(async () => {
  means.wire.close()
  await means.twilio.server.close()
  await app.close({ leavesJobs: true })
  await cleanUp()
})

test(`none of ${count} answers to invalid requests is wrong, with seed ${seed}`, hours, async () => {
  const once = { seed, from: Number(only ?? 0), count: only ? 1 : count }
  const warm = isLarge ? await run({ ...means, seed: seed + 1, count: 2_000 }) : null
  before = await resourcesOf(address)
  const { failures, slowest } = await run({ ...means, ...once })
  if (isLarge) console.log('answers by status', means.reached.byStatus(), 'slowest', slowest)
  expect(report([...(warm?.failures ?? []), ...failures], seed)).toBe('')
})

test('every operation still succeeds with a valid request', hours, async () => {
  expect((await reachTheRest(means, { all: isLarge })).join('\n\n')).toBe('')
  const successes = operations.map(({ operationId, responses }) => [
    operationId,
    Object.keys(responses).find((status) => status < '300')!,
  ])
  expect(successes.filter(([name, status]) => !means.reached.has(name!, status!))).toEqual([])
})

describe.runIf(isLarge)('the server afterwards', () => {
  test('invalid requests leave no transaction, lock, connection or memory in use', hours, async () => {
    means.wire.close()
    await untilNoJobs(app.databaseUrl, 300_000)
    await expect.poll(() => leftInDatabase(app.databaseUrl), { timeout: 30_000, interval: 200 }).toEqual([])
    await expect
      .poll(async () => (await resourcesOf(address)).sockets, { timeout: 120_000, interval: 1_000 })
      .toBeLessThanOrEqual(before.sockets)
    const after = await resourcesOf(address)
    console.log('memory in MiB, before and after', before.rss / megabyte, after.rss / megabyte)
    expect(after.rss - before.rss).toBeLessThan(200 * megabyte)
  })

  test('after all invalid requests, the log has no failure and no personal data', () => {
    const lines = child!.stderr.split('\n').filter((line) => /"level":"(error|fatal)"/.test(line))
    expect(lines.slice(0, 5)).toEqual([])
    expect(leakInLog(child!.stderr + child!.stdout, means.world)).toBeNull()
    expect(child!.process.exitCode).toBeNull()
  })

  test(
    'after all invalid requests, every documented status of every operation has occurred',
    hours,
    async () => {
      means.wire.close()
      means.wire = new Wire(address)
      expect((await reachWithoutDatabase(means)).join('\n\n')).toBe('')
      expect(means.reached.missing()).toEqual([])
      const { orgId: _, ...org } = means.world.home
      await expect
        .poll(async () => (await fetch(`${org.address}/readyz`)).status, { timeout: 10_000 })
        .toBe(200)
    },
  )
})
