import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { forbidden } from '../../../platform/domain-error.ts'
import { refuse } from '../../../platform/http/fields.ts'
import { detailAt, ValidationError } from '../../../platform/http/validation.ts'
import { isObject } from '../../../platform/members.ts'
import { inTurn } from '../../../platform/slices.ts'
import { allowsOrigin, corsHeaders, preflightHeaders } from '../../wire/cors.ts'
import { keyInRequest } from '../../wire/find-key.ts'
import { shapeFaultOf } from '../../wire/json-text.ts'
import { unknownForm } from '../forms.ts'
import { textOf } from './challenges.ts'
import type { KnownForm } from './known-forms.ts'
import { bodyMax, chargeForm, findForm, formPath, type PageParts } from './page-routes.ts'
import { countSubmission, submit } from './submit.ts'

/** A write key, as the routes of embedded forms need it. */
export type FormSender = {
  orgId: string
  mode: 'live' | 'test'
  origins: readonly string[]
  writeKey: { writeKeyId: string; purposes: readonly string[] } | null
}

export type EmbeddedParts = PageParts & {
  /** Finds the sender of a key. @throws DomainError unauthenticated; too_many */
  findSender(key: string | null, ip: string): Promise<FormSender>
  /** Whether an address that asked for many unknown forms may ask the database for one more. */
  mayGuess(ip: string, formId: string): boolean
}

/** Serves forms to the script of other sites: their fields, and the way to send them. */
export function serveEmbeddedForms(server: FastifyInstance, parts: EmbeddedParts): void {
  const config = { public: true }
  for (const path of [`${formPath}/definition`, `${formPath}/submissions`])
    server.options(path, { config }, (_request, reply) =>
      reply.code(204).headers(corsHeaders).headers(preflightHeaders).send(),
    )
  const onRequest = (
    _request: FastifyRequest,
    reply: { headers(values: object): unknown },
    done: () => void,
  ) => {
    reply.headers(corsHeaders)
    done()
  }
  server.get(`${formPath}/definition`, { config, onRequest }, async (request, reply) => {
    const key = (request.query as URLSearchParams).get('writeKey')
    const { form } = await requireForm(parts, { request, reply }, key)
    const { title, description, fields, consent, submit_label, thank_you } = form.definition
    return {
      form_id: form.formId,
      version: form.version,
      ...{ title, description, submit_label, thank_you },
      // The page learns no names of fields of contacts.
      fields: fields.map(({ maps_to, ...shown }) => ({
        ...shown,
        autocomplete: maps_to?.startsWith('custom.') ? null : maps_to,
      })),
      consent: consent && { text: consent.text, required: consent.required },
      challenge: textOf(parts.challenges.make(form.formId)),
    }
  })
  const onSubmission = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers(corsHeaders)
    // Count the request before its body is read: otherwise an address could send any number of slow bodies.
    await parts.countAnonymous(request, reply)
    await chargeForm(parts, request, (formId) => parts.mayGuess(request.ip, formId))
  }
  server.post(
    `${formPath}/submissions`,
    { config, onRequest: onSubmission, bodyLimit: bodyMax },
    async (request, reply) => {
      const body = await inTurn(request.bodyOwner, () => bodyOf(request))
      const { form, sender } = await requireForm(parts, { request, reply }, body.writeKey)
      const sent = { challenge: body.challenge, proof: body.proof, ip: request.ip }
      await countSubmission(parts, form, sent)
      const problems = await submit(parts, form, {
        answers: isObject(body.answers) ? body.answers : {},
        ...{ ...sent, consent: body.consent, honeypot: body.honeypot },
        ...{ anonymousId: body.anonymousId, pageUrl: body.pageUrl },
        mode: sender.mode,
        writeKeyId: sender.writeKey?.writeKeyId ?? null,
        userAgent: request.headers['user-agent'] ?? null,
      })
      if (problems.size > 0)
        throw new ValidationError(
          [...problems].map(([key, why]) =>
            detailAt(key === 'consent' ? ['body', key] : ['body', 'answers', key], refuse(why)),
          ),
        )
      return { success: true }
    },
  )
}

/** @throws DomainError unauthenticated; forbidden for a key or a site that may not use the form; not_found; too_many */
async function requireForm(
  parts: EmbeddedParts,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  key: unknown,
): Promise<{ form: KnownForm; sender: FormSender }> {
  const { headers } = request
  const sent = keyInRequest({ headers, query: typeof key === 'string' ? key : null })
  const sender = await parts.findSender(sent, request.ip)
  if (!sender.writeKey?.purposes.includes('forms'))
    throw forbidden('purpose_not_allowed', 'The purposes of this write key do not include forms')
  const form = await findForm(parts, request, (formId) => parts.mayGuess(request.ip, formId))
  if (form?.orgId !== sender.orgId) {
    await parts.countAnonymous(request, reply)
    throw unknownForm()
  }
  if (!allowsOrigin(sender.origins, headers.origin) || !allowsOrigin(form.origins, headers.origin))
    throw forbidden(
      'origin_not_allowed',
      'The origins of this write key or of the form do not include this site: add it to them',
    )
  return { form, sender }
}

/** The body, which is JSON whatever its content type is: a browser sends `text/plain` without a preflight. */
function bodyOf({ body }: FastifyRequest): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(Buffer.isBuffer(body) ? body.toString() : '')
    if (isObject(read) && shapeFaultOf(read) === null) return read
  } catch {
    // Refused below.
  }
  throw new ValidationError([
    detailAt(['body'], refuse('send a JSON object with writeKey, answers and challenge')),
  ])
}
