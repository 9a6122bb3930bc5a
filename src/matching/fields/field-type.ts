/** Facts besides the value that a normalizer may use. */
export type Locale = {
  /** ISO 3166-1 alpha-2, for phone numbers in national form. */
  defaultCountry: string | null
}

/**
 * Fields of one group repeat the same evidence, such as a street and its postcode. Only different groups are
 * independent. null: the field is never strong evidence, such as a gender.
 */
export type Group = 'name' | 'birth' | 'identifier' | 'email' | 'phone' | 'profile' | 'address' | 'company'

/**
 * The texts from which the match keys of a value are made. Two values share a key if any of their texts are
 * equal.
 */
export type Token = (value: string) => string[]

/** Everything that the matcher knows about one kind of field. */
export type FieldType = {
  /** The possible results of `compare`, from the closest to `different`. */
  levels: readonly string[]
  group: Group | null
  /** The last level that can make the group of the field strong. Mere similarity is never strong evidence. */
  strongTo: number
  /** Levels that veto an automatic merge. */
  vetoes: readonly number[]
  /**
   * The levels at which different people of one office, household or class agree. Such people also agree on other
   * fields. Empty for personal fields, such as a name.
   */
  sharedAt: readonly number[]
  /** The part of a value that people of one office, household or class share; by default the whole value. */
  sharedPart?(value: string): string | null
  /** Converts a value to its stored and compared form, which is equal for all spellings. null: nothing to compare. Pure. */
  normalize(value: string, locale: Locale): string | null
  /** Compares two different normalized values, and returns an index in `levels`. Equal values have index 0. Symmetric. */
  compare(a: string, b: string): number
  /** The default share of matching pairs at each level. The shares sum to 1. */
  defaultM: readonly number[]
}
