import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Webhook } from 'standardwebhooks'

/** A body as a receiver reads it. */
export type Received = {
  type: string
  event_id: string
  org_id: string
  mode: string
  data: {
    object_type: string
    object_id: string
    object?: { version: number } & Record<string, unknown>
    merged_into?: string
    details: Record<string, unknown>
  }
}

export type Delivered = {
  body: Received
  text: string
  headers: Record<string, string>
  status: number
}

/** The status of the answer, or a function that answers or does not. */
export type Behavior = number | ((response: ServerResponse, request: IncomingMessage) => void)

export type Receiver = {
  url: string
  /** Every request, in order. `badSignatures` counts those without a valid signature. */
  requests: Delivered[]
  /** Requests that the receiver answered with 2xx. */
  accepted(): Delivered[]
  /** Sets how each request is answered; 200 by default. */
  behave(decide: (body: Received, request: IncomingMessage) => Behavior): void
  /** One of these secrets must verify each request. */
  secrets: string[]
  badSignatures: number
  close(): void
}

/** An HTTP server on this machine that receives webhooks, and checks signatures with an unmodified verifier. */
export async function startReceiver(...secrets: string[]): Promise<Receiver> {
  let decide: (body: Received, request: IncomingMessage) => Behavior = () => 200
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const headers = request.headers as Record<string, string>
      if (!receiver.secrets.some((secret) => isSigned(secret, text, headers))) receiver.badSignatures += 1
      const body = JSON.parse(text) as Received
      const behavior = decide(body, request)
      const delivered = { body, text, headers, status: typeof behavior === 'number' ? behavior : 0 }
      receiver.requests.push(delivered)
      if (typeof behavior === 'number') response.writeHead(behavior).end(`answered ${behavior}`)
      else behavior(response, request)
    })
  })
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket.on('close', () => sockets.delete(socket))))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    requests: [],
    accepted: () => receiver.requests.filter(({ status }) => status >= 200 && status < 300),
    behave: (next) => {
      decide = next
    },
    secrets,
    badSignatures: 0,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
  return receiver
}

function isSigned(secret: string, text: string, headers: Record<string, string>): boolean {
  try {
    new Webhook(secret).verify(text, headers)
    return true
  } catch {
    return false
  }
}
