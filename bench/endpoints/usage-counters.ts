// Compares the rate of GET /api/v1/organization with and without the counters of GET /usage. Both take turns in one run.
//   node bench/endpoints/usage-counters.ts [--rounds 15] [--seconds 3]
import { parseArgs } from 'node:util'
import { load, median } from '../support/client.ts'
import { openBench } from '../support/installation.ts'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '15' }, seconds: { type: 'string', default: '3' } },
})

const bench = await openBench()
try {
  const servers = {
    counted: await bench.serve(),
    uncounted: await bench.serve({}, 'bench/endpoints/uncounted.ts'),
  }
  const { token } = await bench.newOrg()
  const rate = async ({ address }: { address: string }, connections: number) => {
    const stop = { seconds: Number(values.seconds) }
    const measured = await load({ url: `${address}/api/v1/organization`, token, connections, stop })
    if (measured.others > 0) throw new Error(`${measured.others} answers were not 200`)
    return measured.rate
  }
  for (const connections of [1, 16]) {
    for (const server of Object.values(servers)) await rate(server, connections)
    const ratios: number[] = []
    for (let round = 0; round < Number(values.rounds); round++) {
      const isFirst = round % 2 === 0
      const before = isFirst ? 0 : await rate(servers.uncounted, connections)
      const counted = await rate(servers.counted, connections)
      ratios.push(counted / (isFirst ? await rate(servers.uncounted, connections) : before))
    }
    const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`
    console.log(
      `${connections} connections: median ${median(ratios).toFixed(3)} of the rate without counters (${range})`,
    )
  }
} finally {
  await bench.close()
}
