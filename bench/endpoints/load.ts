// A mixed load of reads, writes and retries of 20 orgs on one server. Prints throughput, times and memory each round.
// Then compares the answers to clients with the stored data.
//   node bench/endpoints/load.ts [--minutes 5] [--orgs 20] [--connections 32]
import { randomInt, randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { parseArgs } from 'node:util'
import { quantile } from '../support/client.ts'
import { connected, openBench } from '../support/installation.ts'
import { cpuSeconds, postgresSeconds, residentMiB } from '../support/usage.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    orgs: { type: 'string', default: '20' },
    connections: { type: 'string', default: '32' },
  },
})
const connections = Number(values.connections)
const rounds = 10

type Answer = { status: number; replayed: boolean; body: string }
type Org = { orgId: string; token: string; known: string[] }
type Kind = 'list' | 'read' | 'create' | 'retry' | 'change' | 'upsert'

// Like the use of a CRM: mostly reads.
const shares: [Kind, number][] = [
  ['list', 35],
  ['read', 30],
  ['create', 12],
  ['retry', 3],
  ['change', 12],
  ['upsert', 8],
]

const bench = await openBench()
const agent = new Agent({ keepAlive: true, maxSockets: connections })

function call(
  server: string,
  org: Org,
  method: string,
  path: string,
  body?: object,
  key?: string,
): Promise<Answer> {
  const text = body && JSON.stringify(body)
  const headers = {
    authorization: `Bearer ${org.token}`,
    ...(text ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) } : {}),
    ...(key ? { 'idempotency-key': key } : {}),
  }
  return new Promise((resolve, reject) => {
    const sent = request(`${server}/api/v1${path}`, { method, agent, headers }, (response) => {
      const chunks: Buffer[] = []
      response
        .on('data', (chunk) => chunks.push(chunk))
        .on('end', () =>
          resolve({
            status: response.statusCode!,
            replayed: response.headers['idempotent-replayed'] === 'true',
            body: Buffer.concat(chunks).toString(),
          }),
        )
    })
    sent.on('error', reject).end(text)
  })
}

const times = new Map<Kind, number[]>(shares.map(([kind]) => [kind, []]))
const faults: string[] = []
const created = new Map<string, string>()

function pick(): Kind {
  let left = randomInt(100)
  for (const [kind, share] of shares) {
    left -= share
    if (left < 0) return kind
  }
  return 'list'
}

async function timed(kind: Kind, expected: number, work: () => Promise<Answer>): Promise<Answer> {
  const startedAt = performance.now()
  const answer = await work()
  times.get(kind)!.push(performance.now() - startedAt)
  if (answer.status !== expected) faults.push(`${kind}: ${answer.status} ${answer.body.slice(0, 200)}`)
  return answer
}

async function step(server: string, org: Org): Promise<void> {
  const kind = org.known.length === 0 ? 'create' : pick()
  const known = () => org.known[randomInt(org.known.length)]!
  if (kind === 'list') await timed(kind, 200, () => call(server, org, 'GET', '/contacts'))
  if (kind === 'read') await timed(kind, 200, () => call(server, org, 'GET', `/contacts/${known()}`))
  if (kind === 'change')
    await timed(kind, 200, () =>
      call(server, org, 'PATCH', `/contacts/${known()}`, { city: `City ${randomInt(1000)}` }),
    )
  if (kind === 'upsert') {
    const person = {
      match_on: 'email',
      email: `person-${randomInt(500)}@example.com`,
      job_title: `Title ${randomInt(9)}`,
    }
    await timed(kind, 200, () => call(server, org, 'POST', '/contacts/upsert', person, randomUUID()))
  }
  if (kind === 'create' || kind === 'retry') {
    const key = randomUUID()
    const person = { first_name: 'Ada', last_name: 'Lovelace', external_ids: { load: key } }
    const create = () => call(server, org, 'POST', '/contacts', person, key)
    const first = await timed('create', 201, create)
    if (first.status !== 201) return
    const id = JSON.parse(first.body).data.contact_id
    created.set(key, id)
    if (org.known.length < 1000) org.known.push(id)
    if (kind === 'create') return
    const again = await timed('retry', 201, create)
    if (!again.replayed || again.body !== first.body)
      faults.push(`retry: the answer differs from the first one: ${again.body}`)
  }
}

try {
  const server = await bench.serve()
  const orgs: Org[] = []
  for (let n = 0; n < Number(values.orgs); n++) orgs.push({ ...(await bench.newOrg()), known: [] })
  const roundMs = (Number(values.minutes) * 60_000) / rounds
  const cpu = () => [cpuSeconds(server.pid), postgresSeconds(bench.folder)] as const
  for (let round = 1; round <= rounds; round++) {
    const before = cpu()
    const endAt = performance.now() + roundMs
    const worker = async () => {
      while (performance.now() < endAt) {
        await step(server.address, orgs[randomInt(orgs.length)]!)
      }
    }
    await Promise.all(Array.from({ length: connections }, worker))
    const all = [...times.values()].flat().sort((a, b) => a - b)
    const [node, postgres] = cpu().map((now, index) => ((now - before[index]!) / all.length) * 1000)
    console.log(
      `round ${String(round).padStart(2)}  ${((all.length / roundMs) * 1000).toFixed(0).padStart(5)} req/s   p50 ${quantile(all, 0.5).toFixed(1)} ms   p99 ${quantile(all, 0.99).toFixed(1)} ms   resident ${residentMiB(server.pid).toFixed(0)} MiB   a request: ${node!.toFixed(2)} ms of Node, ${postgres!.toFixed(2)} ms of PostgreSQL`,
    )
    if (round < rounds) for (const list of times.values()) list.length = 0
  }
  for (const [kind, list] of times) {
    const sorted = list.sort((a, b) => a - b)
    console.log(
      `  ${kind.padEnd(7)} p50 ${quantile(sorted, 0.5).toFixed(1)} ms   p99 ${quantile(sorted, 0.99).toFixed(1)} ms`,
    )
  }
  const { rows } = await connected(bench.url, (client) =>
    client.query<{ key: string; ids: string[] }>(
      `select external_ids ->> 'load' as key, array_agg(contact_id::text) as ids from contact
       where external_ids ->> 'load' is not null group by 1`,
    ),
  )
  const stored = new Map(rows.map(({ key, ids }) => [key, ids]))
  const lost = [...created].filter(([key, id]) => !stored.get(key)?.includes(id)).length
  const doubled = rows.filter(({ ids }) => ids.length > 1).length
  console.log(
    `${created.size} creations acknowledged, ${stored.size} found, ${doubled} doubled, ${lost} lost, ${faults.length} unexpected answers`,
  )
  for (const fault of faults.slice(0, 10)) console.log(`  ${fault}`)
  if (lost + doubled + faults.length > 0) process.exitCode = 1
} finally {
  agent.destroy()
  await bench.close()
}
