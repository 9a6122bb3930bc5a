export type Locale = {
  /** The country of national phone numbers, as ISO 3166-1 alpha-2. */
  defaultCountry: string | null
}

/**
 * Fields of one group repeat the same evidence, such as a street and its postcode. null: never strong evidence, such
 * as a gender.
 */
export type Group = 'name' | 'birth' | 'identifier' | 'email' | 'phone' | 'profile' | 'address' | 'company'

/** Returns texts for the match keys of a value. Values with a common text share a key. */
export type Token = (value: string) => string[]

export type FieldType = {
  /** The results of `compare`, from the closest to `different`. */
  levels: readonly string[]
  group: Group | null
  /** The last level that makes the group strong. A level that only means similar values is not strong. */
  strongTo: number
  vetoes: readonly number[]
  /**
   * The levels at which different people of one office, household or class agree. Personal fields, such as a name,
   * have none.
   */
  sharedAt: readonly number[]
  /** The part that people of one office, household or class share; by default the whole value. */
  sharedPart?(value: string): string | null
  /**
   * Returns the form that is compared. All spellings of a value have the same form. null: there is nothing to
   * compare. The function is pure.
   */
  normalize(value: string, locale: Locale): string | null
  /** Compares two different normalized values, in either order, and returns an index in `levels`. */
  compare(a: string, b: string): number
  /** The default share of matching pairs at each level. They add up to 1. */
  defaultM: readonly number[]
}
