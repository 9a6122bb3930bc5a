import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { networkOf } from '../../platform/client-network.ts'
import type { Context } from '../../platform/context.ts'
import { OrgBusy } from '../../platform/db/errors.ts'
import { FairLimiter } from '../../platform/db/fair-limiter.ts'
import { tooLarge } from '../../platform/domain-error.ts'
import type { RefusalCode } from '../../platform/error-codes/catalog.ts'
import { allowOnlyPost } from '../../platform/http/allowed-methods.ts'
import { Waits } from '../../platform/rate-limit/waits.ts'
import { type ProviderName, providerNames } from '../credentials.ts'
import { type CallbackResult, callbackPath, receiveCallback, refusalBeforeBody } from './callbacks.ts'
import { callMetrics } from './metrics.ts'

const answersByResult: Record<
  CallbackResult,
  { status: number; body: { detail: string; code: RefusalCode } | object }
> = {
  moved: { status: 200, body: {} },
  // Status 200: after an error, the provider would repeat the callback.
  ignored: { status: 200, body: {} },
  nowhere: { status: 404, body: { detail: 'Not Found', code: 'path_not_found' } },
  forged: {
    status: 403,
    body: { detail: 'The signature does not match this request', code: 'callback_forged' },
  },
  unreadable: {
    status: 400,
    body: { detail: 'The body is not a callback of the provider', code: 'callback_unreadable' },
  },
}

const [smallBytes, largeBytes] = [16 * 1024, 256 * 1024]
/**
 * The maximum size of a provider's callbacks in bytes. Everyone who knows the address can send a wrong signature. Only the
 * providers that send transcripts or metadata may send large bodies: their headers show most forged ones before the body is
 * read.
 */
const bytesMax: Record<ProviderName, number> = {
  simulator: smallBytes,
  twilio: smallBytes,
  livekit: largeBytes,
  vapi: largeBytes,
}

/**
 * Limits the callbacks of an org. More callbacks get 503 and can be lost: LiveKit repeats a callback up to 4 times,
 * Twilio only after a failed connection, and Vapi never. So the reconciler polls every running call within 5 minutes.
 */
const callbackLimits = { max: 2, waitingMax: 128, waitMs: 10_000 }

/**
 * Receives the callbacks of providers. They need no API key, because address and signature prove their origin. A
 * refused callback counts against the rate limit of its client address. Accepted callbacks of an org run two at a time.
 */
export function serveVoiceCallbacks(server: FastifyInstance, context: Context): void {
  const limiter = new FairLimiter(callbackLimits)
  const waits = new Waits()

  async function refuse(request: FastifyRequest, reply: FastifyReply, result: CallbackResult) {
    const named = recipientOf(request, context)
    countCallback(request, context, result)
    await context.countAnonymous(request, reply).catch((error) => {
      if (named) waits.note(senderOf(request, named.orgId), Number(reply.getHeader('retry-after') ?? 0))
      throw error
    })
    return sendAnswer(reply, result)
  }

  const run = <Result>(request: FastifyRequest, orgId: string, work: () => Promise<Result>) =>
    limiter.run(orgId, work).catch((error) => {
      if (error instanceof OrgBusy) countCallback(request, context, 'busy')
      throw error
    })

  allowOnlyPost(server, callbackPath(':provider', ':token'))
  server.post(callbackPath(':provider', ':token'), {
    config: { public: true },
    bodyLimit: largeBytes,
    // Set the owner first, so that the body uses its org's share of the memory.
    onRequest: async (request, reply) => {
      const named = recipientOf(request, context)
      if (!named) return refuse(request, reply, 'nowhere')
      const { provider, orgId } = named
      // The answer has the headers of the rate limit, like the answer that told the sender to wait.
      if (waits.secondsOf(senderOf(request, orgId)) !== null)
        await context.countAnonymous(request, reply).catch((error) => {
          countCallback(request, context, 'limited')
          throw error
        })
      request.bodyOwner = orgId
      const declared = request.headers['content-length']
      requireSize(provider, Number(declared ?? 0))
      if (bytesMax[provider] === smallBytes || Number(declared ?? largeBytes) <= smallBytes) return
      const head = { orgId, url: addressOf(request, context), headers: headersOf(request) }
      const refusal = await run(request, orgId, () => refusalBeforeBody(context, provider, head))
      if (refusal !== null) return refuse(request, reply, refusal)
    },
    handler: async (request, reply) => {
      const named = recipientOf(request, context)
      if (!named) return refuse(request, reply, 'nowhere')
      const { provider, orgId } = named
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      requireSize(provider, body.length)
      const callback = { orgId, url: addressOf(request, context), headers: headersOf(request), body }
      const result = await run(request, orgId, () => receiveCallback(context, provider, callback))
      if (result !== 'moved' && result !== 'ignored') return refuse(request, reply, result)
      countCallback(request, context, result)
      return sendAnswer(reply, result)
    },
  })
}

/** @throws DomainError too_large */
function requireSize(provider: ProviderName, bytes: number): void {
  const max = bytesMax[provider]
  if (bytes > max)
    throw tooLarge(
      'body_too_large',
      `The body is larger than ${max} bytes, the maximum of this provider's callbacks`,
    )
}

/**
 * Providers send the callbacks of many organizations from the same addresses. So forged callbacks of one organization
 * must not make the callbacks of another organization wait.
 */
const senderOf = ({ ip }: FastifyRequest, orgId: string) => `${orgId} ${networkOf(ip)}`

const providerOf = ({ params }: FastifyRequest): ProviderName | undefined =>
  providerNames.find((each) => each === (params as { provider: string }).provider)

/** Returns the provider and the org in an address; null if either is missing. */
function recipientOf(
  request: FastifyRequest,
  { orgTokens }: Context,
): { provider: ProviderName; orgId: string } | null {
  const provider = providerOf(request)
  const orgId = orgTokens.read((request.params as { token: string }).token)
  return provider && orgId !== null ? { provider, orgId } : null
}

function countCallback(
  request: FastifyRequest,
  context: Context,
  result: CallbackResult | 'busy' | 'limited',
): void {
  const provider = providerOf(request)
  // An unknown provider gets no label: a stranger could send any text.
  if (provider) callMetrics(context).callbacks.inc({ provider, result })
}

function sendAnswer(reply: FastifyReply, received: CallbackResult): FastifyReply {
  const { status, body } = answersByResult[received]
  return reply.code(status).send(body)
}

/** Returns the address that the provider called. Signatures cover the whole address. */
function addressOf({ originalUrl, protocol, host }: FastifyRequest, { config }: Context): string {
  return (config.publicUrl ?? `${protocol}://${host}`) + originalUrl
}

/** The headers as they were sent: Fastify changes the content type. */
function headersOf({ raw }: FastifyRequest): Record<string, string> {
  const headers: Record<string, string> = {}
  const { rawHeaders } = raw
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    headers[rawHeaders[at]?.toLowerCase() ?? ''] = rawHeaders[at + 1] ?? ''
  return headers
}
