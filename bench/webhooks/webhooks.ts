// Measures webhooks: the time from an event to its receiver, and the rate with ten endpoints. Also measures the effect of
// failing endpoints on others, and of an endpoint on writes and imports. The parts run one after another.
//   node bench/webhooks/webhooks.ts [idle rate trouble writes import]
import { setTimeout as delay } from 'node:timers/promises'
import { load, median } from '../support/client.ts'
import { openBench, type Process } from '../support/installation.ts'
import { addEndpoint, setStatus } from './endpoints.ts'

type Stats = { count: number; p50: number; p99: number; firstAt: number; lastAt: number }

const parts = process.argv.slice(2)
const runs = (part: string) => parts.length === 0 || parts.includes(part)
const bench = await openBench()
const receiver = await bench.start('bench/webhooks/receiver.ts', [])
const settings = { OUTBOUND_ALLOW_PRIVATE: '1', DUPLICATE_CHECKS: '0', LOG_LEVEL: 'error', DEMO: '0' }
// The start message contains the address.
const server: Process = await bench.serve(settings)

const stats = async (): Promise<Stats> => (await fetch(`${receiver.address}/stats`)).json() as Promise<Stats>
const received = async () => Number(await (await fetch(`${receiver.address}/count`)).text())
const say = (what: string, { count, p50, p99 }: Stats) =>
  console.log(`${what}: ${count.toLocaleString('en')} deliveries, p50 ${p50} ms, p99 ${p99} ms`)

let emails = 0
async function post(token: string, path: string, body: object): Promise<void> {
  const response = await fetch(`${server.address}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (response.status >= 300) throw new Error(`${path}: ${response.status} ${await response.text()}`)
}
const newContact = () => ({
  email: `p${++emails}@example.com`,
  first_name: 'Ada',
  city: 'London',
  job_title: 'Engineer',
})

async function idle(): Promise<void> {
  const { orgId, token } = await bench.newOrg()
  await addEndpoint(bench, orgId, `${receiver.address}/ok`)
  await stats()
  for (let index = 0; index < 200; index++) {
    await post(token, '/contacts', newContact())
    await delay(60)
  }
  await delay(1_000)
  say('idle, one endpoint', await stats())
}

async function rate(): Promise<void> {
  const endpoints = 10
  const { orgId, token } = await bench.newOrg()
  for (let index = 0; index < endpoints; index++)
    await addEndpoint(bench, orgId, `${receiver.address}/ok`, { status: 'disabled' })
  const contacts = 4_000
  for (let sent = 0; sent < contacts; sent += 500)
    await post(token, '/contacts/batch', { items: Array.from({ length: 500 }, newContact) })
  await stats()
  await setStatus(bench, orgId, 'enabled')
  const end = Date.now() + 60_000
  while ((await received()) < contacts * endpoints && Date.now() < end) await delay(100)
  const { count, firstAt, lastAt } = await stats()
  const perSecond = count / ((lastAt - firstAt) / 1000)
  console.log(
    `ten endpoints, full payload: ${count.toLocaleString('en')} deliveries, ${perSecond.toFixed(0)}/s`,
  )
}

/**
 * 20 organizations with 50 endpoints each. In a second round, 50 of the 1,000 endpoints refuse, and 50 hang.
 * @param types with `*`, 900 endpoints also hear of each of the 100 that begins to fail
 */
async function trouble(types: string): Promise<void> {
  const [orgs, each] = [20, 50]
  // In the first seconds, the endpoints of the second round begin to fail.
  const phases = [
    { name: 'begins', seconds: 20 },
    { name: 'goes on', seconds: 30 },
  ]
  const p99: number[][] = []
  for (const isBroken of [false, true]) {
    const made = await Promise.all(Array.from({ length: orgs }, () => bench.newOrg()))
    for (const [index, { orgId }] of made.entries()) {
      for (let endpoint = 0; endpoint < each; endpoint++) {
        const place = index * each + endpoint
        const [path, port] =
          isBroken && place % 10 === 0 ? (place % 20 === 0 ? ['/hang', ''] : ['/ok', '9']) : ['/ok', '']
        const url = port === '' ? `${receiver.address}${path}` : `http://127.0.0.1:${port}${path}`
        await addEndpoint(bench, orgId, url, { types: [types] })
      }
    }
    const found: number[] = []
    for (const { name, seconds } of phases) {
      await stats()
      const end = performance.now() + seconds * 1000
      while (performance.now() < end) {
        for (const { token } of made) {
          await post(token, '/contacts', newContact())
          await delay(200)
        }
      }
      await delay(5_000)
      const phase = await stats()
      say(`1,000 endpoints for ${types}${isBroken ? `, the trouble of 100 ${name}` : ''}`, phase)
      found.push(phase.p99)
    }
    p99.push(found)
    for (const { orgId } of made) await setStatus(bench, orgId, 'disabled')
  }
  for (const [index, { name }] of phases.entries())
    console.log(`ratio of the p99 while trouble ${name}: ${(p99[1]![index]! / p99[0]![index]!).toFixed(2)}`)
}

