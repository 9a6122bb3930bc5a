import type { BulkChange } from '../../../../sdk/src/generated/types.ts'

const partsShown = 3

/** What a change of all records does, such as “: add the tag “fair””. Empty: the server does not say it any more. */
export function changeWords({ change }: Pick<BulkChange, 'change'>): string {
  if (change === null) return ''
  const { add_tags = [], remove_tags = [], custom = {}, archive, owner_id } = change
  const parts = [
    ...(archive ? ['archive'] : []),
    ...(owner_id === undefined ? [] : [owner_id === null ? 'remove the owner' : 'change the owner']),
    ...add_tags.map((tag) => `add the tag “${tag}”`),
    ...remove_tags.map((tag) => `remove the tag “${tag}”`),
    ...Object.keys(custom).map((key) => `change ${key}`),
  ]
  const more = parts.length - partsShown
  return `: ${parts.slice(0, partsShown).join(', ')}${more > 0 ? `, and ${more} more` : ''}`
}
