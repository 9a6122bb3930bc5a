import { membersOf } from '../../platform/members.ts'
import { eventTypes } from './event.ts'
import { storableText } from './ids.ts'

const textMax = 100

/** The shown part of an event or request that was not stored, so that people can find its sender. */
export type WebEventSample = {
  /** The type of the event; `other` if there is no such type. */
  type: string | null
  name: string | null
  /** The name and version of the client. */
  library: string | null
  /** The origin of the website that sent it from a browser. */
  origin: string | null
}

/**
 * A sample of an event that was not stored. It has no ids and no properties. Numbers of six digits and words with an @ are
 * removed from its texts, and so are IP addresses: names of events may have them.
 * @param raw the event as it was sent; undefined: it was not read
 */
export function sampleOf(raw: unknown, type: string | null, origin: string | undefined): WebEventSample {
  const { name, event, context, type: sentType } = membersOf(raw)
  const { name: library, version } = membersOf(membersOf(context).library)
  return {
    type: type ?? typeOf(sentType),
    name: shown(event) ?? shown(name),
    library: shown([library, version].filter((part) => typeof part === 'string').join(' ')),
    origin: !origin ? null : storableText(origin.slice(0, textMax)),
  }
}

function typeOf(sentType: unknown): string | null {
  if (sentType === undefined) return null
  return eventTypes.find((each) => each === sentType) ?? 'other'
}

const personal = /\S*@\S*|\d{6,}|\d+(?:\.\d+){3}|[\da-f]*(?::[\da-f]*){2,}/gi

function shown(text: unknown): string | null {
  if (typeof text !== 'string' || text === '') return null
  const impersonal = text.slice(0, 4 * textMax).replace(personal, '…')
  return storableText(storableText(impersonal).slice(0, textMax))
}
