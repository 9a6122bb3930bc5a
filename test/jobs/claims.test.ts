import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { linkOrgs } from '../../src/orgs/operator.ts'
import { system } from '../../src/platform/db/system.ts'
import { type Capacity, JobClaims, nextStart } from '../../src/platform/jobs/engine/claims.ts'
import { startTestApp } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { installTestJobs, slow, type TestPayload } from '../support/jobs/job-kinds.ts'
import { newChild } from '../support/jobs/new-child.ts'

const app = await startTestApp({ role: 'api' })
afterAll(() => app.close())
beforeAll(() => installTestJobs(app))
beforeEach(() => runAsOwner(app.databaseUrl, 'delete from pgboss.job'))

const { context } = app.app
const claims = new JobClaims(system(context.database), async () => {})

const enqueue = (orgId: string, count: number, serialKey?: string) =>
  app.operate(async (tx) => {
    const key = serialKey === undefined ? {} : { serialKey: () => serialKey }
    for (let number = 1; number <= count; number++)
      await context.jobs.enqueue(tx, { ...slow, ...key }, { org_id: orgId, number })
  })

const free = (count: number, capacity: Partial<Capacity> = {}): Capacity => ({
  queues: [{ name: slow.name, free: count, payerMax: count - 1 }],
  running: [],
  servedPayers: [],
  servedLanes: [],
  ...capacity,
})

/** The number of claimed jobs of each org, in the order of `orgIds`. */
async function claimedOf(orgIds: readonly string[], capacity: Capacity): Promise<number[]> {
  const claimed = await claims.next(capacity)
  return orgIds.map((orgId) => claimed.filter(({ lane }) => lane === orgId).length)
}

const queued = (orgId: string) => `${slow.name} ${orgId}`

test('a claim of several jobs takes the same number from each org with due jobs', async () => {
  const orgs = [randomUUID(), randomUUID(), randomUUID()]
  await enqueue(orgs[0]!, 20)
  await enqueue(orgs[1]!, 20)
  await enqueue(orgs[2]!, 1)
  expect(await claimedOf(orgs, free(12))).toEqual([4, 4, 1])
})

test('with fewer slots than orgs, the orgs that have waited longest get one job each', async () => {
  const orgs = Array.from({ length: 4 }, () => randomUUID())
  for (const orgId of orgs) await enqueue(orgId, 3)
  const servedPayers = [orgs[3]!, orgs[0]!, orgs[1]!].map(queued)
  expect(await claimedOf(orgs, free(2, { servedPayers }))).toEqual([0, 0, 1, 1])
})

test('one org never uses the last free slot, and the free slots are shared by all orgs with waiting jobs', async () => {
  const orgs = [randomUUID(), randomUUID()]
  await enqueue(orgs[0]!, 20)
  expect(await claimedOf(orgs, free(8))).toEqual([7, 0])
  expect(await claimedOf(orgs, free(8, { running: [{ payer: queued(orgs[0]!), count: 7 }] }))).toEqual([0, 0])
  await enqueue(orgs[1]!, 20)
  expect(await claimedOf(orgs, free(8, { running: [{ payer: queued(orgs[0]!), count: 6 }] }))).toEqual([1, 4])
})

test('an agency, its clients and their sandboxes get one share together, and a client of two agencies counts with the older one', async () => {
  const [{ orgId: agency }, { orgId: later }] = [await app.newAgency(), await app.newAgency()]
  const client = await newChild(app, { agency })
  const sandbox = await newChild(app, { owner: client })
  await app.operate((tx) => linkOrgs(tx, later, client))
  const other = randomUUID()
  const orgs = [agency, client, sandbox, later, other]
  for (const orgId of orgs) await enqueue(orgId, 20)
  const claimed = await claims.next(free(12))
  const count = (orgId: string) => claimed.filter(({ lane }) => lane === orgId).length
  expect(orgs.map(count)).toEqual([1, 1, 1, 4, 4])
  expect(new Set(claimed.map(({ payer }) => payer))).toEqual(new Set([agency, later, other]))
})

