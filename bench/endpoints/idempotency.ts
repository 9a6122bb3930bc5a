// Compares POST /api/v1/contacts with and without an Idempotency-Key. Both take turns in one run.
//   node bench/endpoints/idempotency.ts [--rounds 7] [--seconds 3]
import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { load, type Measured, median } from '../support/client.ts'
import { openBench } from '../support/installation.ts'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '7' }, seconds: { type: 'string', default: '3' } },
})

const body = {
  email: 'ada@example.com',
  phone: '+14155550101',
  first_name: 'Ada',
  last_name: 'Lovelace',
  company_name: 'Analytical Engines',
  city: 'London',
}
const withKey = () => `idempotency-key: ${randomUUID()}\r\n`

const row = (name: string, { rate, p50, p99, others }: Measured) =>
  `${name.padEnd(8)} ${rate.toFixed(0).padStart(7)} req/s   p50 ${p50.toFixed(2).padStart(6)} ms   p99 ${p99.toFixed(2).padStart(6)} ms${others ? `   ${others} NOT 201` : ''}`

const bench = await openBench()
try {
  const { token } = await bench.newOrg()
  const { address } = await bench.serve()
  const measure = (connections: number, headers?: () => string) =>
    load({
      url: `${address}/api/v1/contacts`,
      token,
      connections,
      stop: { seconds: Number(values.seconds) },
      post: { body, ...(headers ? { headers } : {}) },
    })
  for (const connections of [1, 16]) {
    await measure(connections)
    await measure(connections, withKey)
    const rounds: { plain: Measured; keyed: Measured }[] = []
    console.log(`\n${connections} connection${connections > 1 ? 's' : ''}`)
    for (let round = 0; round < Number(values.rounds); round++) {
      const pair = { plain: await measure(connections), keyed: await measure(connections, withKey) }
      rounds.push(pair)
      console.log(`${row('without', pair.plain)}\n${row('with', pair.keyed)}`)
    }
    const cost = median(rounds.map(({ plain, keyed }) => plain.rate / keyed.rate))
    const slower = median(rounds.map(({ plain, keyed }) => keyed.p50 / plain.p50))
    console.log(
      `median: a key makes it ${cost.toFixed(2)} times as costly, p50 ${slower.toFixed(2)} times as long`,
    )
  }
} finally {
  await bench.close()
}
