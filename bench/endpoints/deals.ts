// Measures GET /deals/summary, and lists of deals by each filter. A small org and a large one take turns.
//   node bench/endpoints/deals.ts [--sizes 1000,100000] [--rounds 5] [--seconds 2]
import { parseArgs } from 'node:util'
import { listReasons } from '../../src/close-reasons/close-reasons.ts'
import { contacts } from '../../src/contacts/contacts.ts'
import { deals } from '../../src/deals/deals.ts'
import { readStages } from '../../src/deals/stages.ts'
import { chance, integer, pick, seededRandom } from '../../src/demo/random.ts'
import { insertRecords } from '../../src/records/insert.ts'
import { load, type Measured, median } from '../support/client.ts'
import { type Bench, connected, openBench } from '../support/installation.ts'

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,100000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
  },
})
const connections = 8
const lot = 2_000
const yearMs = 365 * 86_400_000
const currencies = ['USD', 'EUR', 'GBP', 'JPY']

/** Makes deals of all stages, outcomes, reasons and months, in four currencies. Returns the ids for the filters. */
async function fill(bench: Bench, orgId: string, count: number): Promise<Record<string, string>> {
  const org = bench.database.org(orgId)
  const random = seededRandom(1)
  const { stages } = await org.read(readStages)
  const reasons = await org.read((tx) => listReasons(tx, { archived: false }))
  const people = Array.from({ length: 100 }, (_, n) =>
    contacts.apply(null, { first_name: `P${n}` }, { defaultCountry: null }, false),
  )
  const contactIds = await org.transact((tx) => insertRecords(tx, contacts, people))
  for (let start = 0; start < count; start += lot) {
    const states = Array.from({ length: Math.min(lot, count - start) }, (_, index) => {
      const n = start + index
      const status = pick(random, ['open', 'won', 'lost'] as const)
      const fields = {
        name: `Deal ${n}`,
        amount_cents: integer(random, 0, 10_000_000),
        currency: pick(random, currencies),
        stage: pick(random, stages),
        tags: chance(random, 0.01) ? ['rare'] : [],
      }
      const fitting = reasons.filter(({ outcome }) => outcome === 'any' || outcome === status)
      const contact = pick(random, contactIds)
      return {
        ...deals.apply(null, fields, { defaultCountry: null, stages }, false),
        ...{ contact_raw_ids: [contact], contact_ids: [contact], deal_status: status },
        ...(status !== 'open' && {
          closed_at: new Date(Date.now() - integer(random, 0, yearMs)),
          close_reason_id: pick(random, fitting).close_reason_id,
        }),
      }
    })
    await org.transact((tx) => insertRecords(tx, deals, states))
  }
  await connected(bench.url, (client) => client.query('vacuum analyze'))
  return { contact: contactIds[7]!, reason: reasons[9]!.close_reason_id }
}

const bench = await openBench()
try {
  const server = await bench.serve()
  const sizes = values.sizes.split(',').map(Number)
  const orgs = []
  for (const size of sizes) {
    const { orgId, token } = await bench.newOrg()
    const startedAt = performance.now()
    const ids = await fill(bench, orgId, size)
    console.log(
      `${size.toLocaleString('en')} deals stored in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`,
    )
    orgs.push({ size, token, ids })
  }
  const month = Math.floor(Date.now() / 1000) - 30 * 86_400
  const paths: [string, (ids: Record<string, string>) => string][] = [
    ['summary', () => '/summary'],
    ['list', () => ''],
    ['status=open', () => '?status=open'],
    ['board', () => '?status=open&stage=Proposal&sort=-updated_at&limit=50'],
    ['stage', () => '?stage=Proposal'],
    ['contact_id', ({ contact }) => `?contact_id=${contact}`],
    ['close_reason_id', ({ reason }) => `?close_reason_id=${reason}`],
    ['closed_since', () => `?closed_since=${month}`],
    ['tag', () => '?tag=rare'],
  ]
  const ask = (token: string, path: string, seconds: number): Promise<Measured> =>
    load({ url: `${server.address}/api/v1/deals${path}`, token, connections, stop: { seconds } })
  // Wait until the last differences are in the totals, and the statements are prepared.
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  for (const { token, ids } of orgs) for (const [, pathOf] of paths) await ask(token, pathOf(ids), 0.5)
  for (const [name, pathOf] of paths) {
    const p50s: number[][] = orgs.map(() => [])
    const p99s: number[][] = orgs.map(() => [])
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const [index, { token, ids }] of orgs.entries()) {
        const { p50, p99, others } = await ask(token, pathOf(ids), Number(values.seconds))
        if (others > 0) throw new Error(`${others} answers of ${name} were not 200`)
        p50s[index]!.push(p50)
        p99s[index]!.push(p99)
      }
    }
    const [few, many] = [median(p50s[0]!), median(p50s.at(-1)!)]
    console.log(
      `${name.padEnd(16)} p50 ${few.toFixed(2).padStart(6)} ms and ${many.toFixed(2).padStart(6)} ms: ${(many / few).toFixed(2)} times   p99 ${median(p99s[0]!).toFixed(2)} and ${median(p99s.at(-1)!).toFixed(2)} ms`,
    )
  }
} finally {
  await bench.close()
}
