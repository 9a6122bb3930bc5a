export type Locale = {
  /** The country of national phone numbers, as ISO 3166-1 alpha-2. */
  defaultCountry: string | null
}

/**
 * Fields of one group repeat the same evidence, such as a street and its postcode. The group null is never strong
 * evidence, such as a gender.
 */
export type Group = 'name' | 'birth' | 'identifier' | 'email' | 'phone' | 'profile' | 'address' | 'company'

/** The texts for the match keys of a value. Values with one equal text share a key. */
export type Token = (value: string) => string[]

export type FieldType = {
  /** The results of `compare`, from the closest to `different`. */
  levels: readonly string[]
  group: Group | null
  /** The last level that makes the group strong. Mere similarity is not strong. */
  strongTo: number
  vetoes: readonly number[]
  /**
   * The levels at which different people of one office, household or class agree. Empty for personal fields, such as a
   * name.
   */
  sharedAt: readonly number[]
  /** The part that people of one office, household or class share; by default the whole value. */
  sharedPart?(value: string): string | null
  /**
   * Returns the form that is compared, which is equal for all spellings; null: there is nothing to compare. The
   * function is pure.
   */
  normalize(value: string, locale: Locale): string | null
  /**
   * Compares two different normalized values, and returns an index in `levels`. The order of the two does not
   * matter.
   */
  compare(a: string, b: string): number
  /** The default share of matching pairs at each level. The sum is 1. */
  defaultM: readonly number[]
}
