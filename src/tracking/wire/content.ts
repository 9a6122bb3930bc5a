import { withoutClickIds } from '../privacy/click-ids.ts'
import { withoutSecretsOfAddresses } from './addresses.ts'
import { storableText } from './ids.ts'
import { jsonText } from './json-text.ts'

type Members = Readonly<Record<string, unknown>>

/** The JSON of an event's properties and context. */
export type Content = { properties: string; context: string }

/**
 * The content of a visitor's event.
 * @param isView whether `said` describes a page: its addresses are then cut like those of the context
 * @param ads whether the visitor agreed to click ids
 */
export function contentOf(
  said: Members,
  context: Members,
  { isView, ads }: { isView: boolean; ads: boolean },
): Content {
  const allowed = (members: Members) => jsonText(ads ? members : withoutClickIds(members))
  const properties = allowed(said)
  return {
    properties: isView ? withoutSecretsOfAddresses(properties) : properties,
    // Client addresses are never stored.
    context: withoutSecretsOfAddresses(allowed({ ...context, ip: undefined })),
  }
}

const campaignMembers = ['source', 'medium', 'name', 'term', 'content', 'id']
const libraryMembers = ['name', 'version']
const textMax = 200

/**
 * The content of an event that must not identify a person: where the visit came from, and which client sent it. All
 * other members may contain ids.
 */
export function contentWithoutPerson({ campaign, library, userAgent }: Members, isBot: boolean): Content {
  const context = {
    ...textsOf('campaign', campaign, campaignMembers),
    ...textsOf('library', library, libraryMembers),
    ...(isBot && typeof userAgent === 'string' && { userAgent: userAgent.slice(0, 2 * textMax) }),
  }
  return { properties: '{}', context: jsonText(context) }
}

function textsOf(name: string, value: unknown, members: readonly string[]): Members {
  if (typeof value !== 'object' || value === null) return {}
  const texts = members.flatMap((member) => {
    const text = (value as Members)[member]
    return typeof text === 'string' && text !== '' ? [[member, storableText(text.slice(0, textMax))]] : []
  })
  return texts.length === 0 ? {} : { [name]: Object.fromEntries(texts) }
}
