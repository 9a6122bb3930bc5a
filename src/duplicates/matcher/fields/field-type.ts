/** What a normaliser may know besides the value. */
export type Locale = {
  /** ISO 3166-1 alpha-2, for phone numbers in national form. */
  defaultCountry: string | null
}

/**
 * Fields of one group tell the same thing twice: a street and its postcode. Only fields of different groups are
 * independent of one another. `null`: a field that is never strong, such as a gender.
 */
export type Group = 'name' | 'birth' | 'identifier' | 'email' | 'phone' | 'profile' | 'address' | 'company'

/** A text that stands for a value in a match key; several when any of them may agree. */
export type Token = (value: string) => string[]

/** All that the matcher knows of a kind of field: one object each, and no other place tells them apart. */
export type FieldType = {
  /** The outcomes of `compare`, from the closest to `different`. */
  levels: readonly string[]
  group: Group | null
  /** The last level that may make its group strong: what is merely similar proves nothing. */
  strongTo: number
  /** Levels that forbid an automatic merge, whatever else agrees. */
  vetoes: readonly number[]
  /**
   * Levels at which two different ones belong to one office, household or class: they then agree on other things as
   * well. None for what is one's own, such as a name.
   */
  sharedAt: readonly number[]
  /** The part of a value that such ones have in common; unless given, the whole. */
  sharedPart?(value: string): string | null
  /** The form that is stored and compared: no two spellings of one value differ. null: nothing of use in it. Pure. */
  normalise(value: string, locale: Locale): string | null
  /** The place in `levels` of two different normalised values; equal ones are at 0 without asking. Symmetric. */
  compare(a: string, b: string): number
  /** How often pairs that match end at each level, where nothing better is known. Sums to 1. */
  usualM: readonly number[]
}
