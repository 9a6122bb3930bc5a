/** What a normalizer may know besides the value. */
export type Locale = {
  /** ISO 3166-1 alpha-2, for phone numbers in national form. */
  defaultCountry: string | null
}

/**
 * Fields of one group repeat the same evidence, such as a street and its postcode. Only different groups are
 * independent. null: never strong evidence, such as a gender.
 */
export type Group = 'name' | 'birth' | 'identifier' | 'email' | 'phone' | 'profile' | 'address' | 'company'

/** The texts of a value in match keys; several if any of them may agree. */
export type Token = (value: string) => string[]

/** Everything that the matcher knows about a kind of field. */
export type FieldType = {
  /** The outcomes of `compare`, from the closest to `different`. */
  levels: readonly string[]
  group: Group | null
  /** The last level that can make its group strong: mere similarity does not. */
  strongTo: number
  /** Levels that veto an automatic merge. */
  vetoes: readonly number[]
  /**
   * Levels at which different people of one office, household or class agree. They then agree on other fields as
   * well. Empty for fields of one’s own, such as a name.
   */
  sharedAt: readonly number[]
  /** The part of a value that such people share; by default the whole value. */
  sharedPart?(value: string): string | null
  /** The stored and compared form: equal for all spellings of a value. null: nothing to compare. Pure. */
  normalize(value: string, locale: Locale): string | null
  /** The index in `levels` of two different normalized values; equal ones have index 0. Symmetric. */
  compare(a: string, b: string): number
  /** How often matching pairs have each level, as a default. Sums to 1. */
  defaultM: readonly number[]
}
