import type { Visitor, VisitSource } from '../../../../../sdk/src/generated/types.ts'

/** The source of a session, for example “newsletter · Autumn tables”. */
export function sourceWords(source: VisitSource | null): string {
  if (source === null) return 'direct'
  const { source: name, medium, campaign, ad_click: click, referrer_host: host } = source
  const parts = [name ?? host ?? click, campaign ?? medium].filter((part) => part !== null)
  return parts.length === 0 ? 'direct' : parts.join(' · ')
}

/** The name of a visitor: its contact, its user, or else the beginning of its id. */
export const nameOf = (
  { user_key, visitor_id }: Visitor,
  contactNames: ReadonlyMap<string, string>,
): string => (user_key === null ? visitor_id.slice(0, 8) : (contactNames.get(user_key) ?? user_key))
