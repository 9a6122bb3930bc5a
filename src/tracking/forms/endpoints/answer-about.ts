import { Answer } from '../../../platform/http/endpoint.ts'
import type { Json } from '../../../platform/json.ts'

/** An answer that shows a submission or a call-back request: erasing its contact blanks the stored answer. */
export function answerAbout(shown: Json): Answer<Json> {
  const { contact_id: contactId } = JSON.parse(shown.text) as { contact_id: string | null }
  return new Answer(shown, { about: contactId === null ? [] : [contactId] })
}
