/** The calls of tracking clients. Source: Segment, Spec. */
export const eventTypes = ['track', 'page', 'screen', 'identify', 'group', 'alias'] as const

export type WebEventType = (typeof eventTypes)[number]

/** Why an event was dropped. The other events of its request were stored. */
export const dropReasons = [
  'not_an_object',
  'unknown_type',
  'no_id',
  'illegal_id',
  'analytics_denied',
  'referrer_spam',
  'no_event_name',
  'too_deep',
  'too_many_properties',
  'too_large',
  'purpose_not_allowed',
] as const

export type DropReason = (typeof dropReasons)[number]

/**
 * The source of an event's user: `none` (no user), `claimed` (a browser named the user, which proves nothing), `verified` (with a
 * token or hash that the organization's server made), or an API key.
 */
export const trust = { none: 0, claimed: 1, verified: 2, apiKey: 3 } as const

/** An event as it is stored, without its organization. Times are Unix milliseconds. */
export type WebEvent = {
  type: WebEventType
  /** The name of a track event, a page or a screen; null: none. */
  name: string | null
  /** The UTC day that the client sent: `2026-11-24`. A retry repeats it. */
  day: string
  /** A UUID that is derived from the `messageId`. */
  messageKey: string
  occurredAt: number
  receivedAt: number
  /**
   * True if `occurredAt` is the time of receipt: the client sent a time more than 7 days ago, or with an API key a time
   * before 1970.
   */
  isLate: boolean
  /** True if a program made the event. Then it has no ids and no content. */
  isBot: boolean
  /**
   * A UUID that is derived from the organization and `anonymousId`. For a visitor without consent, it is derived from
   * the day, the client address and the browser. null: the event has no visitor.
   */
  visitorId: string | null
  /** True if the visitor id is valid for one day only. A visitor of one day has no profile. */
  isCookieless: boolean
  /** `userId` as the client sent it. */
  userKey: string | null
  /** The normalized e-mail address of the user in the event; null: none. */
  email: string | null
  sessionId: string | null
  urlPath: string | null
  referrerHost: string | null
  /** JSON of a `Source`; null: the source of the visit is unknown. */
  source: string | null
  trust: number
  /** True if the person refuses advertising, by Global Privacy Control or by consent. */
  deniesAds: boolean
  /** JSON: properties; for identify, the traits; for group, `{group_id, traits}`; for alias, `{previous_id}`. */
  properties: string
  /** JSON: the context without client addresses, and without click ids if the visitor refused them. */
  context: string
}
