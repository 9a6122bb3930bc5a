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

/** The same of a callback to an address that somebody wrote. */
async function receiveAt(
  context: Context,
  providerName: string,
  orgToken: string,
  request: CallbackRequest,
): Promise<Received> {
  const orgId = context.orgTokens.read(orgToken)
  const name = providers.find((each) => each === providerName)
  if (orgId === null || name === undefined) return 'nowhere'
  return receiveCallback(context, name, orgId, request)
}

const isId = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

const answers: Record<Received, { status: number; body: object }> = {
  moved: { status: 200, body: {} },
  // Or the provider would send it again.
  ignored: { status: 200, body: {} },
  nowhere: { status: 404, body: { detail: 'Not Found' } },
  forged: { status: 403, body: { detail: 'The signature is not that of this request' } },
  unreadable: { status: 400, body: { detail: 'This is no callback of the provider' } },
}

/** The route under which providers call back: without a key and without limits, each request proves itself. */
export function serveVoiceHooks(server: FastifyInstance, context: Context): void {
  server.post(path(':provider', ':token'), { config: { public: true } }, async (request, reply) => {
    const { provider, token } = request.params as { provider: string; token: string }
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const received = { url: addressOf(request, context), headers: headersOf(request), body }
    const result = await receiveAt(context, provider, token, received)
    // A name that is no provider's is whatever a stranger wrote.
    if (providers.some((each) => each === provider)) callMetrics(context).callbacks.inc({ provider, result })
    return answer(reply, result)
  })
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
