// Measures a server that nobody uses: CPU time, memory, and the transactions of PostgreSQL.
//   node bench/endpoints/idle.ts [--seconds 30] [--warm 45]
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { connected, openBench } from '../support/installation.ts'
import { cpuSeconds, postgresSeconds, residentMiB } from '../support/usage.ts'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '30' }, warm: { type: 'string', default: '45' } },
})
const targets = { cpuPercent: 0.5, mebibytes: 120 }

const bench = await openBench()
try {
  const { pid } = await bench.serve()
  // V8 collects the garbage of the start in the first half minute.
  await delay(Number(values.warm) * 1_000)
  const read = async () => ({
    at: performance.now() / 1_000,
    node: cpuSeconds(pid),
    postgres: postgresSeconds(bench.folder),
    transactions: await connected(bench.url, async (client) => {
      const { rows } = await client.query(
        'select xact_commit + xact_rollback as n from pg_stat_database where datname = current_database()',
      )
      return Number(rows[0].n)
    }),
  })
  const before = await read()
  await delay(Number(values.seconds) * 1_000)
  const after = await read()
  const seconds = after.at - before.at
  const percent = (of: 'node' | 'postgres') => ((100 * (after[of] - before[of])) / seconds).toFixed(2)
  console.log(`Node        ${percent('node')} % of a core (target ${targets.cpuPercent})`)
  console.log(`PostgreSQL  ${percent('postgres')} % of a core`)
  console.log(`transactions ${((after.transactions - before.transactions) / seconds).toFixed(1)} a second`)
  console.log(`resident    ${residentMiB(pid).toFixed(0)} MiB (target ${targets.mebibytes})`)
} finally {
  await bench.close()
}
