import { hash, randomUUID } from 'node:crypto'
import type { CredentialCache } from '../../../auth/credential-cache.ts'
import { networkOf } from '../../../platform/client-network.ts'
import type { Database } from '../../../platform/db/database.ts'
import { FairLimiter } from '../../../platform/db/fair-limiter.ts'
import type { OrgTx } from '../../../platform/db/org-tx.ts'
import { tooMany } from '../../../platform/domain-error.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import type { Remote } from '../../../platform/processes/remote-counter.ts'
import { readUrl } from '../../../platform/read-url.ts'
import { inTurn } from '../../../platform/slices.ts'
import { isAutomated } from '../../privacy/bots.ts'
import { readId, visitorIdOf } from '../../wire/ids.ts'
import { readCalleeOf } from '../call-back/callee.ts'
import { placeCallBackJob } from '../call-back/scheduled.ts'
import { type Received, storeSubmission } from '../submissions/store.ts'
import { type Challenges, isSolved } from './challenges.ts'
import type { FormBudgets } from './form-budgets.ts'
import { spamReasonOf } from './judge.ts'
import type { KnownForm } from './known-forms.ts'
import { readAnswers } from './read-answers.ts'

/** Spam must not use up the connections to the database. */
const limiter = new FairLimiter({ max: 2, total: 8, waitMs: 10_000, waitingMax: 200 })

export type FormParts = {
  forms: CredentialCache<KnownForm>
  challenges: Challenges
  budgets: Remote<FormBudgets>
  database: Pick<Database, 'org'>
  jobs: Jobs
}

export type SentForm = {
  /** The answers by the keys of the fields, and members that are ignored. */
  answers: Readonly<Record<string, unknown>>
  consent: unknown
  challenge: unknown
  proof: unknown
  honeypot: unknown
  /** The anonymous id of the browser; null: the visitor is new. */
  anonymousId: unknown
  pageUrl: unknown
  mode: 'live' | 'test'
  writeKeyId: string | null
  userAgent: string | null
  ip: string
}

/** The submissions of all forms of an organization, its sandboxes and its clients share turns. */
export const ownerOf = ({ payerId }: Pick<KnownForm, 'payerId'>): string => `visitors of ${payerId}`

/** Counts a submission of an address. @throws DomainError too_many */
export async function countSubmission(
  { budgets, challenges }: FormParts,
  form: KnownForm,
  { ip, challenge, proof }: Pick<SentForm, 'ip' | 'challenge' | 'proof'>,
): Promise<void> {
  const known = challenges.read(form.formId, challenge)
  const proofId = known && !known.isOver && isSolved(known, proof) ? known.id : null
  const waitSeconds = await budgets.count(form, networkOf(ip), proofId)
  if (waitSeconds === null) return
  throw tooMany(
    'rate_limit_exceeded',
    `Too many forms were sent: wait ${waitSeconds} s (Retry-After), and send the form again`,
    { retryAfterSeconds: waitSeconds },
  )
}

/**
 * Stores a submission, unless an answer is invalid. The result never depends on which contacts exist.
 * @returns what is wrong, by the keys of the fields; empty: the submission is stored, or counts as spam
 */
export async function submit(
  parts: FormParts,
  form: KnownForm,
  sent: SentForm,
): Promise<Map<string, string>> {
  const { orgId, formId, definition } = form
  const { answers, consent, problems } = await inTurn(ownerOf(form), () =>
    readAnswers(definition, sent.answers, sent.consent, form.defaultCountry),
  )
  const callee = problems.size === 0 ? readCalleeOf(definition, answers) : null
  if (callee && 'problem' in callee) problems.set(callee.key, callee.problem)
  if (problems.size > 0) return problems
  const challenge = parts.challenges.read(formId, sent.challenge)
  const isOverBudget = await parts.budgets.needsProof(formId)
  const needsProof = isOverBudget || challenge?.isOver === true
  const proves = challenge !== null && isSolved(challenge, sent.proof)
  const spamReason = spamReasonOf({
    honeypot: sent.honeypot,
    challenge,
    isBot: isAutomated({ userAgent: sent.userAgent }, null),
    needsProof,
    isSolved: proves,
  })
  const challengeId = challenge?.id ?? null
  const anonymousId = readId(sent.anonymousId) ?? `form ${challengeId ?? randomUUID()}`
  const received = {
    ...{ formId, formName: form.name, formVersion: form.version, definition, mode: sent.mode },
    messageKey: messageKeyOf(challengeId, { answers, consent }),
    ...{ challengeId, needsProof, isSolved: proves, spamReason, answers, consent },
    writeKeyId: sent.writeKeyId,
    visitorId: visitorIdOf(orgId, anonymousId),
    pageUrl: pageOf(sent.pageUrl),
    isOverCallLimit:
      callee !== null &&
      spamReason === null &&
      !(await parts.budgets.mayAskForCall(form.mainOrgId, networkOf(sent.ip))),
  }
  const owner = ownerOf(form)
  const org = parts.database.org(orgId, { mode: sent.mode, payerId: owner })
  await limiter.run(owner, () => org.transact((tx) => storeAndSchedule(tx, parts.jobs, received)))
  return problems
}

async function storeAndSchedule(tx: OrgTx, jobs: Jobs, received: Received): Promise<void> {
  const call = await storeSubmission(tx, received)
  if (call === null) return
  const { requestId, callAt } = call
  const payload = { org_id: tx.orgId, request_id: requestId }
  await jobs.enqueue(tx, placeCallBackJob, payload, { startAfter: callAt })
}

/** Equal for a retry. After a person changed an answer, the same page sends another submission. */
function messageKeyOf(challengeId: string | null, content: object): string {
  const id = challengeId ?? randomUUID()
  return hash('sha256', JSON.stringify([id, content]), 'hex').slice(0, 32)
}

const pageMax = 1_000

/** The page without its query and fragment, which can contain tokens. */
function pageOf(value: unknown): string | null {
  const url = readUrl(value)
  if (url === null) return null
  const { protocol, origin, pathname } = url
  return protocol === 'https:' || protocol === 'http:' ? (origin + pathname).slice(0, pageMax) : null
}
