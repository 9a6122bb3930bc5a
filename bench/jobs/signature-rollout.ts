// Measures a rollout to sandbox mailboxes, from the request until all signatures are installed. One process serves and
// works, like npm start. Also measures how long single pushes wait during a rollout to a slow Gmail.
//   npm run bench:rollout [-- --mailboxes 1000 --rounds 5 --gmail 5000 --answer-ms 300 --seconds 30]
import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { loadavg } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { median } from '../support/client.ts'
import { openBench } from '../support/installation.ts'
import { cpuSeconds, postgresSeconds } from '../support/usage.ts'

const { values } = parseArgs({
  options: {
    mailboxes: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '5' },
    gmail: { type: 'string', default: '5000' },
    'answer-ms': { type: 'string', default: '300' },
    seconds: { type: 'string', default: '30' },
  },
})
const targetMs = 5_000
const targetWaitMs = 2_000
const answerMs = Number(values['answer-ms'])

type Org = { orgId: string; token: string }
type Answer = { data: Record<string, unknown> & { deployment: { status: string } } }

/** A slow stand-in for Google's sign-in and sendAs settings. */
const signatures = new Map<string, string>()
const google = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  const body = Buffer.concat(chunks).toString()
  await delay(answerMs)
  const say = (answer: object) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  if (request.url === '/token') {
    const claims = new URLSearchParams(body).get('assertion')!.split('.')[1]!
    return say({ access_token: JSON.parse(Buffer.from(claims, 'base64url').toString()).sub })
  }
  const sendAsEmail = request.headers.authorization!.slice('Bearer '.length)
  if (request.method === 'PATCH') signatures.set(sendAsEmail, JSON.parse(body).signature)
  const address = { sendAsEmail, isPrimary: true, signature: signatures.get(sendAsEmail) ?? '' }
  return say(request.url!.endsWith('/sendAs') ? { sendAs: [address] } : address)
})
await new Promise<void>((resolve) => google.listen(0, '127.0.0.1', resolve))
const googleUrl = `http://127.0.0.1:${(google.address() as AddressInfo).port}`

const bench = await openBench()
const owner = new Client({ connectionString: bench.url })
await owner.connect()

