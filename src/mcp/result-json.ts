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
 * and `cut` says how many. If one item is too long, its long texts and lists are shortened.
 */
export function limitedJson(result: unknown): string {
  const text = visibleJson(result)
  if (text.length <= charactersMax || typeof result !== 'object' || result === null) return text
  const cut = withFewerItems(result, text)
  return cut.length > charactersMax ? shortenedJson(JSON.parse(cut)) : cut
}

function withFewerItems(result: object, text: string): string {
  const lists = Object.entries(result).filter((entry): entry is [string, unknown[]] =>
    Array.isArray(entry[1]),
  )
  const [longest] = lists.toSorted(([, one], [, other]) => other.length - one.length)
  if (!longest) return text
  const [name, items] = longest
  let kept = items.length
  let cut = text
  while (kept > 1 && cut.length > charactersMax) {
    kept = Math.max(1, Math.min(kept - 1, Math.floor((kept * charactersMax) / cut.length)))
    const note = `${items.length - kept} more: ask for fewer items at a time, or for fewer fields`
    cut = visibleJson({ ...result, [name]: items.slice(0, kept), next_cursor: undefined, cut: note })
  }
  return cut
}

/**
 * The limits to try in turn: characters of a text, and members of a list or an object. The first limit with a short
 * enough result is used.
 */
const keptAtMost = [16_000, 4_000, 1_000, 300, 100, 30, 10, 3]

function shortenedJson({ cut, ...result }: Record<string, unknown>): string {
  const note = [cut, 'long texts and lists are shortened: ask for fewer fields'].filter(Boolean).join('; ')
  const texts = keptAtMost
    .values()
    .map((most) => visibleJson({ ...(shortened(result, most) as object), cut: note }))
  return texts.find((text) => text.length <= charactersMax) ?? visibleJson({ cut: note })
}

function shortened(value: unknown, most: number): unknown {
  if (typeof value === 'string') return value.length > most ? `${value.slice(0, most)}…` : value
  if (Array.isArray(value)) return value.slice(0, most).map((item) => shortened(item, most))
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return value
  const members = Object.entries(value).slice(0, most)
  return Object.fromEntries(members.map(([name, item]) => [name, shortened(item, most)]))
}