/** How fast an organization with an endpoint writes, compared with one without. */
async function writes(): Promise<void> {
  const [plain, watched] = [await bench.newOrg(), await bench.newOrg()]
  await addEndpoint(bench, watched.orgId, `${receiver.address}/ok`)
  const measure = async ({ token }: { token: string }) => {
    const url = `${server.address}/api/v1/contacts`
    const post = { body: { first_name: 'Ada', last_name: 'Lovelace', city: 'London' } }
    return (await load({ url, token, connections: 8, stop: { seconds: 2 }, post })).rate
  }
  await measure(plain)
  const ratios: number[] = []
  for (let round = 0; round < 8; round++) {
    // Alternate which measurement comes first.
    const first = await measure(round % 2 === 0 ? plain : watched)
    const second = await measure(round % 2 === 0 ? watched : plain)
    ratios.push(round % 2 === 0 ? second / first : first / second)
    const end = Date.now() + 15_000
    for (
      let before = -1, now = await received();
      now !== before && Date.now() < end;
      now = await received()
    ) {
      before = now
      await delay(1_500)
    }
  }
  console.log(
    `POST /contacts with an endpoint: ${median(ratios).toFixed(2)} of the rate without (${ratios.map((one) => one.toFixed(2)).join(', ')})`,
  )
}

/** How fast an organization with an endpoint imports, compared with one without. */
async function imports(): Promise<void> {
  const rows = Number(process.env.ROWS ?? 100_000)
  const seconds = async (hasEndpoint: boolean) => {
    const { orgId, token } = await bench.newOrg()
    if (hasEndpoint) await addEndpoint(bench, orgId, `${receiver.address}/ok`)
    const lines = Array.from(
      { length: rows },
      (_, index) => `Ada,Lovelace ${index},p${index}@example.com,London`,
    )
    const started = performance.now()
    const response = await fetch(`${server.address}/api/v1/contacts/imports`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
      body: `first_name,last_name,email,city\n${lines.join('\n')}\n`,
    })
    const { data } = (await response.json()) as { data: { import_id: string } }
    for (let status = ''; status !== 'succeeded'; ) {
      await delay(100)
      const answer = await fetch(`${server.address}/api/v1/imports/${data.import_id}`, {
        headers: { authorization: `Bearer ${token}` },
      })
      status = ((await answer.json()) as { data: { status: string } }).data.status
      if (status === 'failed') throw new Error('the import failed')
    }
    const took = (performance.now() - started) / 1000
    await setStatus(bench, orgId, 'disabled')
    return took
  }
  await seconds(false)
  const ratios: number[] = []
  for (let round = 0; round < 3; round++) {
    const bare = await seconds(false)
    const observed = await seconds(true)
    ratios.push(bare / observed)
    console.log(
      `import of ${rows.toLocaleString('en')} rows: ${bare.toFixed(1)} s, with an endpoint ${observed.toFixed(1)} s`,
    )
  }
  console.log(`import with an endpoint: ${median(ratios).toFixed(2)} of the rate without`)
}

try {
  if (runs('idle')) await idle()
  if (runs('rate')) await rate()
  if (runs('trouble')) for (const types of ['contact.*', '*']) await trouble(types)
  if (runs('writes')) await writes()
  if (runs('import')) await imports()
} finally {
  await bench.close()
}
