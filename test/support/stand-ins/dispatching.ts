import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Outbound } from '../../../src/platform/outbound/outbound.ts'
import { outsideProvider } from '../../../src/voice/providers/outside.ts'
import type {
  CallbackReport,
  CallbackRequest,
  CallOrder,
  Provider,
} from '../../../src/voice/providers/provider.ts'
import type { Fault } from './server.ts'

export const outside = {
  ...{ outbound: new Outbound({ allowPrivate: true }), owner: 'a test' },
  ...{ twilioApiUrl: 'http://127.0.0.1:9', vapiApiUrl: 'http://127.0.0.1:9' },
}

export { outsideProvider }

export const orderOf = (changes: Partial<CallOrder> = {}): CallOrder => ({
  ...{ callId: randomUUID(), to: '+442079460018', from: '+14155550100', fromRef: null },
  ...{ disclosure: null, lastCheck: async () => null, instructions: 'Ask about the boiler.' },
  greeting: 'Hello {{name}}, it is <Ann> & Co.',
  voice: { provider_voice_id: 'Polly.Amy', language: 'en-GB', speed: null },
  ...{ variables: { name: 'Zoë' }, metadata: { campaign: 7 }, maxDurationSeconds: 900, callbackUrl: null },
  ...changes,
})

/** Faults during dialing, each with the expected outcome and how often the phone rings. */
export const dialFaults: [
  what: string,
  Fault | null,
  outcome: 'dispatched' | 'refused' | 'unknown',
  dials: 0 | 1,
][] = [
  ['nothing goes wrong', null, 'dispatched', 1],
  ['a late answer', { when: 'after', how: 'slow', ms: 30 }, 'dispatched', 1],
  ['an answer that comes twice', { when: 'after', how: 'twice' }, 'dispatched', 1],
  ['an answer after one that informs', { when: 'after', how: 'hinted' }, 'dispatched', 1],
  [
    '403, in words of a proxy',
    { when: 'before', how: 'answer', status: 403, body: '<h1>Go away</h1>' },
    'refused',
    0,
  ],
  ['429', { when: 'before', how: 'answer', status: 429, body: {} }, 'refused', 0],
  ['500 before it dials', { when: 'before', how: 'answer', status: 500 }, 'unknown', 0],
  ['503 after it dialed', { when: 'after', how: 'answer', status: 503 }, 'unknown', 1],
  [
    '504 of a proxy',
    { when: 'after', how: 'answer', status: 504, body: '<h1>Gateway Timeout</h1>' },
    'unknown',
    1,
  ],
  ['a redirect', { when: 'before', how: 'answer', status: 307, body: '' }, 'unknown', 0],
  ['a drop before it dials', { when: 'before', how: 'drop' }, 'unknown', 0],
  ['a drop after it dialed', { when: 'after', how: 'drop' }, 'unknown', 1],
  ['half an answer', { when: 'after', how: 'half' }, 'unknown', 1],
  ['an answer of half its JSON', { when: 'after', how: 'truncated' }, 'unknown', 1],
  ['an answer that is none', { when: 'after', how: 'answer', status: 201, body: { ok: true } }, 'unknown', 1],
  ['an empty answer', { when: 'after', how: 'answer', status: 200, body: '' }, 'unknown', 1],
  ['no answer', { when: 'after', how: 'silent' }, 'unknown', 1],
  ['no answer and no dial', { when: 'before', how: 'silent' }, 'unknown', 0],
]

/** How long to wait for an answer in milliseconds: briefly if the fault prevents one. */
export const answerTimeoutMs = (fault: Fault | null) => (fault?.how === 'silent' ? 150 : 10_000)

/** Records what each callback reports, or why it is refused. */
export class CallbackReceiver {
  url = ''
  readonly heard: (CallbackReport | null | Error)[] = []
  readonly requests: CallbackRequest[] = []
  provider: Provider | null = null
  readonly #server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const { origin } = new URL(this.url)
    const headers = request.headers as Record<string, string | undefined>
    const seen = { orgId: 'org', url: origin + request.url, headers, body: Buffer.concat(chunks) }
    this.requests.push(seen)
    try {
      this.heard.push((await this.provider?.parseCallback(seen)) ?? null)
    } catch (error) {
      this.heard.push(error as Error)
    }
    response.writeHead(204).end()
  })

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hooks/voice/x/orgtoken`
  }

  /** The states have the order of arrival. */
  get states(): string[] {
    return this.heard.map((each) => (each === null || each instanceof Error ? String(each) : each.call.state))
  }

  clear(): void {
    this.heard.length = 0
    this.requests.length = 0
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
