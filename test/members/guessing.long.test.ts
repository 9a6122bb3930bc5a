import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/platform/db/sql.ts'
import { startTestApp } from '../support/app.ts'
import { Browser, newMember } from '../support/members.ts'

const app = await startTestApp({ trustProxy: true })
afterAll(() => app.close())

const password = 'seven green bicycles'
let addresses = 0
/** Each browser has its own address, so that they do not share a rate limit. */
const newBrowser = () => new Browser(app.address, null, `10.4.0.${++addresses & 255}`)

const org = await app.newOrg()
const owner = await newMember(app, org.orgId)
beforeAll(async () => {
  const { url } = (await owner.post('/members/invites', { email: 'grace@acme.example', role: 'member' })).body
    .data
  const joined = await newBrowser().post('/links/use', { token: url.split('#')[1], name: 'Grace', password })
  expect(joined.status).toBe(200)
})
afterEach(() => app.operate((tx) => tx.run(sql`delete from sign_in_failure`)))

const attempt = (email: string, guess: string, ip: string) =>
  newBrowser().post('/session', { email, password: guess }, { headers: { 'x-forwarded-for': ip } })

test.each(['grace@acme.example', 'nobody@acme.example'])(
  'after 5 failures for %s, every sign-in must wait, from any address and even with the right password',
  async (email) => {
    for (let n = 0; n < 5; n++) {
      const failed = await attempt(email, 'wrong', `10.0.0.${n}`)
      expect([failed.status, failed.body.code]).toEqual([401, 'sign_in_failed'])
    }
    // Set the last failure to an hour from now: on a busy machine, the wait could otherwise end during the hashing.
    const failedAt = (interval: string) =>
      app.operate((tx) => tx.run(sql`update sign_in_failure set failed_at = now() + ${interval}::interval`))
    await failedAt('1 hour')
    const waiting = await attempt(email, password, '10.0.1.1')
    expect([waiting.status, waiting.body.code]).toEqual([429, 'sign_in_wait'])
    expect(Number(waiting.headers.get('retry-after'))).toBeLessThanOrEqual(3602)
    await failedAt('-2 seconds')
    expect((await attempt(email, 'wrong', '10.0.1.2')).status).toBe(401)
    const began = performance.now()
    await failedAt('1 hour')
    const longer = await attempt(email, password, '10.0.1.3')
    const elapsed = Math.ceil((performance.now() - began) / 1000)
    expect(Number(longer.headers.get('retry-after')) + elapsed).toBeGreaterThanOrEqual(3604)
  },
)

test('parallel guesses do not avoid the wait', async () => {
  const answers: number[] = []
  const began = performance.now()
  await Promise.all(
    Array.from({ length: 24 }, async (_, n) => {
      answers.push((await attempt('grace@acme.example', `guess ${n}`, `10.0.2.${n}`)).status)
    }),
  )
  // On a slow machine, the first waits of 2, 4 and 8 s may end. Each then allows one guess.
  const seconds = (performance.now() - began) / 1000
  const outlasted = [2, 6, 14, 30].filter((end) => end < seconds).length
  const guesses = answers.filter((status) => status === 401).length
  expect(guesses).toBeGreaterThanOrEqual(5)
  expect(guesses).toBeLessThanOrEqual(5 + outlasted)
})

test('while one address sends many guesses, people at other addresses sign in', async () => {
  const guesses = Array.from({ length: 10 }, (_, n) => attempt(`x${n}@acme.example`, 'guess', '10.0.5.1'))
  const people = Array.from({ length: 4 }, (_, n) => attempt('grace@acme.example', password, `10.0.6.${n}`))
  expect((await Promise.all(people)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
  for (const { status, headers, body } of await Promise.all(guesses)) {
    const isChecked = status === 401
    expect([status, body.code]).toEqual(isChecked ? [401, 'sign_in_failed'] : [429, 'sign_in_in_progress'])
    expect(headers.get('retry-after')).toBe(isChecked ? null : '1')
  }
})

test('one address may send 20 requests a second, and then gets 429', async () => {
  const sent = await Promise.all(Array.from({ length: 40 }, () => attempt('x@acme.example', '', '10.0.3.1')))
  expect(sent.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(15)
})

test('an unknown address gets the same answer as a wrong password', async () => {
  const known = await attempt('grace@acme.example', 'wrong', '10.0.4.1')
  const unknown = await attempt('nobody2@acme.example', 'wrong', '10.0.4.2')
  expect([unknown.status, unknown.text]).toEqual([known.status, known.text])
})
