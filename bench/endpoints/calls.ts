// Measures POST /api/v1/voice/calls with the simulator: one call at a time, and as many as one server can place.
// The load comes from ten orgs without limits.
//   node bench/endpoints/calls.ts [--rounds 3] [--seconds 5]
import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { load, type Measured, median } from '../support/client.ts'
import { openBench } from '../support/installation.ts'
import { cpuSeconds } from '../support/usage.ts'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, seconds: { type: 'string', default: '5' } },
})
const seconds = Number(values.seconds)
const orgsAtOnce = 10

const bench = await openBench()
const owner = new Client({ connectionString: bench.url })
await owner.connect()

async function newCaller(): Promise<string> {
  const { orgId, token } = await bench.newOrg()
  await owner.query(`insert into voice_number (org_id, number_id, number) values ($1, $2, '+14155550123')`, [
    orgId,
    randomUUID(),
  ])
  await owner.query('insert into voice_settings (org_id, concurrent_call_cap) values ($1, 1000)', [orgId])
  return token
}

const withKey = () => `idempotency-key: ${randomUUID()}\r\n`

/** Calls a number that is busy after two seconds, so that running calls stay below the cap. */
const measure = (address: string, token: string, connections: number, body: object, keyed: boolean) =>
  load({
    ...{ url: `${address}/api/v1/voice/calls`, token, connections, stop: { seconds } },
    post: { body: { to_number: '+12025550101', ...body }, ...(keyed ? { headers: withKey } : {}) },
  })

const shown = ({ rate, p50, p99, others }: Measured) =>
  `${rate.toFixed(0).padStart(5)} calls/s   p50 ${p50.toFixed(1).padStart(6)} ms   p99 ${p99.toFixed(1).padStart(6)} ms${others ? `   ${others} NOT 201` : ''}`

try {
  const { address, pid } = await bench.serve()
  const tokens: string[] = []
  while (tokens.length < orgsAtOnce) tokens.push(await newCaller())
  await measure(address, tokens[0]!, 4, {}, true)
  const alone: Measured[] = []
  const together: number[] = []
  for (let round = 0; round < Number(values.rounds); round++) {
    const dry = await measure(address, tokens[0]!, 1, { dry_run: true }, false)
    const plain = await measure(address, tokens[0]!, 1, {}, false)
    const keyed = await measure(address, tokens[0]!, 1, {}, true)
    console.log(`\none at a time, dry run   ${shown(dry)}`)
    console.log(`one at a time            ${shown(plain)}`)
    console.log(`one at a time, with key  ${shown(keyed)}`)
    const before = cpuSeconds(pid)
    const all = await Promise.all(tokens.map((token) => measure(address, token, 2, {}, true)))
    const rate = all.reduce((sum, each) => sum + each.rate, 0)
    const others = all.reduce((sum, each) => sum + each.others, 0)
    const placed = all.reduce((sum, each) => sum + each.answers, 0)
    const cpu = ((cpuSeconds(pid) - before) / placed) * 1000
    console.log(
      `${orgsAtOnce} orgs, 2 each, with key  ${rate.toFixed(0).padStart(5)} calls/s   p50 ${median(all.map(({ p50 }) => p50)).toFixed(1)} ms, Node ${cpu.toFixed(2)} ms of a core a call, callbacks included${others ? `   ${others} NOT 201` : ''}`,
    )
    alone.push(keyed)
    together.push(rate)
  }
  console.log(
    `\nmedians: p50 ${median(alone.map(({ p50 }) => p50)).toFixed(1)} ms, ${median(together).toFixed(0)} calls/s`,
  )
  const { rows } = await owner.query<{ calls: number; dials: number; twice: number }>(
    `select (select count(*)::int from call) as calls, count(*)::int as dials,
       (count(*) - count(distinct call_id))::int as twice from simulated_call`,
  )
  console.log(`${rows[0]!.calls} calls, ${rows[0]!.dials} dials, ${rows[0]!.twice} of them twice`)
} finally {
  await owner.end()
  await bench.close()
}
