import { recordEvents } from '../../../events/record.ts'
import { lockExclusive } from '../../../platform/db/advisory-lock.ts'
import { newId } from '../../../platform/db/new-id.ts'
import type { OrgTx } from '../../../platform/db/org-tx.ts'
import { sql } from '../../../platform/db/sql.ts'
import { openRequest, type ScheduledCall } from '../call-back/open-request.ts'
import type { FormDefinition } from '../schema.ts'
import type { SpamReason } from './spam-reasons.ts'
import { writeOwnContact } from './write-own-contact.ts'

/** A submission as the server received it. */
export type Received = {
  formId: string
  formName: string
  formVersion: number
  definition: FormDefinition
  mode: 'live' | 'test'
  /** Equal for each retry of a submission. */
  messageKey: string
  challengeId: string | null
  /** Whether the submission counts only with a proof of work, which is valid once. */
  needsProof: boolean
  /** Whether it has a proof of work. */
  isSolved: boolean
  /** Whether the network of the client asked for too many calls. */
  isOverCallLimit: boolean
  spamReason: SpamReason | null
  answers: Readonly<Record<string, unknown>>
  consent: boolean | null
  writeKeyId: string | null
  visitorId: string
  pageUrl: string | null
}

/**
 * Stores a submission once, and writes the own contact of its visitor, unless it is spam.
 * @returns the call to schedule; null: none
 */
export async function storeSubmission(tx: OrgTx, received: Received): Promise<ScheduledCall | null> {
  const { formId, formVersion, mode, messageKey, challengeId, answers, consent, visitorId } = received
  const submissionId = newId()
  const isReused = await reusesProof(tx, received)
  const reason = received.spamReason ?? (received.needsProof && isReused ? 'proof_reused' : null)
  const inserted = await tx.run(sql`
    insert into form_submission (org_id, submission_id, form_id, form_version, mode, status, spam_reason, message_key,
      challenge_id, answers, consent, write_key_id, visitor_id, page_url)
    values (${tx.orgId}, ${submissionId}, ${formId}, ${formVersion}, ${mode}, ${reason === null ? 'accepted' : 'spam'},
      ${reason}, ${messageKey}, ${challengeId}, ${JSON.stringify(answers)}::jsonb, ${consent}, ${received.writeKeyId},
      ${visitorId}, ${received.pageUrl})
    on conflict (org_id, form_id, message_key) do nothing`)
  if (inserted === 0 || reason !== null) return null
  return acceptSubmission(tx, {
    ...{ submissionId, ...received, at: Math.floor(Date.now() / 1000) },
    isProven: received.isSolved && !isReused,
  })
}

export type Accepted = Pick<
  Received,
  | 'formId'
  | 'formName'
  | 'formVersion'
  | 'definition'
  | 'answers'
  | 'consent'
  | 'visitorId'
  | 'mode'
  | 'isOverCallLimit'
> & {
  submissionId: string
  at: number
  /** Whether it has a proof of work that no other submission used. Without one, only a person can approve a call. */
  isProven: boolean
}

/**
 * Writes the own contact of the visitor, records the event, and stores the call-back request, if the form asks for calls.
 * @returns the call to schedule; null: none
 */
export async function acceptSubmission(tx: OrgTx, accepted: Accepted): Promise<ScheduledCall | null> {
  const { submissionId, formId, formName, formVersion } = accepted
  const source = `Form “${formName}”, version ${formVersion}`
  const written = await writeOwnContact(tx, { ...accepted, source })
  if (written === 'full') {
    await tx.run(sql`
      update form_submission set status = 'spam', spam_reason = 'daily_limit'
      where org_id = ${tx.orgId} and submission_id = ${submissionId}`)
    return null
  }
  if (written)
    await tx.run(sql`
      update form_submission set contact_id = ${written.contactId}, created_contact = ${written.isNew},
        contact_version = ${written.version}
      where org_id = ${tx.orgId} and submission_id = ${submissionId}`)
  await recordEvents(tx, [
    { type: 'form_submission.created', objectId: submissionId, data: { form_id: formId } },
  ])
  return openRequest(tx, accepted)
}

/** Whether another submission used the challenge: a proof of work is valid for one submission. */
async function reusesProof(
  tx: OrgTx,
  { needsProof, isSolved, challengeId, messageKey }: Received,
): Promise<boolean> {
  if (!(needsProof || isSolved) || challengeId === null) return false
  await lockExclusive(tx, `form challenge ${challengeId}`)
  const used = await tx.first(sql`
    select from form_submission
    where org_id = ${tx.orgId} and challenge_id = ${challengeId} and message_key <> ${messageKey} limit 1`)
  return used !== undefined
}
