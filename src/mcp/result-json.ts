import { inSlices } from '../platform/slices.ts'
import { hasInvisible, visibleText } from '../platform/visible-text.ts'

/** JSON of a value, with invisible characters removed from its texts. */
export function visibleJson(value: unknown): string {
  const text = JSON.stringify(value)
  return mayHide(text)
    ? JSON.stringify(value, (_name, each) => (typeof each === 'string' ? visibleText(each) : each))
    : text
}

/**
 * Test first: few texts have invisible characters, and JSON with a replacer takes ten times as long. JSON escapes
 * control characters.
 */
const mayHide = (json: string): boolean => /\\[bfu]/.test(json) || hasInvisible(json)

/** Hosts would cut longer results in the middle of a record. */
const charactersMax = 40_000

/**
 * The JSON of a result, at most 40,000 characters. The longest list of a result that is too long loses its last items,
 * and `cut` says how many. If one item is too long, its long texts and lists are shortened. The work is done in slices, and
 * items that do not fit are not serialized.
 * @param owner `payerId` of the caller
 */
export function limitedJson(owner: string, result: unknown): Promise<string> {
  return inSlices(owner, limitingJson(result))
}

/** The steps of `limitedJson`: one for each member of the result, and for each item of its lists. */
export function* limitingJson(result: unknown): Generator<undefined, string> {
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return visibleJson(result)
  const members = Object.entries(result).filter(([, value]) => value !== undefined)
  return (yield* writing(members)) ?? (yield* writingFewerItems(members))
}

type Member = [name: string, value: unknown]

/**
 * The JSON of an object with these members and the note `cut`, each part changed by `change`; null if it is longer than
 * 40,000 characters. Nothing beyond that length is serialized.
 */
function* writing(
  members: readonly Member[],
  cut?: string,
  change: (part: unknown) => unknown = (part) => part,
): Generator<undefined, string | null> {
  const written: string[] = []
  let length = 0
  for (const [name, value] of members) {
    const parts: string[] = []
    for (const part of Array.isArray(value) ? value : [value]) {
      const json = visibleJson(change(part) ?? null)
      // Pause also before the next attempt: one large record takes up to 5 ms.
      yield
      length += json.length
      if (length > charactersMax) return null
      parts.push(json)
    }
    const joined = parts.join(',')
    written.push(`${JSON.stringify(name)}:${Array.isArray(value) ? `[${joined}]` : joined}`)
  }
  if (cut !== undefined) written.push(`"cut":${JSON.stringify(cut)}`)
  const text = `{${written.join(',')}}`
  return text.length <= charactersMax ? text : null
}

function* writingFewerItems(members: readonly Member[]): Generator<undefined, string> {
  const lists = members.filter((member): member is [string, unknown[]] => Array.isArray(member[1]))
  const [longest] = lists.toSorted(([, one], [, other]) => other.length - one.length)
  if (!longest || longest[1].length <= 1) return yield* writingShortened(members)
  const [name, items] = longest
  const noteFor = (left: number) => `${left} more: ask for fewer items at a time, or for fewer fields`
  const withItems = (some: unknown[]) =>
    members
      .filter(([each]) => each !== 'next_cursor')
      .map(([each, value]): Member => [each, each === name ? some : value])
  const others = yield* writing(withItems([]), noteFor(items.length))
  const fitting = others === null ? 0 : yield* countingFitting(items, charactersMax - others.length)
  const kept = Math.max(1, Math.min(fitting, items.length - 1))
  const [fewer, note] = [withItems(items.slice(0, kept)), noteFor(items.length - kept)]
  return (yield* writing(fewer, note)) ?? (yield* writingShortened(fewer, note))
}

/** How many of the items fit into this many characters. */
function* countingFitting(items: readonly unknown[], characters: number): Generator<undefined, number> {
  let [count, left] = [0, characters]
  for (const item of items) {
    left -= visibleJson(item ?? null).length + 1
    yield
    if (left < 0) break
    count++
  }
  return count
}

/**
 * The limits to try in turn: characters of a text, and members of a list or an object. The first limit with a short
 * enough result is used.
 */
const keptAtMost = [16_000, 4_000, 1_000, 300, 100, 30, 10, 3]

function* writingShortened(members: readonly Member[], cut?: string): Generator<undefined, string> {
  const note = [cut, 'long texts and lists are shortened: ask for fewer fields'].filter(Boolean).join('; ')
  for (const most of keptAtMost) {
    const kept = members
      .slice(0, most)
      .map(([name, value]): Member => [name, Array.isArray(value) ? value.slice(0, most) : value])
    const text = yield* writing(kept, note, (part) => shortened(part, most))
    if (text !== null) return text
  }
  return visibleJson({ cut: note })
}

function shortened(value: unknown, most: number): unknown {
  if (typeof value === 'string') return value.length > most ? `${value.slice(0, most)}…` : value
  if (Array.isArray(value)) return value.slice(0, most).map((item) => shortened(item, most))
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return value
  const members = Object.entries(value).slice(0, most)
  return Object.fromEntries(members.map(([name, item]) => [name, shortened(item, most)]))
}
