// The parameters of an address that show where a visitor came from. Other parameters may be secret, such as the token
// of a link in an e-mail.
const kept: ReadonlySet<string> = new Set([
  ...['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content', 'utm_id'],
  ...['gclid', 'gbraid', 'wbraid', 'fbclid', 'msclkid', 'ttclid', 'li_fat_id'],
])

// In JSON, a quote inside of a string has a backslash before it.
const textOfJson = '(?:[^"\\\\]|\\\\.)*'
/** A string that begins like a path or a query: `"/a?token=1"`, `"?token=1"`, `"#token"`. */
const relative = new RegExp(`(?<=[:,[]")(/[^"\\\\?#]*)?([?#]${textOfJson})`, 'g')
/** An address after its scheme, anywhere in a string: the user, the host with the path, and the query. */
const absolute = /:\/\/(?:[^/?#\s"\\]*@)?([^?#\s"\\]*)((?:[?#](?:[^\s"\\]|\\.)*)?)/g

/**
 * Removes the user, the fragment and most of the query from each address in JSON. Of the query, only campaigns and
 * click ids remain, which show where a visitor came from.
 */
export function withoutSecretsOfAddresses(json: string): string {
  return json
    .replace(absolute, (_all, path: string, query: string) => `://${path}${shortQuery(query)}`)
    .replace(relative, (_all, path: string | undefined, query: string) => (path ?? '') + shortQuery(query))
}

/** A query without its fragment, as JSON text. */
function shortQuery(query: string): string {
  if (!query.startsWith('?')) return ''
  const pairs = query
    .slice(1)
    .replace(/#.*$/s, '')
    .split('&')
    .filter((pair) => kept.has(pair.replace(/=.*$/s, '')))
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}
