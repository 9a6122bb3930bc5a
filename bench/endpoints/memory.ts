// Measures the server's memory during a million list requests: under 250 MiB, and without growth.
//   node bench/endpoints/memory.ts [--requests 1000000] [--connections 32]
import { parseArgs } from 'node:util'
import { load } from '../support/client.ts'
import { fillOrg } from '../support/fill.ts'
import { openBench } from '../support/installation.ts'
import { residentMiB } from '../support/usage.ts'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '1000000' },
    connections: { type: 'string', default: '32' },
  },
})
const parts = 5

const bench = await openBench()
try {
  const { orgId, token } = await bench.newOrg()
  await fillOrg(bench.url, { size: 1_000, orgId })
  const { address, pid } = await bench.serve()
  const answers = Math.ceil(Number(values.requests) / parts)
  for (let part = 1; part <= parts; part++) {
    const connections = Number(values.connections)
    const { rate } = await load({ url: `${address}/api/v1/contacts`, token, connections, stop: { answers } })
    console.log(
      `after ${(part * answers).toLocaleString('en')} requests (${rate.toFixed(0)}/s): resident ${residentMiB(pid).toFixed(0)} MiB`,
    )
  }
} finally {
  await bench.close()
}
