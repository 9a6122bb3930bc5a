import { invalid } from '../../platform/domain-error.ts'

/** Shorter bodies are parsed in about a millisecond, whatever they contain. */
const smallLength = 64 * 1024
/** 100 values for each of 2,500 events. */
const valuesMax = 250_000
/** An event of more than 100 levels is dropped alone. Only a body that no event explains is refused. */
const levelsMax = 1_000

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Refuses JSON with more values or levels than events have. `JSON.parse` would block the thread for half a second.
 * @throws DomainError invalid
 */
export function refuseCostly(text: string): void {
  if (text.length <= smallLength) return
  let [values, levels] = [0, 0]
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === quote) at = endOfString(text, at)
    else if (char === comma) values++
    else if (char === closeList || char === closeObject) levels--
    else if (char === openList || char === openObject) {
      values++
      levels++
    }
    if (values > valuesMax || levels > levelsMax) throw tooCostly()
  }
}

/** Where a string ends that begins at `from`, which is the text's last index if it does not end. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === quote) return at
    if (char === backslash) at++
  }
  return text.length
}

const tooCostly = () =>
  invalid(
    'events_too_large',
    `The body has more than ${valuesMax} values or ${levelsMax} levels: send fewer events at a time`,
  )
