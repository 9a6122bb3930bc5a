// Measures the ingest of web events by one server, in turns with a bare COPY of the same rows: events/s from HTTP request
// to commit with 20 events a request and with one, and the API's times meanwhile.
//   node bench/tracking/ingest.ts [--rounds 5] [--events 40000]
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { median } from '../support/client.ts'
import { openBench } from '../support/installation.ts'
import { BareCopy } from './bare-copy.ts'
import { waitsDuring } from './neighbor.ts'
import { type Round, sendEvents } from './send-events.ts'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, events: { type: 'string', default: '40000' } },
})
const rounds = Number(values.rounds)
const events = Number(values.events)
const orgs = 10

const bench = await openBench()
const server = await bench.serve({ DEMO: '0', LOG_LEVEL: 'error' })
const made: { orgId: string; token: string }[] = []
while (made.length < orgs) made.push(await bench.newOrg())
const tokens = made.map(({ token }) => token)
const copy = await BareCopy.open(bench)

const ingest = (each: number, connections: number, total: number) =>
  sendEvents({ bench, server, tokens }, { each, connections, total })

const say = (what: string, { events, p50, p99, node, postgres, others }: Round) =>
  console.log(
    `${what.padEnd(28)}${events.toFixed(0).padStart(7)} events/s   p50 ${p50.toFixed(1)} ms   p99 ${p99.toFixed(1)} ms   an event: Node ${node.toFixed(1)} µs, PostgreSQL ${postgres.toFixed(1)} µs${others ? `   ${others} NOT 200` : ''}`,
  )

try {
  await ingest(20, 32, events)
  const found = { twenty: [] as Round[], one: [] as Round[], wall: [] as number[], cpu: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    const twenty = await ingest(20, 32, events)
    say('20 events a request', twenty)
    const bare = await copy.round(events)
    console.log(
      `${'bare COPY, lots of 500'.padEnd(28)}${bare.events.toFixed(0).padStart(7)} events/s   an event: PostgreSQL ${bare.postgres.toFixed(1)} µs`,
    )
    const one = await ingest(1, 64, events / 4)
    say('one event a request', one)
    found.twenty.push(twenty)
    found.one.push(one)
    found.wall.push(twenty.events / bare.events)
    found.cpu.push(bare.postgres / twenty.postgres)
  }
  const of = (list: Round[], field: 'events' | 'p50' | 'p99') => median(list.map((each) => each[field]))
  for (const [name, list] of [
    ['20', found.twenty],
    ['1', found.one],
  ] as const)
    console.log(
      `median, ${name} a request: ${of(list, 'events').toFixed(0)} events/s, p50 ${of(list, 'p50').toFixed(1)} ms, p99 ${of(list, 'p99').toFixed(1)} ms`,
    )
  console.log(
    `median ratio to bare COPY: ${median(found.wall).toFixed(2)} of the rate, ${median(found.cpu).toFixed(2)} of the events per CPU second of the backend`,
  )
  const { token } = await bench.newOrg()
  const neighbor = { url: `${server.address}/api/v1/contacts`, token }
  const idle = await waitsDuring(neighbor, () => delay(5_000))
  const busy = await waitsDuring(neighbor, () => ingest(20, 32, events * 4))
  console.log(
    `GET /contacts of another organization: p99 ${idle.toFixed(1)} ms idle, ${busy.toFixed(1)} ms meanwhile, ratio ${(busy / idle).toFixed(1)}`,
  )
} finally {
  await copy.close()
  await bench.close()
}
