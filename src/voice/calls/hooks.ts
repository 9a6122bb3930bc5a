import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../platform/context.ts'
import { isUnavailable } from '../../platform/db/errors.ts'
import { type Provider, providers } from '../credentials.ts'
import { BadSignature, type CallbackReport, type CallbackRequest } from '../providers/provider.ts'
import { accessTo } from './access.ts'
import { callMetrics } from './metrics.ts'
import { report } from './progress.ts'

const path = (provider: string, token: string) => `/hooks/voice/${provider}/${token}`

/** Where a provider tells how an org's calls go; null if nobody said under which address it reaches us. */
export function callbackUrl(
  { config, orgTokens }: Context,
  provider: Provider,
  orgId: string,
): string | null {
  if (config.publicUrl === null) return null
  return config.publicUrl + path(provider, orgTokens.make(orgId))
}

/** What became of a callback: `nowhere` if it names no org or provider of ours, `forged` if its signature is wrong. */
export type Received = 'moved' | 'ignored' | 'nowhere' | 'forged' | 'unreadable'

/** Moves the call that a callback is about; one that comes late, twice or out of order changes nothing. */
export async function receiveCallback(
  context: Context,
  name: Provider,
  orgId: string,
  request: CallbackRequest,
): Promise<Received> {
  const org = context.database.org(orgId)
  const provider = await accessTo(context, org, name)
  if (provider === null) return 'nowhere'
  let said: CallbackReport | null
  try {
    said = provider.parseCallback(request)
  } catch (error) {
    if (isUnavailable(error)) throw error
    return error instanceof BadSignature ? 'forged' : 'unreadable'
  }
  if (said === null || !isId(said.callId)) return 'ignored'
  const { callId, call } = said
  const moved = await org.transact(async (tx) => report(tx, orgId, callId, name, call))
  return moved ? 'moved' : 'ignored'
}

const isId = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

const answers: Record<Received, { status: number; body: object }> = {
  moved: { status: 200, body: {} },
  // Or the provider would send it again.
  ignored: { status: 200, body: {} },
  nowhere: { status: 404, body: { detail: 'Not Found' } },
  forged: { status: 403, body: { detail: 'The signature is not that of this request' } },
  unreadable: { status: 400, body: { detail: 'The body is not a callback of the provider' } },
}

/** Bytes: reports at the end of a long call hold its transcript. */
const callbackMax = 256 * 1024

/**
 * The route under which providers call back, without a key: the address and the signature of each request prove it.
 * Requests without such a proof count in the budget of strangers; all others have no limit.
 */
export function serveVoiceHooks(server: FastifyInstance, context: Context): void {
  async function refuse(request: FastifyRequest, reply: FastifyReply, result: Received) {
    count(request, context, result)
    await context.countStranger(request, reply)
    return answer(reply, result)
  }

  server.post(path(':provider', ':token'), {
    config: { public: true },
    bodyLimit: callbackMax,
    // Before a byte of the body is kept. From then on the body takes room of its org.
    onRequest: async (request, reply) => {
      const named = addressee(request, context)
      if (!named) return refuse(request, reply, 'nowhere')
      request.bodyOwner = named.orgId
    },
    handler: async (request, reply) => {
      const { provider, orgId } = addressee(request, context)!
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const received = { url: addressOf(request, context), headers: headersOf(request), body }
      const result = await receiveCallback(context, provider, orgId, received)
      if (result !== 'moved' && result !== 'ignored') return refuse(request, reply, result)
      count(request, context, result)
      return answer(reply, result)
    },
  })
}

const providerOf = ({ params }: FastifyRequest): Provider | undefined =>
  providers.find((each) => each === (params as { provider: string }).provider)

/** The provider and the org that an address names; null unless it names both. */
function addressee(
  request: FastifyRequest,
  { orgTokens }: Context,
): { provider: Provider; orgId: string } | null {
  const provider = providerOf(request)
  const orgId = orgTokens.read((request.params as { token: string }).token)
  return provider && orgId !== null ? { provider, orgId } : null
}

function count(request: FastifyRequest, context: Context, result: Received): void {
  const provider = providerOf(request)
  // A name that is no provider's is whatever a stranger wrote.
  if (provider) callMetrics(context).callbacks.inc({ provider, result })
}

function answer(reply: FastifyReply, received: Received): FastifyReply {
  const { status, body } = answers[received]
  return reply.code(status).send(body)
}

/** As the provider called it: signatures are of the whole address. */
function addressOf({ originalUrl, protocol, host }: FastifyRequest, { config }: Context): string {
  return (config.publicUrl ?? `${protocol}://${host}`) + originalUrl
}

/** As they came: the server rewrites the content type that it parses by. */
function headersOf({ raw }: FastifyRequest): Record<string, string> {
  const headers: Record<string, string> = {}
  for (let at = 0; at + 1 < raw.rawHeaders.length; at += 2)
    headers[raw.rawHeaders[at]!.toLowerCase()] = raw.rawHeaders[at + 1]!
  return headers
}
