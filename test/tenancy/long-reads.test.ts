import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { limitWholeLists } from '../../src/platform/db/long-reads.ts'
import { takeTurn } from '../../src/platform/db/turns.ts'
import { recentRequests } from '../../src/platform/recent-requests.ts'
import { limitLongWork } from '../../src/platform/slices.ts'
import { sharedTestApp } from '../support/app.ts'
import { whileLocked } from '../support/locked-table.ts'
import { newMember } from '../support/members.ts'

const app = await sharedTestApp()
afterAll(() => app.close())
afterEach(() => vi.restoreAllMocks())

test('while others are served, a long read of an organization begins only after the previous one', async () => {
  vi.spyOn(recentRequests, 'areOfOthers').mockReturnValue(true)
  const [org, other] = [await app.newOrg(), await app.newOrg()]
  const reads: Promise<{ status: number }>[] = []
  await whileLocked(app, 'note', async (waiting) => {
    reads.push(org.get('/notes'), org.get('/notes?limit=3'))
    await waiting.until(1)
    // A read of another organization begins after both, and does not wait for them.
    expect((await other.get('/tasks')).status).toBe(200)
    expect(await waiting.count()).toBe(1)
  })
  expect((await Promise.all(reads)).map(({ status }) => status)).toEqual([200, 200])
})

type Limit = (work: () => Promise<void>) => Promise<void>
type Send = () => Promise<{ status: number }>

/** Runs work within `limit` until the returned function is called. */
function occupy(limit: Limit): () => Promise<void> {
  const held = Promise.withResolvers<void>()
  onTestFinished(() => held.resolve())
  const limited = limit(() => held.promise)
  return () => {
    held.resolve()
    return limited
  }
}

/** Whether an answer arrives only after `limit` has ended other work. */
async function waitsFor(limit: Limit, send: Send): Promise<boolean> {
  const end = occupy(limit)
  const answer = send()
  const waits = (await Promise.race([answer, delay(1_000)])) === undefined
  await end()
  expect((await answer).status).toBe(200)
  return waits
}

test('a list of API keys, which may have 10,000, is a long read', async () => {
  vi.spyOn(recentRequests, 'areOfOthers').mockReturnValue(true)
  const org = await app.newOrg()
  expect(
    await waitsFor(
      (work) => takeTurn(org.orgId, work),
      () => org.get('/api-keys'),
    ),
  ).toBe(true)
})

test('the session of a person of an agency, which may have 10,000 clients, is long work', async () => {
  vi.spyOn(recentRequests, 'areOfOthers').mockReturnValue(true)
  const sessionIn = async (isAgency: boolean) => {
    const { orgId } = await app.newOrg({ isAgency })
    const member = await newMember(app, orgId)
    const send = () => member.get('/session')
    expect((await send()).status).toBe(200)
    return { send, limit: (work: () => Promise<void>) => limitLongWork(`${orgId}:members`, work) }
  }
  const ofAgency = await sessionIn(true)
  expect(await waitsFor(ofAgency.limit, ofAgency.send)).toBe(true)
  // Without clients, the answer arrives while the other work runs.
  const other = await sessionIn(false)
  const end = occupy(other.limit)
  expect((await other.send()).status).toBe(200)
  await end()
})

const form = { name: 'Demo', title: 'Demo', fields: [{ key: 'email', label: 'E-mail' }] }

test.each([
  ...['/owners', '/segments', '/forms', '/forms/{form_id}/versions', '/tracking/events'],
  '/integrations/crm-sync/connections',
])('while others are served, an organization reads one list without pages at a time: %s', async (path) => {
  vi.spyOn(recentRequests, 'areOfOthers').mockReturnValue(true)
  const org = await app.newOrg()
  const { form_id: formId } = (await org.post('/forms', form)).body.data
  expect(
    await waitsFor(
      (work) => limitWholeLists(org.orgId, work),
      () => org.get(path.replace('{form_id}', formId)),
    ),
  ).toBe(true)
})

test.each(['/members', '/teams'])(
  'while others are served, the members of an organization read one list of people at a time: %s',
  async (path) => {
    vi.spyOn(recentRequests, 'areOfOthers').mockReturnValue(true)
    const { orgId } = await app.newOrg()
    const member = await newMember(app, orgId)
    expect(
      await waitsFor(
        (work) => limitWholeLists(`${orgId}:members`, work),
        () => member.get(path),
      ),
    ).toBe(true)
  },
)
