/** The id of the type `text[]` in PostgreSQL (pg_type.dat). */
export const textArrayType: number = 1009

/** Reads the text of a `text[]` with one dimension. pg's own parser takes each character alone: 30 ns, up to 100 times as long. */
export function parseTextArray(text: string): (string | null)[] {
  const items: (string | null)[] = []
  const end = text.length - 1
  for (let at = 1; at < end; ) {
    const close = text[at] === '"' ? closingQuote(text, at + 1) : text.indexOf(',', at)
    if (text[at] === '"') {
      items.push(unescaped(text.slice(at + 1, close)))
      at = close + 2
      continue
    }
    const item = text.slice(at, close === -1 ? end : close)
    items.push(item === 'NULL' ? null : item)
    at += item.length + 1
  }
  return items
}

/** The place of the quote that ends a text: a backslash precedes each quote of the text itself. */
function closingQuote(text: string, start: number): number {
  for (let at = start; ; ) {
    const quote = text.indexOf('"', at)
    let backslashes = 0
    while (text[quote - 1 - backslashes] === '\\') backslashes++
    if (backslashes % 2 === 0) return quote
    at = quote + 1
  }
}

const unescaped = (text: string): string => (text.includes('\\') ? text.replace(/\\(.)/gs, '$1') : text)
