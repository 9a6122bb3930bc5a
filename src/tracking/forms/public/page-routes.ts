import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ifUnavailable } from '../../../platform/db/errors.ts'
import { DomainError } from '../../../platform/domain-error.ts'
import { parseUuid } from '../../../platform/http/parse-uuid.ts'
import { inTurn } from '../../../platform/slices.ts'
import { isSolved, textOf } from './challenges.ts'
import { shortestMs } from './judge.ts'
import type { KnownForm } from './known-forms.ts'
import { contentSecurityPolicy, formPage, honeypotKey, messagePage, type TypedValues } from './page.ts'
import { countSubmission, type FormParts, ownerOf, submit } from './submit.ts'
import { typedIn } from './typed-in.ts'

/** The maximum size of a submission in bytes. */
export const bodyMax: number = 64 * 1024

/** The address of the hosted page of a form. */
export const formPath = '/f/:form'

export type PageParts = FormParts & {
  /** Counts a request without a key against the rate limit of its client address. @throws DomainError too_many */
  countAnonymous(request: FastifyRequest, reply: FastifyReply): Promise<void>
}

/** Serves the hosted page of each live form. It works without a script. */
export function serveFormPages(server: FastifyInstance, parts: PageParts): void {
  const open = {
    config: { public: true },
    onRequest: (request: FastifyRequest, reply: FastifyReply) => parts.countAnonymous(request, reply),
  }
  server.get(formPath, { ...open, exposeHeadRoute: true }, async (request, reply) => {
    const form = await findForm(parts, request)
    if (!form) return sendNotFound(reply)
    return sendForm(reply, parts, form, {})
  })
  server.get(`${formPath}/thanks`, { ...open, exposeHeadRoute: true }, async (request, reply) => {
    const form = await findForm(parts, request)
    if (!form) return sendNotFound(reply)
    return html(reply, form).send(messagePage('Thank you', form.definition.thank_you.text))
  })
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    await parts.countAnonymous(request, reply)
    await chargeForm(parts, request)
  }
  server.post(formPath, { ...open, onRequest, bodyLimit: bodyMax }, async (request, reply) => {
    const form = await findForm(parts, request)
    if (!form) return sendNotFound(reply)
    const typed = await inTurn(ownerOf(form), () => typedIn(request.body, form.definition))
    const first = (name: string) => typed.get(name)?.[0] ?? null
    const sent = { challenge: first('challenge'), proof: first('proof'), ip: request.ip }
    try {
      await countSubmission(parts, form, sent)
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      // The page keeps what the person typed.
      const fault = 'Too many forms were sent from your network. Wait a minute, and send it again.'
      const waiting = reply.code(429).header('retry-after', error.retryAfterSeconds ?? 1)
      return sendForm(waiting, parts, form, { typed, fault })
    }
    const known = parts.challenges.read(form.formId, sent.challenge)
    if (known?.isOver && !isSolved(known, sent.proof)) {
      const fault = 'This page was open for more than a day. Check your answers, and send them again.'
      // The person opened the form long ago: sending the new page within 2 s does not suggest a bot.
      const challenge = textOf(parts.challenges.make(form.formId, Date.now() - shortestMs))
      return sendForm(reply.code(422), parts, form, { typed, fault, challenge })
    }
    const { 'user-agent': userAgent = null, referer } = request.headers
    const problems = await submit(parts, form, {
      answers: answersIn(typed, form),
      consent: first('consent') ?? undefined,
      ...sent,
      honeypot: first(honeypotKey),
      anonymousId: null,
      pageUrl: referer,
      mode: form.isSandbox ? 'test' : 'live',
      writeKeyId: null,
      userAgent,
    }).catch(ifUnavailable(null))
    if (problems === null) {
      // The same challenge: if the submission was stored after all, sending it again stores no second one.
      const challenge = known?.text
      const fault = 'Your answers could not be saved right now. Wait a few seconds, and send them again.'
      return sendForm(reply.code(503).header('retry-after', 2), parts, form, { typed, fault, challenge })
    }
    if (problems.size > 0) return sendForm(reply.code(422), parts, form, { typed, problems })
    // After a redirect, a reload of the page does not send the form again.
    const { url } = form.definition.thank_you
    // A header has only ASCII characters.
    return reply.redirect(url === null ? `/f/${form.formId}/thanks` : new URL(url).href, 303)
  })
}

/** Lets the body of a submission use the room of the visitors of the form's organization. */
export async function chargeForm(
  parts: FormParts,
  request: FastifyRequest,
  mayLoad?: (formId: string) => boolean,
): Promise<void> {
  const form = await findForm(parts, request, mayLoad)
  if (form) request.bodyOwner = ownerOf(form)
}

/**
 * Finds the live form of the address; null: there is none.
 * @param mayLoad whether a form that this process does not know may be looked up in the database
 */
export async function findForm(
  { forms }: FormParts,
  request: FastifyRequest,
  mayLoad: (formId: string) => boolean = () => true,
): Promise<KnownForm | null> {
  const { form: sent } = request.params as { form: string }
  const formId = parseUuid(sent)
  if (typeof formId !== 'string') return null
  const known = forms.peek(formId)
  if (known) return known
  return forms.expects(formId) || mayLoad(formId) ? forms.load(formId) : null
}

function answersIn(typed: TypedValues, { definition }: KnownForm): Record<string, unknown> {
  return Object.fromEntries(
    definition.fields.map(({ key, type }) => [
      key,
      type === 'multi_select' ? (typed.get(key) ?? []) : (typed.get(key)?.[0] ?? null),
    ]),
  )
}

type Shown = {
  typed?: TypedValues
  problems?: ReadonlyMap<string, string>
  fault?: string
  /** The text of a challenge; by default, of a new one. */
  challenge?: string | undefined
}

async function sendForm(
  reply: FastifyReply,
  parts: FormParts,
  form: KnownForm,
  { challenge, ...shown }: Shown,
): Promise<FastifyReply> {
  const { formId, definition } = form
  const path = `/f/${formId}`
  const text = challenge ?? textOf(parts.challenges.make(formId))
  const page = await inTurn(ownerOf(form), () => formPage({ path, definition, challenge: text, ...shown }))
  return html(reply, form).send(page)
}

function html(reply: FastifyReply, form: KnownForm | null): FastifyReply {
  const policy = contentSecurityPolicy(form?.origins ?? [], form?.definition.thank_you.url ?? null)
  return reply.header('content-type', 'text/html; charset=utf-8').header('content-security-policy', policy)
}

const sendNotFound = (reply: FastifyReply) =>
  html(reply.code(404), null).send(
    messagePage('There is no form here', 'The form was closed, or the address is incomplete.'),
  )
