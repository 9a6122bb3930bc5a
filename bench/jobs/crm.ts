// Measures a push of people to a CRM that takes 5 ms for each batch of 200. Server and worker are two processes.
// npm run bench:crm [-- --people 100000] [--rounds 1] [--profile folder]
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { quantile } from '../support/client.ts'
import { connected, openBench } from '../support/installation.ts'
import { cpuSeconds, postgresSeconds, residentMiB } from '../support/usage.ts'

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '1' },
    profile: { type: 'string' },
  },
})
const people = Number(values.people)
const targets = { perSecond: 5_000, gapMs: 1_000, slower: 5 }

const bench = await openBench()

async function fill(orgId: string): Promise<void> {
  await connected(bench.url, async (owner) => {
    await owner.query(
      `insert into contact (org_id, contact_id, first_name, last_name, email, emails, company_name, job_title, city, search,
       created_at, updated_at)
     select $1, app.uuid_v7(), 'Ada', 'Lovelace ' || n, 'p' || n || '@example.com', array['p' || n || '@example.com'],
       'Engines ' || n % 997, 'Engineer', 'London', '', now(), now()
     from generate_series(1, $2::int) as n`,
      [orgId, people],
    )
    await owner.query('analyze contact')
  })
}

type Asked = <Answer>(method: 'GET' | 'POST', path: string, body?: object) => Promise<Answer>
const clientOf =
  (address: string, token: string): Asked =>
  async (method, path, body) => {
    const response = await fetch(`${address}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as never
  }

/** Lists contacts every 25 ms until `until` settles. Returns the 99th percentile of the response times in ms. */
async function listMeanwhile(ask: Asked, until: Promise<unknown>): Promise<number> {
  const times: number[] = []
  let isOver = false
  until.finally(() => {
    isOver = true
  })
  while (!isOver) {
    const sentAt = performance.now()
    await ask('GET', '/contacts?limit=50')
    times.push(performance.now() - sentAt)
    await delay(25)
  }
  times.sort((a, b) => a - b)
  return quantile(times, 0.99)
}

type Job = { job_id: string; status: string; counts: Record<string, number> }

/**
 * Watches a job until it ends. Returns its duration in seconds and, in ms, the time until its counts first change and
 * the longest time between two changes.
 */
async function watch(ask: Asked, jobId: string, workerPid: number) {
  const startedAt = performance.now()
  let [changedAt, processed, firstMs, gapMs, resident] = [startedAt, 0, 0, 0, 0]
  for (;;) {
    const job = await ask<Job>('GET', `/integrations/crm-sync/jobs/${jobId}`)
    const now = performance.now()
    resident = Math.max(resident, residentMiB(workerPid))
    if (job.counts.processed !== processed) {
      if (processed === 0) firstMs = now - startedAt
      else gapMs = Math.max(gapMs, now - changedAt)
      ;[changedAt, processed] = [now, job.counts.processed!]
    }
    if (job.status !== 'queued' && job.status !== 'running')
      return { job, seconds: (now - startedAt) / 1000, firstMs, gapMs, resident }
    await delay(20)
  }
}

async function round(): Promise<boolean> {
  const crm = await bench.start('bench/jobs/crm-stand-in.ts', ['5'])
  const { orgId, token } = await bench.newOrg()
  await fill(orgId)
  const settings = { SALESFORCE_LOGIN_URL: crm.address, LOG_LEVEL: 'warn' }
  const server = await bench.serve({ ...settings, ROLE: 'api' })
  const profiling = values.profile ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${values.profile}` } : {}
  const worker = await bench.serve({ ...settings, ROLE: 'worker', ...profiling })
  const ask = clientOf(server.address, token)
  const credentials = { client_id: 'bench', client_secret: 'bench', refresh_token: 'bench' }
  const connection = { provider: 'salesforce', credentials }
  const { data } = await ask<{ data: { connection_id: string } }>(
    'POST',
    '/integrations/crm-sync/connections',
    connection,
  )
  await listMeanwhile(ask, delay(2_000))
  const idle = await listMeanwhile(ask, delay(5_000))
  const before = [cpuSeconds(worker.pid), cpuSeconds(server.pid), postgresSeconds(bench.folder)]
  const body = { connection_id: data.connection_id, large_population_confirmed: true }
  const { job_id: jobId } = await ask<Job>('POST', '/integrations/crm-sync/leads/push', body)
  const watched = watch(ask, jobId, worker.pid)
  const busy = await listMeanwhile(ask, watched)
  const { job, seconds, firstMs, gapMs, resident } = await watched
  const after = [cpuSeconds(worker.pid), cpuSeconds(server.pid), postgresSeconds(bench.folder)]
  const [ours, theirs, postgres] = after.map((each, index) => each - before[index]!)
  const there = (await (await fetch(`${crm.address}/leads`)).json()) as { leads: number; twice: number }
  const rate = people / seconds
  const isWhole = job.status === 'succeeded' && there.leads === people && there.twice === 0
  const kept = {
    pushed: isWhole,
    rate: rate >= targets.perSecond,
    gap: gapMs <= targets.gapMs,
    lists: busy <= idle * targets.slower,
  }
  console.log(
    `${people.toLocaleString('en')} people in ${seconds.toFixed(1)} s: ${rate.toFixed(0)} a second; counts change after ${firstMs.toFixed(0)} ms, then after ${gapMs.toFixed(0)} ms at most; worker at most ${resident.toFixed(0)} MiB`,
  )
  console.log(
    `GET /contacts p99 ${idle.toFixed(1)} ms idle, ${busy.toFixed(1)} ms meanwhile; CPU time of worker ${ours!.toFixed(1)} s, server ${theirs!.toFixed(1)} s, PostgreSQL ${postgres!.toFixed(1)} s`,
  )
  console.log(`job ${job.status}, Leads ${there.leads}, sent again ${there.twice}`)
  // End both processes: the next round starts new ones, and Node writes the profile at the end of a process.
  for (const { pid } of [worker, server]) process.kill(pid, 'SIGTERM')
  await delay(values.profile ? 4_000 : 1_000)
  const missed = Object.entries(kept).filter(([, isKept]) => !isKept)
  if (missed.length > 0) console.log(`NOT REACHED: ${missed.map(([name]) => name).join(', ')}`)
  return missed.length === 0
}

try {
  for (let count = 0; count < Number(values.rounds); count++) if (!(await round())) process.exitCode = 1
} finally {
  await bench.close()
}
