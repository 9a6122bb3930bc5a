// Measures exports of all contacts of a large org: rows a second, CPU and memory. Also measures how long a small org
// waits for one contact during an export.
//   node bench/endpoints/export.ts --folder /tmp/bench [--size 1000000] [--rounds 1]
import { parseArgs } from 'node:util'
import { quantile } from '../support/client.ts'
import { filledOrg } from '../support/fill.ts'
import { openBench } from '../support/installation.ts'
import { cpuSeconds, postgresSeconds, residentMiB } from '../support/usage.ts'

const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    size: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '1' },
  },
})
const queries = [
  'format=jsonl',
  'format=csv',
  'format=jsonl&fields=contact_id,email,version',
  'format=jsonl&sort=name',
]

const bench = await openBench(values.folder)
try {
  const { token } = await filledOrg(bench, bench.folder, Number(values.size))
  const neighbor = await bench.newOrg()
  const { address, pid } = await bench.serve({ ROLE: 'api' })
  const ask = (path: string, key: string, init: RequestInit = {}) =>
    fetch(`${address}/api/v1${path}`, {
      ...init,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    })
  const made = await ask('/contacts', neighbor.token, { method: 'POST', body: '{"first_name":"Ada"}' })
  const { data } = (await made.json()) as { data: { contact_id: string } }

  /** Reads a contact of the neighbor repeatedly until `stop` resolves. Returns the sorted times. */
  async function readUntil(stop: Promise<unknown>): Promise<number[]> {
    let isOver = false
    const over = stop.then(() => {
      isOver = true
    })
    const times: number[] = []
    while (!isOver) {
      const startedAt = performance.now()
      await (await ask(`/contacts/${data.contact_id}`, neighbor.token)).text()
      times.push(performance.now() - startedAt)
    }
    await over
    return times.sort((a, b) => a - b)
  }

  for (const query of Array.from({ length: Number(values.rounds) }, () => queries).flat()) {
    const idle = await readUntil(new Promise((resolve) => setTimeout(resolve, 3_000)))
    const [nodeBefore, postgresBefore] = [cpuSeconds(pid), postgresSeconds(bench.folder)]
    const startedAt = performance.now()
    let [lines, bytes, memory] = [0, 0, 0]
    const exported = (async () => {
      const answer = await ask(`/contacts/export?${query}`, token)
      if (!answer.ok || !answer.body) throw new Error(await answer.text())
      for await (const chunk of answer.body) {
        bytes += chunk.length
        for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++
        memory = Math.max(memory, residentMiB(pid))
      }
    })()
    const busy = await readUntil(exported)
    const seconds = (performance.now() - startedAt) / 1000
    const micros = (cpu: number) => ((cpu / lines) * 1e6).toFixed(1)
    console.log(
      [
        query.padEnd(45),
        `${Math.round(lines / seconds).toLocaleString('en')} rows/s of ${lines.toLocaleString('en')}`,
        `${(bytes / 1e6 / seconds).toFixed(0)} MB/s`,
        `CPU a row: Node ${micros(cpuSeconds(pid) - nodeBefore)} µs, PostgreSQL ${micros(postgresSeconds(bench.folder) - postgresBefore)} µs`,
        `memory ${memory.toFixed(0)} MiB`,
        `neighbor's p99 ${quantile(idle, 0.99).toFixed(1)} → ${quantile(busy, 0.99).toFixed(1)} ms`,
      ].join('   '),
    )
  }
} finally {
  await bench.close()
}
