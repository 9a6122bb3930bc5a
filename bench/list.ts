// GET /api/v1/contacts (25 rows, everything on) against a bare handler, in turns, in the same run.
//   node bench/list.ts [--sizes 1000,300000] [--rounds 5] [--seconds 4] [--requests 1000000]
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { contacts } from '../src/contacts/contacts.ts'
import { createImport } from '../src/imports/imports.ts'
import { load as importRows } from '../src/imports/load.ts'
import { openTable } from '../src/imports/table.ts'
import { load, type Measured, median } from './client.ts'
import { type Bench, openBench, residentMiB } from './installation.ts'
import { csvFile } from './people.ts'

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,300000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    requests: { type: 'string', default: '0' },
  },
})
const connections = 32

async function fill(bench: Bench, orgId: string, count: number): Promise<void> {
  const org = bench.database.org(orgId)
  const actor = { orgId, mode: 'live', apiKeyId: null } as const
  const input = { type: contacts, status: 'running', fileName: undefined, mapping: undefined } as const
  const importId = await org.transact((tx) => createImport(tx, actor, input))
  await importRows({
    org,
    actor,
    type: contacts,
    importId,
    table: await openTable(csvFile(count), contacts, undefined),
  })
  // What autovacuum does within a minute: without it both sides are planned for an empty table.
  const client = new Client({ connectionString: bench.url })
  await client.connect()
  await client.query('vacuum analyze')
  await client.end()
}

const row = (name: string, { rate, p50, p99, others }: Measured) =>
  `${name.padEnd(10)} ${rate.toFixed(0).padStart(7)} req/s   p50 ${p50.toFixed(2).padStart(6)} ms   p99 ${p99.toFixed(2).padStart(6)} ms${others ? `   ${others} NOT 200` : ''}`

const bench = await openBench()
try {
  const ours = await bench.serve()
  for (const size of values.sizes.split(',').map(Number)) {
    const { orgId, token } = await bench.newOrg()
    await fill(bench, orgId, size)
    const bare = await bench.start('bench/bare.ts', [bench.url, orgId])
    const measure = (server: { address: string }, path: string) =>
      load({ url: `${server.address}${path}`, token, connections, stop: { seconds: Number(values.seconds) } })
    await measure(ours, '/api/v1/contacts')
    await measure(bare, '/')
    const rounds: { ours: Measured; bare: Measured }[] = []
    console.log(`\n${size.toLocaleString('en')} contacts, ${connections} connections`)
    for (let round = 0; round < Number(values.rounds); round++) {
      const pair = { ours: await measure(ours, '/api/v1/contacts'), bare: await measure(bare, '/') }
      rounds.push(pair)
      console.log(`${row('crosswalk', pair.ours)}\n${row('bare', pair.bare)}`)
    }
    const ratio = median(rounds.map((pair) => pair.ours.rate / pair.bare.rate))
    const tail = median(rounds.map((pair) => pair.ours.p99 / pair.bare.p99))
    console.log(
      `median ratio: ${ratio.toFixed(2)} of the bare rate, p99 ${tail.toFixed(2)} times the bare one; resident ${residentMiB(ours.pid).toFixed(0)} MiB`,
    )
    if (Number(values.requests) > 0 && size === Number(values.sizes.split(',').at(-1))) {
      for (let done = 0; done < Number(values.requests); done += 250_000) {
        const part = await load({
          url: `${ours.address}/api/v1/contacts`,
          token,
          connections,
          stop: { answers: 250_000 },
        })
        console.log(
          `after ${(done + 250_000).toLocaleString('en')} more requests (${part.rate.toFixed(0)}/s): resident ${residentMiB(ours.pid).toFixed(0)} MiB`,
        )
      }
    }
  }
} finally {
  await bench.close()
}
