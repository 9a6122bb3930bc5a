import { Answer } from '../../../platform/http/endpoint.ts'
import type { Json } from '../../../platform/json.ts'

/**
 * An answer that shows a submission or a call-back request: erasing its contact, or the submission, blanks the stored
 * answer. Spam has no contact.
 */
export function answerAbout(shown: Json): Answer<Json> {
  const { contact_id: contactId, submission_id: submissionId } = JSON.parse(shown.text) as {
    contact_id: string | null
    submission_id: string
  }
  return new Answer(shown, { about: contactId === null ? [submissionId] : [contactId, submissionId] })
}
