import { hash } from 'node:crypto'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { createForm } from '../tracking/forms/forms.ts'
import { readAnswers } from '../tracking/forms/public/read-answers.ts'
import { CreateForm } from '../tracking/forms/schema.ts'
import type { SpamReason } from '../tracking/forms/submissions/spam-reasons.ts'
import { storeSubmission } from '../tracking/forms/submissions/store.ts'
import { visitorIdOf } from '../tracking/wire/ids.ts'
import { demoVisitor } from './web-events.ts'

/** What a visitor of the demo shop sent with a form. */
export type SentForm = {
  answers: Readonly<Record<string, string | string[]>>
  consent: boolean
  spam?: SpamReason
  /** The number of the visitor, counted from 0. */
  visitor: number
  page: string
}

/** Creates a form, and stores what visitors sent with it, oldest first. */
export async function addForm(tx: OrgTx, form: object, sent: readonly SentForm[]): Promise<void> {
  const {
    form_id: formId,
    name: formName,
    version,
    ...definition
  } = await createForm(tx, CreateForm.parse(form))
  for (const [index, { visitor, page, spam = null, ...raw }] of sent.entries()) {
    const { answers, consent } = readAnswers(definition, raw.answers, raw.consent, null)
    const anonymousId = demoVisitor(visitor)
    await storeSubmission(tx, {
      ...{ formId, formName, formVersion: version, definition, mode: 'live', answers, consent },
      messageKey: hash('sha256', `${anonymousId} ${index}`, 'hex').slice(0, 32),
      ...{ challengeId: null, needsProof: false, isSolved: false, isOverCallLimit: false },
      ...{ spamReason: spam, writeKeyId: null, visitorId: visitorIdOf(tx.orgId, anonymousId) },
      pageUrl: page,
    })
  }
}
