// Measures a server that has stored many web events, beside a server without any: the rate of ingest in turns, the timeline
// of one visitor, and how long it takes to drop a day. The disk needs about 1.5 kB for each event; all is deleted at the end.
//   node bench/tracking/size.ts [--events 20000000] [--days 10] [--visitors 400000] [--rounds 5]
import { parseArgs } from 'node:util'
import { system } from '../../src/platform/db/system.ts'
import { dropDays } from '../../src/tracking/store/days.ts'
import { load, median, quantile } from '../support/client.ts'
import { openBench } from '../support/installation.ts'
import { fillWithHistory, type History, someVisitors } from './history.ts'
import { sendEvents } from './send-events.ts'

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '20000000' },
    days: { type: 'string', default: '10' },
    visitors: { type: 'string', default: '400000' },
    rounds: { type: 'string', default: '5' },
  },
})
const orgs = 10
const eventsInRound = 20_000
const timelines = 300

async function begin() {
  const bench = await openBench()
  const server = await bench.serve({ DEMO: '0', LOG_LEVEL: 'error' })
  const made: { orgId: string; token: string }[] = []
  while (made.length < orgs) made.push(await bench.newOrg())
  const tokens = made.map(({ token }) => token)
  const ingest = () =>
    sendEvents({ bench, server, tokens }, { each: 20, connections: 32, total: eventsInRound })
  await ingest()
  return { bench, server, ingest, made, tokens }
}

const [empty, full] = [await begin(), await begin()]
try {
  const history: History = {
    orgIds: full.made.map(({ orgId }) => orgId),
    ...{ events: Number(values.events), days: Number(values.days), visitors: Number(values.visitors) },
  }
  const bytes = await fillWithHistory(full.bench, history)
  console.log(`an event takes ${bytes.toFixed(0)} bytes on disk, with its indexes`)
  await full.ingest()

  const ratios: number[] = []
  for (let round = 0; round < Number(values.rounds); round++) {
    const both = round % 2 === 0 ? [empty, full] : [full, empty]
    const rates = new Map<object, number>()
    for (const each of both) rates.set(each, (await each.ingest()).events)
    const [without, withEvents] = [rates.get(empty)!, rates.get(full)!]
    ratios.push(withEvents / without)
    console.log(
      `events/s: ${without.toFixed(0)} without events, ${withEvents.toFixed(0)} with ${values.events}`,
    )
  }
  console.log(`median ratio ${median(ratios).toFixed(2)}`)

  const times: number[] = []
  for (const visitor of await someVisitors(full.bench, history, 0, timelines)) {
    const url = `${full.server.address}/api/v1/visitors/${visitor}/events?limit=50`
    const { p50, others } = await load({ url, token: full.tokens[0]!, connections: 1, stop: { answers: 1 } })
    if (others > 0) throw new Error(`${url} was not answered with 200`)
    times.push(p50)
  }
  times.sort((one, other) => one - other)
  console.log(
    `the last 50 events of a visitor: p50 ${quantile(times, 0.5).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms`,
  )

  for (let kept = history.days - 2; kept >= Math.max(0, history.days - 4); kept--) {
    const startedAt = performance.now()
    const dropped = await system(full.bench.database).transact((tx) => dropDays(tx, kept))
    console.log(`${dropped} day(s) dropped in ${(performance.now() - startedAt).toFixed(0)} ms`)
  }
} finally {
  await empty.bench.close()
  await full.bench.close()
}
