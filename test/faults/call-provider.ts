import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { type Provider, type ProviderCall, Unreachable } from '../../src/voice/providers/provider.ts'

/** What can go wrong with an attempt to dial. Except after `refuses` and `away`, the provider may have dialed. */
export const behaviors = [
  ...['takes', 'refuses', 'drops', 'drops after dialing', 'delays', 'truncates', 'answers twice'],
  ...['fails', 'fails after dialing', 'talks nonsense'],
] as const
export type Behavior = (typeof behaviors)[number]

const dialsFirst: ReadonlySet<Behavior> = new Set([
  ...(['takes', 'drops after dialing', 'delays', 'truncates', 'answers twice'] as const),
  ...(['fails after dialing', 'talks nonsense'] as const),
])

/** A provider on its own port, which records each dialed call. */
export class CallProvider {
  /** Crosswalk's id of each dialed call. A call that is dialed twice is listed twice. */
  readonly dialed: string[] = []
  behaves: (callId: string) => Behavior = () => 'takes'
  readonly #server: Server

  constructor() {
    this.#server = createServer(async (request, response) => {
      const callId = request.url!.slice(1)
      if (request.method === 'GET') {
        const isThere = this.dialed.includes(callId)
        response.writeHead(isThere ? 200 : 404).end(isThere ? callText(callId) : '{}')
        return
      }
      const behavior = this.behaves(callId)
      if (dialsFirst.has(behavior)) this.dialed.push(callId)
      await answer(response, behavior, callId)
    })
  }

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}

const callText = (callId: string) => JSON.stringify({ id: `p-${callId}`, state: 'queued' })

async function answer(response: ServerResponse, behavior: Behavior, callId: string): Promise<void> {
  const text = callText(callId)
  switch (behavior) {
    case 'takes':
      return void response.writeHead(201).end(text)
    case 'refuses':
      return void response.writeHead(400).end('{"code":"21211","message":"No such number."}')
    case 'drops':
    case 'drops after dialing':
      return void response.destroy()
    case 'delays':
      await delay(250)
      return void response.writeHead(201).end(text)
    case 'truncates':
      response.writeHead(201, { 'content-length': text.length })
      response.write(text.slice(0, 9), () => response.destroy())
      return
    case 'answers twice':
      response.socket!.end(`HTTP/1.1 201 Created\r\ncontent-length: ${text.length}\r\n\r\n${text}`.repeat(2))
      return
    case 'fails':
    case 'fails after dialing':
      return void response.writeHead(503).end('{}')
    case 'talks nonsense':
      return void response.writeHead(200).end('<html>')
  }
}

export function wayTo(address: string): Provider {
  const ask = async (method: string, callId: string): Promise<{ status: number; text: string }> => {
    const signal = AbortSignal.timeout(method === 'GET' ? 10_000 : 100)
    const response = await fetch(`${address}/${callId}`, { method, signal })
    return { status: response.status, text: await response.text() }
  }
  const read = (text: string): ProviderCall => {
    const { id, state } = JSON.parse(text)
    return { providerCallId: id, state, durationSeconds: null }
  }
  return {
    async dispatch({ callId }) {
      try {
        const { status, text } = await ask('POST', callId)
        if (status >= 400 && status < 500) return { outcome: 'refused', ...JSON.parse(text) }
        if (status >= 500) return { outcome: 'unknown', reason: `${status}` }
        return { outcome: 'dispatched', call: read(text), answer: JSON.parse(text) }
      } catch (error) {
        return { outcome: 'unknown', reason: String(error) }
      }
    },
    async find({ callId }) {
      const { status, text } = await ask('GET', callId).catch(() => {
        throw new Unreachable('no answer')
      })
      return status === 404 ? null : read(text)
    },
    cancel: () => Promise.reject(new Unreachable('never')),
    parseCallback: async () => null,
  }
}
