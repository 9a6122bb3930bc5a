const entities = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
])
const entityOf = Array.from({ length: 128 }, (_, code) => entities.get(String.fromCharCode(code)))

/** Writes a text so that it is safe in HTML, both between tags and in an attribute with double quotes. */
export function escapeHtml(text: string): string {
  // Many replacements in one long text would take several times as long.
  let escaped = ''
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const entity = entityOf[text.charCodeAt(at)]
    if (entity === undefined) continue
    escaped += text.slice(from, at) + entity
    from = at + 1
  }
  return escaped + text.slice(from)
}
