import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { isSolved } from '../../src/tracking/forms/public/challenges.ts'
import { TestClient } from '../support/app.ts'
import { browser, newLiveForm } from '../support/form-pages.ts'
import { freePort } from '../support/own-postgres.ts'
import { cleanUp, command, newDataDir, startServer } from '../support/processes.ts'

afterAll(cleanUp)

/** How long the attack lasts. For a long run: FLOOD_SECONDS=60. */
const seconds = Number(process.env.FLOOD_SECONDS ?? 5)
const perSecond = 100

const percentile = (times: readonly number[], share: number) =>
  Math.round(times.toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1] ?? 0)

async function begin() {
  const env = { DATA_DIR: newDataDir(), DEMO: '0', LOG_LEVEL: 'error', PORT: String(await freePort()) }
  const server = startServer({ ...env, TRUST_PROXY: '1' })
  await server.says(/is ready/)
  const newOrg = async (name: string) => {
    const { stdout } = await command(`orgs create ${name} --json`, env)
    return new TestClient(`http://127.0.0.1:${env.PORT}`, JSON.parse(stdout).api_key_token)
  }
  const memory = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.process.pid}/status`, 'utf8'))?.[1]) / 1024
  return { victim: await newOrg('Victim'), other: await newOrg('Other'), memory }
}

/** Sends ten requests a second for the duration. Returns the times of the answers, in milliseconds. */
async function useApi(org: TestClient): Promise<number[]> {
  const times: number[] = []
  for (let at = 0; at < seconds * 10; at++) {
    const start = performance.now()
    const answer = at % 2 ? await org.post('/contacts', { first_name: `${at}` }) : await org.get('/contacts')
    expect(answer.status).toBe(at % 2 ? 201 : 200)
    times.push(performance.now() - start)
    await delay(Math.max(0, 100 - (performance.now() - start)))
  }
  return times
}

type LiveForm = { formId: string; key: string }

const challengeOf = async (address: string, { formId, key }: LiveForm): Promise<string> =>
  (await (await fetch(`${address}/f/${formId}/definition?writeKey=${key}`)).json()).challenge

const send = async (address: string, { formId, key }: LiveForm, network: string, body: object) => {
  const headers = { 'x-forwarded-for': network, 'user-agent': browser, 'content-type': 'text/plain' }
  const sent = { method: 'POST', headers, body: JSON.stringify({ writeKey: key, ...body }) }
  const answer = await fetch(`${address}/f/${formId}/submissions`, sent)
  await answer.arrayBuffer()
  return answer.status
}

/** The proof of work of a challenge, as the script of a page finds it. */
function solve(text: string): string {
  const known = { id: '', text, ageMs: 0, target: Number(text.split('.')[1]), isOver: false }
  for (let proof = 0; ; proof++) if (isSolved(known, String(proof))) return String(proof)
}

/** Sends a hundred forms a second, each from another network. Returns how many answers had each status. */
async function flood(address: string, form: LiveForm): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {}
  const challenge = await challengeOf(address, form)
  const attack = async (n: number) => {
    const network = `10.${50 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}`
    const answers = { email: `spam${n}@evil.example`, wish: 'x'.repeat(1_000) }
    // Without a challenge, with one that everybody uses, and with the field that people do not see.
    const kinds = [{}, { challenge, honeypot: 'x' }, { challenge }]
    const status = await send(address, form, network, { answers, ...kinds[n % kinds.length] })
    statuses[status] = (statuses[status] ?? 0) + 1
  }
  const start = performance.now()
  const sent: Promise<void>[] = []
  for (let n = 0; n < seconds * perSecond; n++) {
    await delay(Math.max(0, (n * 1_000) / perSecond - (performance.now() - start)))
    sent.push(attack(n))
  }
  await Promise.all(sent)
  return statuses
}

test('100 forms a second are stored as spam up to the budget of the form, and another organization works as before', async () => {
  const { victim, other, memory } = await begin()
  const form = await newLiveForm(victim)
  const alone = await useApi(other)
  const challenge = await challengeOf(victim.address, form)
  const before = memory()
  const [statuses, during] = await Promise.all([flood(victim.address, form), useApi(other)])
  const grown = Math.round(memory() - before)
  // A person who has the script still gets through.
  const answers = { email: 'ada@engine.example' }
  const person = await send(victim.address, form, '10.99.0.1', {
    ...{ answers, challenge, proof: solve(challenge) },
  })
  expect(person).toBe(200)

  const { 200: stored = 0, 429: refused = 0, 503: busy = 0, ...others } = statuses
  expect(others).toEqual({})
  expect(stored + refused + busy).toBe(seconds * perSecond)
  // The budget of a form: 1,000 at once, and then one a second.
  expect(stored).toBeLessThanOrEqual(1_000 + seconds * 2)
  const totalOf = async (status: string) =>
    (await victim.get(`/forms/submissions?limit=1&status=${status}`)).body.pagination.total as number
  const [accepted, spam] = [await totalOf('accepted'), await totalOf('spam')]
  expect(accepted + spam).toBe(stored + 1)
  // Without a proof of work, an hour has at most 20.
  expect(accepted).toBeLessThanOrEqual(21)
  expect((await victim.get(`/contacts?email=${answers.email}`)).body.pagination.total).toBe(1)
  expect((await victim.get('/contacts')).body.pagination.total).toBe(accepted)
  const reasons = (await victim.get('/forms/submissions?limit=100&status=spam')).body.data
  expect(
    reasons.every(({ spam_reason: reason }: { spam_reason: string }) =>
      ['challenge_missing', 'honeypot', 'too_fast', 'proof_missing'].includes(reason),
    ),
  ).toBe(true)
  expect(grown).toBeLessThan(200)
  // The machine of the tests is busy.
  expect(percentile(during, 0.99)).toBeLessThan(2_000)
  console.log(
    `${seconds} s at ${perSecond} forms/s:`,
    { stored, refused, busy, accepted, spam, grownMiB: grown },
    `API of another organization, p50 and p99 in ms: alone ${percentile(alone, 0.5)}, ${percentile(alone, 0.99)};`,
    `during ${percentile(during, 0.5)}, ${percentile(during, 0.99)}`,
  )
}, 240_000)
