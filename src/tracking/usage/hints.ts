import { type Explanation, errorCodes, kindOf } from '../../platform/error-codes/catalog.ts'
import type { DropReason } from '../wire/event.ts'
import type { RefusedCode } from '../wire/refused.ts'

/** The advice to integrators about dropped events. */
const ofDrops: Record<DropReason, string> = {
  not_an_object: 'Send each event as a JSON object.',
  unknown_type: 'Send `type` with one of the calls: track, page, screen, identify, group, alias.',
  no_id: 'Send `anonymousId` or `userId` with each event.',
  illegal_id: 'Send an id of the person: many people share values such as null, undefined or anonymous.',
  analytics_denied: 'No action is needed: the visitor denied analytics.',
  referrer_spam: 'No action is needed: the referrer is known as a sender of invented page views.',
  no_event_name: 'Send the name of a track event as `event`.',
  too_deep: 'Send properties and context with at most 100 levels.',
  too_many_properties: 'Send at most 255 properties or traits, with at most 2,000 objects and lists.',
  too_large: 'Send at most 32 KiB of properties and context in an event.',
  purpose_not_allowed: 'Add the purpose of the call to `purposes` of the write key.',
}

/** Returns the advice to integrators about dropped events or refused requests. */
export function hintOf(reason: DropReason | RefusedCode): string {
  if (reason in ofDrops) return ofDrops[reason as DropReason]
  const explanations: Readonly<Record<string, Explanation>> = errorCodes[kindOf(reason as RefusedCode)]
  return explanations[reason]?.cure ?? ''
}
