// Measures indexes of defined fields in an org of a million contacts: the time of a build, how much it slows other
// requests of the organization, and filters by an indexed field.
//   node bench/endpoints/fields.ts --folder /tmp/bench [--size 1000000] [--answers 200] [--fields code,score]
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { quantile } from '../support/client.ts'
import { filledOrg, idOf } from '../support/fill.ts'
import { openBench } from '../support/installation.ts'

const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    size: { type: 'string', default: '1000000' },
    answers: { type: 'string', default: '200' },
    fields: { type: 'string', default: 'code,score,signed,tier' },
  },
})
const size = Number(values.size)
const answers = Number(values.answers)
const groups = size / 100

/** `code` differs in every contact, 100 contacts have the same `score` and `signed`, and a quarter has each `tier`. */
const custom = `json_build_object('plan', 'basic', 'code', 'C-' || n, 'score', n::bigint * 7919 % (${size} / 100),
  'signed', (date '2000-01-01' + (n::bigint * 7919 % (${size} / 100))::int)::text,
  'tier', (array['Gold','Silver','Bronze','None'])[1 + n % 4])`

const types = { code: 'text', score: 'number', signed: 'date', tier: 'select' } as const
const any = (most: number) => Math.floor(Math.random() * most)
const day = (n: number) => new Date(Date.UTC(2000, 0, 1 + n)).toISOString().slice(0, 10)

/** Filters by the indexed fields: each finds 1 to 1,000 contacts. Sorts list all contacts. */
const queries: Record<string, (() => string)[]> = {
  code: [() => `custom.code=C-${any(size)}`, () => `custom.code[in]=C-${any(size)},C-${any(size)}`],
  score: [
    () => `custom.score=${any(groups)}`,
    () => `custom.score[in]=${any(groups)},${any(groups)}`,
    () => `custom.score[gte]=${groups - 8}`,
    () => `custom.score=${any(groups)}&page=2&limit=25`,
    () => `custom.score=${any(groups)}&sort=name`,
    () => `custom.score=${any(groups)}&city=London`,
    () => 'sort=custom.score',
    () => 'sort=-custom.score&page=40',
  ],
  signed: [
    () => `custom.signed=${day(any(groups))}`,
    () => `custom.signed[lt]=${day(5)}`,
    () => 'sort=-custom.signed',
  ],
  tier: [
    () => 'custom.tier=Gold',
    () => 'custom.tier=Gold&page=2',
    () => `custom.tier=Gold&tag=t${any(1000)}`,
  ],
}

const bench = await openBench(values.folder)
try {
  const { token } = await filledOrg(bench, bench.folder, size, custom)
  const { address } = await bench.serve()
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const send = async (method: string, path: string, body?: object) => {
    const startedAt = performance.now()
    const answer = await fetch(`${address}/api/v1${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(text)
    return { ms: performance.now() - startedAt, body: text === '' ? null : JSON.parse(text) }
  }
  const show = (what: string, times: number[]) => {
    times.sort((a, b) => a - b)
    const [p50, p95, p99] = [0.5, 0.95, 0.99].map((each) => quantile(times, each).toFixed(1).padStart(7))
    console.log(
      `${what.slice(0, 50).padEnd(50)} p50 ${p50} ms   p95 ${p95} ms   p99 ${p99} ms   n ${times.length}`,
    )
  }
  /** Reads and writes one after another until `isDone`. */
  async function load(what: string, isDone: () => boolean): Promise<void> {
    const [reads, writes]: [number[], number[]] = [[], []]
    while (!isDone()) {
      const id = idOf('contact', any(size))
      reads.push((await send('GET', `/contacts/${id}`)).ms)
      writes.push((await send('PATCH', `/contacts/${id}`, { custom: { note: `n${any(1e9)}` } })).ms)
    }
    show(`${what}: GET /contacts/{id}`, reads)
    show(`${what}: PATCH /contacts/{id}`, writes)
  }
  const during = async (what: string, work: Promise<unknown>) => {
    let done = false
    void work.finally(() => (done = true))
    await Promise.all([load(what, () => done), work])
  }
  for (const { field_id: id } of (await send('GET', '/fields')).body.data.fields)
    await send('DELETE', `/fields/${id}`)
  await during('warm-up', delay(2_000))
  await during('idle', delay(8_000))
  for (const key of values.fields.split(',').filter((name) => name !== '') as (keyof typeof types)[]) {
    const options = key === 'tier' ? { options: ['Gold', 'Silver', 'Bronze', 'None'] } : {}
    const sent = { entity: 'contact', key, type: types[key], filterable: true, existing: 'keep', ...options }
    const startedAt = performance.now()
    const { body } = await send('POST', '/fields', sent)
    const untilReady = async () => {
      while ((await send('GET', `/fields/${body.data.field_id}`)).body.data.index_state !== 'ready')
        await delay(100)
    }
    await during(`building ${key}`, untilReady())
    console.log(`${key}: ready after ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`)
    for (const query of queries[key] ?? []) {
      const times: number[] = []
      let total = 0
      for (let n = -3; n < answers; n++) {
        const { ms, body: page } = await send('GET', `/contacts?${query()}`)
        total = page.pagination.total
        if (n >= 0) times.push(ms)
      }
      show(`${query()} (${total})`, times)
    }
  }
} finally {
  await bench.close()
}
