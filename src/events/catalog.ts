import { nouns } from './nouns.ts'

type Nouns = typeof nouns

/** `<noun>.<past participle>`: `contact.created`. */
export type EventType = {
  [Noun in keyof Nouns]: `${Noun}.${keyof Nouns[Noun]['verbs'] & string}`
}[keyof Nouns]

export type EventEntry = {
  type: EventType
  /** The kind of object of `object_id`. */
  object: string
  /** The permission to read the object. If there are several, one is enough. */
  permission: string | readonly string[]
  description: string
}

/** The types whose noun is not the kind of the changed object. */
const otherObjects: { readonly [Type in EventType]?: string } = {
  'agency.invitation_created': 'agency_invitation',
  'agency.invitation_revoked': 'agency_invitation',
}

/** Every type of event. */
export const eventCatalog: readonly EventEntry[] = Object.entries(nouns).flatMap(
  ([noun, { object, permission, verbs }]) =>
    Object.entries(verbs).map(([verb, description]) => {
      const type = `${noun}.${verb}` as EventType
      return { type, object: otherObjects[type] ?? object, permission, description }
    }),
)

export const eventTypes: readonly EventType[] = eventCatalog.map(({ type }) => type)

const byType = new Map(eventCatalog.map((entry) => [entry.type, entry]))

/** The entry of a type; undefined for an event that a newer version wrote. */
export const entryOf = (type: EventType): EventEntry | undefined => byType.get(type)

/** The first part of a type: `contact` of `contact.created`. */
export const nounOf = (type: string): string => type.split('.', 1)[0] ?? ''
