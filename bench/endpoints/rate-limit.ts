// Compares GET /api/v1/organization with rate limits in memory and in Redis. Both take turns in one run.
//   node bench/endpoints/rate-limit.ts [--rounds 7] [--seconds 3]
import { parseArgs } from 'node:util'
import { setCeilings } from '../../src/orgs/operator.ts'
import { system } from '../../src/platform/db/system.ts'
import { highestCeiling } from '../../src/platform/rate-limit/rate-limit.ts'
import { installedRedis, OwnRedis } from '../../test/support/own-redis.ts'
import { load, type Measured, median } from '../support/client.ts'
import { openBench } from '../support/installation.ts'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '7' }, seconds: { type: 'string', default: '3' } },
})

const row = (name: string, { rate, p50, p99, others }: Measured) =>
  `${name.padEnd(8)} ${rate.toFixed(0).padStart(7)} req/s   p50 ${p50.toFixed(3).padStart(7)} ms   p99 ${p99.toFixed(2).padStart(6)} ms${others ? `   ${others} NOT 200` : ''}`

const [installed] = installedRedis()
if (!installed) throw new Error('This needs a redis-server or valkey-server on the PATH')
const redis = await OwnRedis.create(installed)
const bench = await openBench()
try {
  const servers = { memory: await bench.serve(), redis: await bench.serve({ REDIS_URL: redis.url }) }
  const measure = async ({ address }: { address: string }, connections: number) => {
    // Use a new org for each measurement. Its limits refuse nothing.
    const { orgId, token } = await bench.newOrg()
    const ceilings = { perSecond: 10_000, perMinute: highestCeiling }
    await system(bench.database).transact((tx) => setCeilings(tx, orgId, ceilings))
    const stop = { seconds: Number(values.seconds) }
    return load({ url: `${address}/api/v1/organization`, token, connections, stop })
  }
  for (const connections of [1, 32]) {
    for (const server of Object.values(servers)) await measure(server, connections)
    const rounds: { memory: Measured; redis: Measured }[] = []
    console.log(`\n${connections} connection${connections > 1 ? 's' : ''}, ${installed.version}`)
    for (let round = 0; round < Number(values.rounds); round++) {
      const pair = {
        memory: await measure(servers.memory, connections),
        redis: await measure(servers.redis, connections),
      }
      rounds.push(pair)
      console.log(`${row('memory', pair.memory)}\n${row('redis', pair.redis)}`)
    }
    const added = median(rounds.map((pair) => pair.redis.p50 - pair.memory.p50))
    const ratio = median(rounds.map((pair) => pair.redis.rate / pair.memory.rate))
    console.log(`median: Redis adds ${added.toFixed(3)} ms at p50, ${ratio.toFixed(2)} of the rate`)
  }
} finally {
  await bench.close()
  await redis.remove()
}
