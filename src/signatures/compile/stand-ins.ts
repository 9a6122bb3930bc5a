// While a value is on its way from the template engine to the sanitiser, characters that mean something to a parser of
// HTML are stood for by others that never mean anything, in no place: code points that Unicode keeps free for such use
// and that no text has. So a value is text wherever a template puts it: it can neither begin nor end a tag, an attribute,
// quoted or not, or a comment. (Character references would do as well, but every one of them is an event of the parser.)

const meaning = ' \t\n&<>"\'`=/'
const first = 0xfdd0
/** Before every value: what begins with it is the name of nothing. */
const begin = '\ufdef'

const standIns = new Map(
  [...meaning].map((character, index) => [character, String.fromCodePoint(first + index)]),
)
const meanings = new Map([...standIns].map(([character, standIn]) => [standIn, character]))
const asEntities = new Map(
  [...meanings].map(([standIn, character]) => [
    standIn,
    { '&': '&amp;', '<': '&lt;', '>': '&gt;' }[character] ?? character,
  ]),
)

/** `text` as it may stand anywhere in HTML. It has none of the code points that stand for others. */
export function guarded(text: string): string {
  return text === ''
    ? ''
    : begin + text.replaceAll(/[ \t\n&<>"'`=/]/g, (character) => standIns.get(character)!)
}

/** `text` with what guarded() took out. */
export function unguarded(text: string): string {
  return text.replaceAll(/[\ufdd0-\ufdef]/g, (standIn) => meanings.get(standIn) ?? '')
}

/** The same for text in which &, < and > are escaped. */
export function unguardedAndEscaped(text: string): string {
  return text.replaceAll(/[\ufdd0-\ufdef]/g, (standIn) => asEntities.get(standIn) ?? '')
}

/** `text` without code points that could stand for others. */
export function withoutStandIns(text: string): string {
  return text.replaceAll(/[\ufdd0-\ufdef]/g, '')
}
