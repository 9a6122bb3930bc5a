const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Our id of a call where it may stand; null for anything else. */
export const callIdOf = (value: unknown): string | null =>
  typeof value === 'string' && uuid.test(value) ? value : null

/** Where a provider that keeps no id of ours tells of a call: the address carries it. */
export function withCallId(callbackUrl: string, callId: string): string {
  const url = new URL(callbackUrl)
  url.searchParams.set('call_id', callId)
  return url.href
}

/** The id that `withCallId` put there; null if none is there. */
export const callIdIn = (url: string): string | null =>
  callIdOf(URL.parse(url)?.searchParams.get('call_id') ?? null)
