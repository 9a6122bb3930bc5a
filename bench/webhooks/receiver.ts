// Receives webhooks: /ok answers at once, /hang never. GET /stats returns and resets the number of requests to /ok, and
// their delays after the events.
//   node bench/webhooks/receiver.ts
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { quantile } from '../support/client.ts'

let delays: number[] = []
let firstAt = 0
let lastAt = 0

const server = createServer((request, response) => {
  if (request.url === '/stats') {
    const sorted = delays.toSorted((a, b) => a - b)
    const stats = {
      count: sorted.length,
      p50: quantile(sorted, 0.5),
      p99: quantile(sorted, 0.99),
      firstAt,
      lastAt,
    }
    delays = []
    response.end(JSON.stringify(stats))
    return
  }
  if (request.url === '/count') {
    response.end(String(delays.length))
    return
  }
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    if (!request.url?.startsWith('/ok')) return
    lastAt = Date.now()
    if (delays.length === 0) firstAt = lastAt
    const [, timestamp = ''] = /"timestamp":"([^"]+)"/.exec(Buffer.concat(chunks).toString('latin1')) ?? []
    delays.push(lastAt - Date.parse(timestamp))
    response.writeHead(204).end()
  })
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
