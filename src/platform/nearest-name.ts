/** Longer names are slow to compare, and rarely misspell a known name. */
const lengthMax = 64

/**
 * The known name that `name` probably means; undefined if there is none. It is the nearest spelling, else the only
 * name that begins with `name` (`amount`: `amount_cents`) or has the same first word (`expires_at`:
 * `expires_in_days`).
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const synonym = Object.hasOwn(synonyms, name) ? synonyms[name] : undefined
  if (synonym !== undefined && known.includes(synonym)) return synonym
  return nearestSpelling(name, known) ?? onlyOneThatBegins(name, known) ?? onlyOneWithFirstWord(name, known)
}

/** Names that other APIs have for a parameter or member of this API. */
const synonyms: Readonly<Record<string, string>> = {
  ...{ order: 'sort', order_by: 'sort', orderby: 'sort' },
  ...{ offset: 'page', per_page: 'limit', page_size: 'limit' },
  ...{ operator: 'op', operation: 'op' },
  ...{ search: 'q', query: 'q' },
  ...{ contacts: 'items', companies: 'items', deals: 'items', records: 'items' },
  ...{ contact_id: 'record_id', company_id: 'record_id', deal_id: 'record_id' },
  ...{ note: 'text', content: 'text', body: 'text' },
  ...{ events: 'types', event_types: 'types' },
}

/**
 * The known name that `name` may misspell; undefined if none is near. Letter case and separators do not count. Names
 * of 1 or 2 letters may have no typo, names of up to 5 letters one, and longer names two.
 */
export function nearestSpelling(name: string, known: readonly string[]): string | undefined {
  if (name.length > lengthMax) return undefined
  const typed = plain(name)
  const slips = typed.length < 3 ? 0 : typed.length < 6 ? 1 : 2
  let nearest: string | undefined
  let least = slips + 1
  for (const each of known) {
    const other = plain(each)
    // In a name of 3 letters, only a missing letter counts as a typo. Other typos would be near too many names.
    if (typed.length === 3 && typed !== other && other.length !== 4) continue
    const distance = editDistance(typed, other, least)
    if (distance < least) [nearest, least] = [each, distance]
  }
  return nearest
}

/** A plural in -ies counts as its singular: TRUST_PROXIES is near TRUST_PROXY. */
const plain = (name: string) =>
  name
    .toLowerCase()
    .replaceAll(/[_\-. ]/g, '')
    .replace(/ies$/, 'y')

function onlyOneThatBegins(name: string, known: readonly string[]): string | undefined {
  const typed = plain(name)
  return typed.length < 2 ? undefined : onlyOne(known, (each) => plain(each).startsWith(typed))
}

function onlyOneWithFirstWord(name: string, known: readonly string[]): string | undefined {
  const word = /^[A-Za-z]{4,20}(?=_)/.exec(name)?.[0].toLowerCase()
  return word && onlyOne(known, (each) => each === word || each.startsWith(`${word}_`))
}

/** Returns the only known name for which `is` returns true; undefined if no name or several names do. */
function onlyOne(known: readonly string[], is: (each: string) => boolean): string | undefined {
  const [first, ...others] = known.filter(is)
  return others.length === 0 ? first : undefined
}

/**
 * Returns the optimal string alignment distance of two names, at most `enough`. Only the cells near the diagonal are
 * computed: all others are at least `enough`.
 */
function editDistance(one: string, other: string, enough: number): number {
  if (Math.abs(one.length - other.length) >= enough) return enough
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, index) => index)
  let row: number[] = []
  for (let i = 1; i <= one.length; i++) {
    const start = Math.max(1, i - enough + 1)
    const end = Math.min(other.length, i + enough - 1)
    row[start - 1] = start === 1 ? i : enough
    let nearest = row[start - 1]!
    for (let j = start; j <= end; j++) {
      const isSame = one[i - 1] === other[j - 1]
      let least = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1))
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      if (isSwapped) least = Math.min(least, beforeLast[j - 2]! + 1)
      row[j] = least
      nearest = Math.min(nearest, least)
    }
    if (nearest >= enough) return enough
    row[end + 1] = enough
    const unused = beforeLast
    beforeLast = last
    last = row
    row = unused
  }
  return Math.min(last[other.length]!, enough)
}
