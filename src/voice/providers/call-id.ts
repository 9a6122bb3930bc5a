const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The value if it is the id of a call; otherwise null. */
export const callIdOf = (value: unknown): string | null =>
  typeof value === 'string' && uuid.test(value) ? value : null

/** The value if it can be a provider's id of a call: anyone can run a LiveKit server. Otherwise null. */
export const providerIdOf = (value: unknown): string | null =>
  typeof value === 'string' && /^[\x21-\x7e]{1,255}$/.test(value) ? value : null

/** Adds the call's id to its callback address, for providers that do not send it back. */
export function withCallId(callbackUrl: string, callId: string): string {
  const url = new URL(callbackUrl)
  url.searchParams.set('call_id', callId)
  return url.href
}

/** The id that `withCallId` added; null if there is none. */
export const callIdIn = (url: string): string | null =>
  callIdOf(URL.parse(url)?.searchParams.get('call_id') ?? null)
