// Compares the time of a read through the tool server with the same read through the API. Both take turns in one run.
//   node bench/endpoints/tools.ts [--rounds 7] [--seconds 3]
import { parseArgs } from 'node:util'
import { drive, load, median } from '../support/client.ts'
import { openBench } from '../support/installation.ts'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '7' }, seconds: { type: 'string', default: '3' } },
})
const stop = { seconds: Number(values.seconds) }

const protocol = '2026-07-28'
const meta = {
  'io.modelcontextprotocol/protocolVersion': protocol,
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
}

/** The rate of a tool's answers, each of which must be a result. */
async function toolRate(address: string, token: string, connections: number, name: string, args: object) {
  const params = { name, arguments: args, _meta: meta }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const head = [
    `POST /mcp HTTP/1.1`,
    `host: ${new URL(address).host}`,
    `authorization: Bearer ${token}`,
    `content-type: application/json`,
    `content-length: ${Buffer.byteLength(body)}`,
    `mcp-protocol-version: ${protocol}`,
    `mcp-method: tools/call`,
    `mcp-name: ${name}`,
  ].join('\r\n')
  const request = Buffer.from(`${head}\r\n\r\n${body}`)
  let failed = 0
  const measured = await drive(address, connections, stop, {
    next: () => request,
    isExpected: (answer) => answer.startsWith('HTTP/1.1 200'),
    onAnswer: (answer) => {
      if (!answer.includes('"structuredContent"')) failed++
    },
  })
  if (measured.others + failed > 0) throw new Error(`${measured.others + failed} calls of ${name} failed`)
  return measured.rate
}

const bench = await openBench()
try {
  const { address } = await bench.serve()
  const { token } = await bench.newOrg()
  const post = async (body: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await fetch(`${address}/api/v1/contacts`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    return ((await answer.json()) as { data: { contact_id: string } }).data.contact_id
  }
  let id = ''
  for (let index = 0; index < 100; index++)
    id = await post({ first_name: 'Ada', last_name: `Lovelace ${index}`, email: `ada-${index}@example.com` })
  const fields = 'contact_id,first_name,last_name,email,phone,company_name,job_title,lifecycle_stage,tags'
  const reads = [
    ['get_record', { entity_type: 'contact', id }, `/api/v1/contacts/${id}`],
    ['list_records', { entity_type: 'contact' }, `/api/v1/contacts?limit=20&fields=${fields}`],
    ['get_organization', {}, '/api/v1/organization'],
  ] as const
  for (const connections of [1, 16])
    for (const [name, args, path] of reads) {
      const api = async () => (await load({ url: `${address}${path}`, token, connections, stop })).rate
      const tool = () => toolRate(address, token, connections, name, args)
      await api()
      await tool()
      const ratios: number[] = []
      for (let round = 0; round < Number(values.rounds); round++) {
        const first = round % 2 === 0 ? await api() : await tool()
        const second = round % 2 === 0 ? await tool() : await api()
        ratios.push(round % 2 === 0 ? first / second : second / first)
      }
      const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`
      console.log(
        `${name}, ${connections} connections: ${median(ratios).toFixed(2)} times the API call (${range})`,
      )
    }
} finally {
  await bench.close()
}
