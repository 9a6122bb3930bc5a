/**
 * The first fault in a text that is not JSON. `at` counts code points. `words` is the text of Python's json module.
 */
export type SyntaxFault = { at: number; words: string }

const expectedValue = 'Expecting value'
const expectedName = 'Expecting property name enclosed in double quotes'
const expectedColon = "Expecting ':' delimiter"
const expectedComma = "Expecting ',' delimiter"

const space = /[ \t\n\r]*/y
const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON strings must not contain control characters.
const plain = /[^"\\\u0000-\u001f]*/y
const shortEscape = /["\\/bfnrt]/
const hex4 = /[0-9a-fA-F]{4}/y

/**
 * Finds, without recursion, the fault that Python's `json.loads` would report; null if there is none. NaN, Infinity,
 * and nesting deeper than `maxDepth` are also faults.
 */
export function findSyntaxFault(text: string, maxDepth: number): SyntaxFault | null {
  const finding = findingSyntaxFault(text, maxDepth)
  for (;;) {
    const step = finding.next()
    if (step.done) return step.value
  }
}

/** Does what `findSyntaxFault` does, in steps of less than a millisecond. */
export function* findingSyntaxFault(
  text: string,
  maxDepth: number,
): Generator<undefined, SyntaxFault | null> {
  const fault = yield* scan(text, maxDepth)
  return fault && { ...fault, at: codePoints(text, fault.at) }
}

const valuesPerStep = 1_000

function* scan(text: string, maxDepth: number): Generator<undefined, SyntaxFault | null> {
  const open: ('{' | '[')[] = []
  let at = endOfMatch(space, text, 0)
  for (let values = 1; ; values++) {
    if (values % valuesPerStep === 0) yield
    // The parser is at the start of a value.
    const first = text[at]
    if (first === '{' || first === '[') {
      if (open.length === maxDepth) return { at, words: `nested more than ${maxDepth} levels deep` }
      at = endOfMatch(space, text, at + 1)
      if (text[at] !== (first === '{' ? '}' : ']')) {
        open.push(first)
        if (first === '[') continue
        const name = scanName(text, at)
        if (typeof name !== 'number') return name
        at = name
        continue
      }
      at++
    } else if (first === '"') {
      const end = scanString(text, at)
      if (typeof end !== 'number') return end
      at = end
    } else {
      const end = endOfMatch(scalar, text, at)
      if (end === at) return { at, words: expectedValue }
      at = end
    }
    // After a value: read closing brackets and a comma, up to the start of the next value.
    for (;;) {
      at = endOfMatch(space, text, at)
      const container = open.at(-1)
      if (!container) return at < text.length ? { at, words: 'Extra data' } : null
      if (text[at] === ',') {
        at = endOfMatch(space, text, at + 1)
        if (container === '[') break
        const name = scanName(text, at)
        if (typeof name !== 'number') return name
        at = name
        break
      }
      if (text[at] !== (container === '{' ? '}' : ']')) return { at, words: expectedComma }
      open.pop()
      at++
    }
  }
}

/** Returns the index of the value of the property whose name begins at `at`. */
function scanName(text: string, at: number): number | SyntaxFault {
  if (text[at] !== '"') return { at, words: expectedName }
  const end = scanString(text, at)
  if (typeof end !== 'number') return end
  const colon = endOfMatch(space, text, end)
  return text[colon] === ':' ? endOfMatch(space, text, colon + 1) : { at: colon, words: expectedColon }
}

/** Returns the index after the string that begins at `begin`. */
function scanString(text: string, begin: number): number | SyntaxFault {
  const unterminated = { at: begin, words: 'Unterminated string starting at' }
  let at = begin + 1
  for (;;) {
    at = endOfMatch(plain, text, at)
    const stop = text[at]
    if (stop === undefined) return unterminated
    if (stop === '"') return at + 1
    if (stop !== '\\') return { at, words: 'Invalid control character at' }
    const escaped = text[at + 1]
    if (escaped === undefined) return unterminated
    if (escaped === 'u') {
      const end = endOfMatch(hex4, text, at + 2)
      // Python requires one more character after the four digits.
      if (end !== at + 6 || end === text.length) return { at: at + 1, words: 'Invalid \\uXXXX escape' }
      at = end
    } else if (shortEscape.test(escaped)) at += 2
    else return { at, words: 'Invalid \\escape' }
  }
}

/** Returns the index after the match of the sticky `pattern` at `at`; `at` itself if it does not match. */
function endOfMatch(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

function codePoints(text: string, units: number): number {
  let count = 0
  for (let unit = 0; unit < units; count++) unit += text.codePointAt(unit)! > 0xffff ? 2 : 1
  return count
}