try {
  const { address, pid } = await bench.serve({
    GMAIL_API_URL: googleUrl,
    GOOGLE_TOKEN_URL: `${googleUrl}/token`,
    LOG_LEVEL: 'warn',
  })

  async function ask(org: Org, method: string, path: string, body?: object): Promise<Answer['data']> {
    const response = await fetch(`${address}/api/v1/signatures${path}`, {
      method,
      headers: { authorization: `Bearer ${org.token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return ((await response.json()) as Answer).data
  }

  async function newTemplate(org: Org, mailboxes: number, provider: string): Promise<string> {
    const html =
      '<p><b>{{ display_name }}</b><br>{{ title }}, {{ org.name }}<br><a href="mailto:{{ email }}">{{ email }}</a></p>'
    const { template_id } = await ask(org, 'POST', '/templates', { name: 'Bench', html })
    await owner.query(
      `insert into signature_mailbox (org_id, email, email_key, display_name, provider, template_id, fields)
       select $1, $4 || n || '@example.com', $4 || n || '@example.com', 'Person ' || n, $4, $2, '{"title": "Analyst"}'
       from generate_series(1, $3) n`,
      [org.orgId, template_id, mailboxes, provider],
    )
    return String(template_id)
  }

  async function rolledOut(org: Org, templateId: string): Promise<number> {
    const { version } = await ask(org, 'GET', `/templates/${templateId}`)
    const startedAt = performance.now()
    const { rollout_id } = await ask(org, 'POST', `/templates/${templateId}/push`, { version })
    for (;;) {
      const { status } = await ask(org, 'GET', `/rollouts/${rollout_id}`)
      if (status === 'finished') return performance.now() - startedAt
      await delay(50)
    }
  }

  const count = Number(values.mailboxes)
  const org = await bench.newOrg()
  const template = await newTemplate(org, count, 'sandbox')
  const times: number[] = []
  for (let round = 0; round < Number(values.rounds); round++) {
    if (round > 0)
      await ask(org, 'PATCH', `/templates/${template}`, { html: `<p>Round ${round}: {{ email }}</p>` })
    const before = [cpuSeconds(pid), postgresSeconds(bench.folder)] as const
    const ms = await rolledOut(org, template)
    const each = (seconds: number) => ((seconds * 1000) / count).toFixed(2)
    const cpu = `${each(cpuSeconds(pid) - before[0])} ms of a core in Node and ${each(postgresSeconds(bench.folder) - before[1])} ms in PostgreSQL each`
    console.log(
      `${count} sandbox mailboxes: ${(ms / 1000).toFixed(2)} s, ${cpu}, load ${loadavg()[0]!.toFixed(1)}`,
    )
    times.push(ms)
  }
  console.log(`median ${(median(times) / 1000).toFixed(2)} s`)
  if (median(times) > targetMs) {
    console.log(`FAILED: more than ${targetMs / 1000} s`)
    process.exitCode = 1
  }

  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const service_account = { client_email: 'bench@bench.iam.gserviceaccount.com', private_key: privateKey }
  const [busy, other] = [await bench.newOrg(), await bench.newOrg()]
  await ask(busy, 'PATCH', '/settings', { gmail: { service_account } })
  await ask(other, 'PATCH', '/settings', { gmail: { service_account } })

  async function singles(org: Org, provider: string): Promise<number[]> {
    const id = await newTemplate(org, 200, provider)
    const { rows } = await owner.query<{ mailbox_id: string }>(
      'select mailbox_id from signature_mailbox where org_id = $1 and template_id = $2',
      [org.orgId, id],
    )
    return rows.map((row) => Number(row.mailbox_id))
  }
  const asked = [
    { who: 'another org, sandbox', org: other, ids: await singles(other, 'sandbox'), waits: [] as number[] },
    { who: 'another org, Gmail', org: other, ids: await singles(other, 'gmail'), waits: [] as number[] },
    { who: 'the same org, sandbox', org: busy, ids: await singles(busy, 'sandbox'), waits: [] as number[] },
  ]
  const slow = await ask(busy, 'POST', '/templates', { name: 'Slow', html: '<b>{{ email }}</b>' })
  await owner.query(
    `insert into signature_mailbox (org_id, email, email_key, provider, template_id, fields)
     select $1, 'slow' || n || '@example.com', 'slow' || n || '@example.com', 'gmail', $2, '{}' from generate_series(1, $3) n`,
    [busy.orgId, slow.template_id, Number(values.gmail)],
  )
  const rollout = await ask(busy, 'POST', `/templates/${slow.template_id}/push`, { version: 1 })
  const endAt = performance.now() + Number(values.seconds) * 1000
  await Promise.all(
    asked.map(async ({ org, ids, waits }) => {
      while (performance.now() < endAt) {
        const id = ids[waits.length % ids.length]!
        const startedAt = performance.now()
        await ask(org, 'POST', `/mailboxes/${id}/push`, { version: 1 })
        while ((await ask(org, 'GET', `/mailboxes/${id}`)).deployment.status !== 'installed') await delay(20)
        waits.push(performance.now() - startedAt)
        await delay(200)
      }
    }),
  )
  const { counts } = await ask(busy, 'GET', `/rollouts/${rollout.rollout_id}`)
  console.log(
    `\n${values.gmail} mailboxes at a Gmail that takes ${answerMs} ms an answer, after ${values.seconds} s: ${JSON.stringify(counts)}`,
  )
  for (const { who, waits } of asked) {
    const most = Math.max(...waits)
    console.log(
      `${who.padEnd(22)} ${waits.length} pushes, median ${median(waits).toFixed(0)} ms, most ${most.toFixed(0)} ms`,
    )
    // A push to Gmail sends four requests.
    const own = who.endsWith('Gmail') ? 4 * answerMs : 0
    if (most > targetWaitMs + own) {
      console.log(`FAILED: more than ${targetWaitMs + own} ms`)
      process.exitCode = 1
    }
  }
} finally {
  google.closeAllConnections()
  google.close()
  await owner.end()
  await bench.close()
}
