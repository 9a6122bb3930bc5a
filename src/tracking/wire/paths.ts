import { eventTypes, type WebEventType } from './event.ts'

/** A path that clients send events to. */
export type WirePath = {
  path: string
  /** The type of the one event in the body; null: the body is a batch. */
  type: WebEventType | null
  /** True if the path needs an API key. */
  needsApiKey?: boolean
}

const ofSegment: readonly WirePath[] = [
  ...eventTypes.map((type) => ({ path: `/v1/${type[0]}`, type })),
  { path: '/v1/b', type: null },
]

// RudderStack's clients, and the HTTP API of Segment.
const byName: readonly WirePath[] = eventTypes.map((type) => ({ path: `/v1/${type}`, type }))

const batches: readonly WirePath[] = [
  { path: '/v1/batch', type: null },
  { path: '/v1/import', type: null, needsApiKey: true },
  { path: '/beacon/v1/batch', type: null },
]

const ofJitsu: readonly WirePath[] = eventTypes.map((type) => ({ path: `/api/s/${type}`, type }))

/** Every path that takes events. */
export const wirePaths: readonly WirePath[] = [...ofSegment, ...byName, ...batches, ...ofJitsu]
