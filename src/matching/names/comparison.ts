/**
 * The result of comparing two names, from the strongest level.
 * - `exact`: the same words; case, accents, punctuation, titles and degrees do not count.
 * - `equivalent`: one name written in two ways: nickname, transliteration, order, or an additional middle name or legal
 * form.
 * - `close`: a typo, a similar sound, or an additional part of a double name.
 * - `compatible`: no contradiction, but one name has less (an initial, or only one name); or a weak contradiction.
 * - `partial`: some names agree, and others contradict each other.
 * - `distinct`: two different names.
 */
export type NameLevel = 'exact' | 'equivalent' | 'close' | 'compatible' | 'partial' | 'distinct'

/**
 * The level, and a similarity from 0 to 1. Only `exact` has 1. With `sameFrom` or more, both may be the same name. I.
 * P. Fellegi and A. B. Sunter, "A theory for record linkage", JASA 64 (1969).
 */
export type NameComparison = { readonly level: NameLevel; readonly similarity: number }

/** With this similarity or more, two names may belong to one person or company. */
export const sameFrom = 0.8
