// Compares one API process with two (API_PROCESSES). Both take turns in one run, on one database.
//   node bench/endpoints/processes.ts [--rounds 3] [--seconds 3]
import { parseArgs } from 'node:util'
import { openBench } from '../support/installation.ts'
import { residentMiB } from '../support/usage.ts'
import { compareServers, treeOf } from './servers-in-turns.ts'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, seconds: { type: 'string', default: '3' } },
})

const bench = await openBench()
try {
  const servers = {
    'one process': await bench.serve({ ROLE: 'api' }),
    'two processes': await bench.serve({ ROLE: 'api', API_PROCESSES: '2' }),
  }
  await compareServers(bench, servers, { rounds: Number(values.rounds), seconds: Number(values.seconds) })
  for (const [name, { pid }] of Object.entries(servers))
    console.log(`${name}: ${treeOf(pid).map((each) => `${residentMiB(each).toFixed(0)} MiB`)} of memory`)
} finally {
  await bench.close()
}
