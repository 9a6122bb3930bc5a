// Compares the CPU time of a request without traces, with 1 % of the traces, and with all. The servers take turns.
//   node bench/endpoints/traces.ts [--rounds 7] [--seconds 1]
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { load, median } from '../support/client.ts'
import { openBench } from '../support/installation.ts'
import { processSeconds } from '../support/usage.ts'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '7' }, seconds: { type: 'string', default: '1' } },
})

const collector = createServer((request, response) => {
  request.resume().on('end', () => response.setHeader('content-type', 'application/json').end('{}'))
})
await once(collector.listen(0, '127.0.0.1'), 'listening')
const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
const traced = (ratio: string) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: ratio })

const bench = await openBench()
try {
  const settings = { off: {}, 'off again': {}, '0.01': traced('0.01'), '1': traced('1') }
  const servers: [string, Awaited<ReturnType<typeof bench.serve>>][] = []
  for (const [name, more] of Object.entries(settings))
    servers.push([name, await bench.serve({ ROLE: 'api', ...more })])
  const { token } = await bench.newOrg()
  const cases = {
    'GET /contacts': {},
    'POST /contacts': { post: { body: { first_name: 'Ada' } } },
  }
  for (const [name, request] of Object.entries(cases)) {
    const costs = new Map<string, number[]>(servers.map(([server]) => [server, []]))
    for (let round = -2; round < Number(values.rounds); round++) {
      // Each server is first equally often: after the first one, PostgreSQL and the program that sends are warm.
      const first = (round + 2) % servers.length
      const order = [...servers.slice(first), ...servers.slice(0, first)]
      for (const [server, { address, pid }] of order) {
        const before = processSeconds(pid)
        const stop = { seconds: Number(values.seconds) }
        const url = `${address}/api/v1/contacts`
        const { answers, others } = await load({ url, token, connections: 8, stop, ...request })
        if (others > 0) throw new Error(`${others} answers were refused`)
        const cost = (processSeconds(pid) - before) / answers
        // The first two rounds warm up.
        if (round >= 0) costs.get(server)!.push(cost * 1e6)
      }
    }
    const off = median(costs.get('off')!)
    for (const [server, all] of costs)
      console.log(
        `${name}  ${server.padEnd(9)}  ${median(all).toFixed(0)} µs of CPU a request, ${(median(all) / off).toFixed(3)} of off`,
      )
  }
} finally {
  collector.close()
  await bench.close()
}
