// Between the template engine and the sanitizer, stand-ins replace the characters that have a meaning in HTML. So a
// value cannot begin or end a tag, an attribute or a comment. Stand-ins are Unicode noncharacters, which no text
// contains. Character references would be slower: the parser handles each as an event.

const markupCharacters = ' \t\n&<>"\'`=/'
const firstStandIn = 0xfdd0
/** Precedes every value, so that no value becomes the name of an element or attribute. */
const valuePrefix = '\ufdef'

// Most texts have nothing to replace. A test is much faster than a replacement that finds nothing.
const standIn = /[\ufdd0-\ufdef]/

const standIns = new Map(
  [...markupCharacters].map((character, index) => [character, String.fromCodePoint(firstStandIn + index)]),
)
const charactersByStandIn = new Map([...standIns].map(([character, standIn]) => [standIn, character]))

/** Replaces the characters of `text` that have a meaning in HTML. `text` must not contain stand-ins. */
export function insertStandIns(text: string): string {
  return text === ''
    ? ''
    : valuePrefix + text.replaceAll(/[ \t\n&<>"'`=/]/g, (character) => standIns.get(character) ?? character)
}

/** Puts the characters back that `insertStandIns` replaced. */
export function restoreCharacters(text: string): string {
  if (!standIn.test(text)) return text
  return text.replaceAll(/[\ufdd0-\ufdef]/g, (standIn) => charactersByStandIn.get(standIn) ?? '')
}

/** Removes code points that insertStandIns() uses as stand-ins. */
export function removeStandIns(text: string): string {
  return standIn.test(text) ? text.replaceAll(/[\ufdd0-\ufdef]/g, '') : text
}
