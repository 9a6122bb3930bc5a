/**
 * What two names say about one another, from the strongest.
 * - `exact`: the same words; case, marks, punctuation, titles and degrees aside.
 * - `equivalent`: one name written in two ways: nickname, transliteration, order, a middle name or a legal form
 *   more.
 * - `close`: a slip of the pen, a sound-alike, or a part of a double name more.
 * - `compatible`: nothing is against it, but one says less (an initial, one name alone), or just a weak sign is
 *   against it.
 * - `partial`: they have names in common and contradict each other in others.
 * - `distinct`: two names.
 */
export type NameLevel = 'exact' | 'equivalent' | 'close' | 'compatible' | 'partial' | 'distinct'

/**
 * The level of a comparison as in I. P. Fellegi and A. B. Sunter, "A theory for record linkage", JASA 64 (1969), and
 * a similarity from 0 to 1. The similarity is 1 only for `exact`. From `SAME_FROM` on, the two can be the same name.
 */
export type NameComparison = { readonly level: NameLevel; readonly similarity: number }

/** From this similarity on, two names can belong to one person or company. */
export const SAME_FROM = 0.8
