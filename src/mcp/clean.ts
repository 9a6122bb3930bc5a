/**
 * Characters that a person does not see, and that can hide instructions to a model: control characters, bidirectional
 * marks, characters without width, and tags (U+E0000 to U+E007F).
 */
const invisible =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u061C\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]|[\u{E0000}-\u{E007F}]/gu

/** JSON of a value, with invisible characters removed from its texts. */
export function cleanJson(value: unknown): string {
  return JSON.stringify(value, (_name, each) =>
    typeof each === 'string' ? each.replace(invisible, '') : each,
  )
}

/** Hosts cut longer results, in the middle of a record. */
const charactersMax = 40_000

export type Fitted = { text: string; isCut: boolean }

/**
 * The JSON of a result, at most 40,000 characters. The longest list of a result that is too long loses its last items,
 * and `cut` says how many.
 */
export function fittedJson(result: unknown): Fitted {
  const text = cleanJson(result)
  if (text.length <= charactersMax || typeof result !== 'object' || result === null)
    return { text, isCut: false }
  const lists = Object.entries(result).filter((entry): entry is [string, unknown[]] =>
    Array.isArray(entry[1]),
  )
  const [longest] = lists.toSorted(([, one], [, other]) => other.length - one.length)
  if (!longest) return { text, isCut: false }
  const [name, items] = longest
  let kept = items.length
  let cut = text
  while (kept > 0 && cut.length > charactersMax) {
    kept = Math.min(kept - 1, Math.floor((kept * charactersMax) / cut.length))
    const note = `${items.length - kept} more: ask for fewer at a time, or for fewer fields`
    cut = cleanJson({ ...result, [name]: items.slice(0, kept), next_cursor: undefined, cut: note })
  }
  return { text: cut, isCut: true }
}