test('a client whose agency uses all its slots waits, and other orgs do not', async () => {
  const { orgId: agency } = await app.newAgency()
  const [client, other] = [await newChild(app, { agency }), randomUUID()]
  for (const orgId of [client, other]) await enqueue(orgId, 20)
  const running = [{ payer: queued(agency), count: 7 }]
  expect(await claimedOf([client, other], free(8, { running }))).toEqual([0, 7])
})

test('the clients of an agency take turns, and a client whose only job waits for a serial key leaves its turn to the next', async () => {
  const { orgId: agency } = await app.newAgency()
  const clients = [
    await newChild(app, { agency }),
    await newChild(app, { agency }),
    await newChild(app, { agency }),
  ]
  await enqueue(clients[0]!, 3, 'one')
  for (const orgId of clients.slice(1)) await enqueue(orgId, 3)
  const servedLanes: string[] = []
  const order: (string | undefined)[] = []
  for (let n = 0; n < 4; n++) {
    const [claim, second] = await claims.next(free(2, { servedLanes }))
    expect(second).toBeUndefined()
    order.push(claim?.lane)
    if (claim && claim.lane !== clients[0]) servedLanes.push(queued(claim.lane))
  }
  // The first client seems to wait longest, but its serial key is in use.
  expect(order).toEqual([clients[0], clients[1], clients[2], clients[1]])
})

test('a claim takes one job of each serial key, and none while a job of that key runs', async () => {
  const orgId = randomUUID()
  await enqueue(orgId, 3, 'one')
  await enqueue(orgId, 2, 'two')
  const first = await claims.next(free(16))
  expect(first.map(({ data }) => (data as TestPayload).number)).toEqual([1, 1])
  expect(await claims.next(free(16))).toEqual([])
  expect(await claims.done(first[0]!)).toBe(true)
  expect(await claims.next(free(16))).toHaveLength(1)
})

test('a job returns to the queue for its next turn as the same job, with new data and all its tries', async () => {
  const orgId = randomUUID()
  await enqueue(orgId, 1)
  const [first] = await claims.next(free(16))
  await claims.handBack(first!)
  expect(await claims.again(first!, { org_id: orgId, number: 2 })).toBe(false)
  const [second] = await claims.next(free(16))
  expect(second!.data).toEqual({ org_id: orgId, number: 1 })
  await runAsOwner(app.databaseUrl, 'update pgboss.job set retry_count = 3')
  expect(await claims.again(second!, { org_id: orgId, number: 2 })).toBe(true)
  const [third, ...more] = await claims.next(free(16))
  expect(third).toMatchObject({ id: first!.id, data: { org_id: orgId, number: 2 }, retryCount: 0 })
  expect(more).toEqual([])
})

test('when completed jobs are removed together, the result lists the jobs whose claims this process had lost', async () => {
  const orgId = randomUUID()
  await enqueue(orgId, 3)
  const [one, two, three] = await claims.next(free(16))
  await claims.handBack(two!)
  expect(await Promise.all([one!, two!, three!].map((claim) => claims.done(claim)))).toEqual([
    true,
    false,
    true,
  ])
})

test('whether a job is due is read from an index, however many jobs are delayed', async () => {
  await runAsOwner(
    app.databaseUrl,
    `insert into pgboss.job_common (name, data, state, start_after)
     select $1, '{}', 'created', now() + make_interval(days => 1, secs => each) from generate_series(1, 5000) each`,
    [slow.name],
  )
  await runAsOwner(app.databaseUrl, 'analyze pgboss.job_common')
  const scope = system(context.database)
  const asked: string[] = [nextStart().text]
  scope.readRows = async ({ text }) => {
    asked.push(text)
    return []
  }
  await new JobClaims(scope, async () => {}).mayHaveNext()
  expect(asked).toHaveLength(2)
  for (const text of asked) {
    const plan = await runAsOwner(app.databaseUrl, `explain ${text}`)
    expect(JSON.stringify(plan)).toContain('using crosswalk_due')
  }
})
