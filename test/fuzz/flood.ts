import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

// The flood runs in a thread, so that it does not delay the neighbor's client. The thread first sends `ready`, and
// at the end the answers.

/** The path, the body, or additional headers, of one request of a flood. */
export type Variant = { path?: string; body?: Uint8Array | null; headers?: Record<string, string> }

export type Flood = {
  address: string
  token: string
  method: string
  path: string
  contentType: string
  body: Uint8Array | null
  /** The requests use these variants one after another. By default all are equal. */
  variants?: Variant[]
  perSecond: number
  count: number
}

/** The number of answers by status; 0: no answer. */
export type Answers = Record<number, number>

const flood = workerData as Flood
const agent = new Agent({ keepAlive: true, maxSockets: 256 })
const answers: Answers = {}
parentPort!.postMessage('ready')
const begun = performance.now()
const sent: Promise<void>[] = []
for (let number = 0; number < flood.count; number++) {
  await sleep(Math.max(0, begun + (number * 1000) / flood.perSecond - performance.now()))
  sent.push(
    send(requestOf(flood, number)).then((status) => {
      answers[status] = (answers[status] ?? 0) + 1
    }),
  )
}
await Promise.all(sent)
agent.destroy()
parentPort!.postMessage(answers)

function requestOf(flood: Flood, number: number): Flood & Variant {
  const { variants } = flood
  return variants?.length ? { ...flood, ...variants[number % variants.length] } : flood
}

function send({
  address,
  token,
  method,
  path,
  contentType,
  body,
  headers = {},
}: Flood & Variant): Promise<number> {
  return new Promise((resolve) => {
    const sending = request(address + path, { method, agent, timeout: 60_000 }, (response) => {
      response.on('error', () => resolve(0)).on('end', () => resolve(response.statusCode!))
      response.resume()
    })
    sending.on('timeout', () => sending.destroy(new Error('no answer')))
    sending.on('error', () => resolve(0))
    sending.setHeader('authorization', `Bearer ${token}`)
    for (const [name, value] of Object.entries(headers)) sending.setHeader(name, value)
    if (body) sending.setHeader('content-type', contentType).setHeader('content-length', body.length)
    sending.end(body ?? undefined)
  })
}
