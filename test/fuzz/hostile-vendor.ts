import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort } from 'node:worker_threads'

// A server that an organization chose, whose answers cost as much as they may. It runs in a thread, so that it does not
// delay the neighbor's client. The thread sends its address.

/** An object of about `bytes` bytes with as many lists and objects as it can have, up to `containers`. */
function packed(most: number, containers: number, first: object): Buffer {
  const begin = JSON.stringify(first).slice(0, -1)
  const bytes = most - begin.length - 100
  const parts = '[{}],'.repeat(Math.min(containers / 2, bytes / 8) - 10)
  const numbers = '1234567890123456789,'.repeat(Math.max(0, Math.min(40_000, (bytes - parts.length) / 40)))
  const texts = `"${'\\u0041'.repeat(Math.max(0, (bytes - parts.length - numbers.length) / 8))}"`
  return Buffer.from(`${begin},"a":[${parts}0],"b":[${numbers}0],"c":${texts}}`)
}

/** The answer that offers an agent is parsed only if it is short. Errors of any length are read. */
const agent = packed(32 * 1024, 4_900, { id: 'AD_x' })
const livekit = packed(250 * 1024, 4_900, {
  id: 'AD_x',
  code: 'invalid_argument',
  msg: 'x"\\'.repeat(20_000),
})
const discovery = packed(250 * 1024, 990, { issuer: 'http://x', jwks_uri: 'x'.repeat(1_900) })
const metadata = packed(4_000_000, 99_000, { fields: {}, acl: { table: { Lead: true, Contact: true } } })
/** The answer of a receiver is not parsed, but its body and its headers are read. */
const receipt = Buffer.from(`"${'x'.repeat(16_000)}"`)
const receiptHeaders = Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`x-${at}`, '1']))
const record = packed(1_000_000, 99_000, { list: [], id: 'x' })

const server = createServer((request, response) => {
  const path = request.url ?? ''
  request.resume()
  if (path.startsWith('/webhook/')) return void response.writeHead(200, receiptHeaders).end(receipt)
  const isDispatch = path.includes('CreateDispatch')
  const body = path.includes('/twirp/')
    ? isDispatch
      ? agent
      : livekit
    : path.includes('.well-known')
      ? discovery
      : /Metadata|App\/user/.test(path)
        ? metadata
        : record
  response.writeHead(path.includes('/twirp/') && !isDispatch ? 412 : 200, {
    'content-type': 'application/json',
  })
  response.end(body)
})
server.listen(0, '127.0.0.1', () =>
  parentPort!.postMessage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
)
