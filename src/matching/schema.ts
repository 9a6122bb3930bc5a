/**
 * The matcher knows columns by type, not by name. `identifier`: an official id, such as a tax number. `external_id`:
 * an id in another system, as `source:id`. `category`: one of a few values. `text`: words in any order, such as a
 * street or a title.
 */
export const columnTypes = [
  'first_name',
  'last_name',
  'full_name',
  'date',
  'identifier',
  'city',
  'postcode',
  'text',
  'category',
  'email',
  'phone',
  'company_name',
  'domain',
  'linkedin',
  'url',
  'country',
  'amount',
  'external_id',
  'row_id',
  'ignore',
] as const
export type ColumnType = (typeof columnTypes)[number]

export type Column = { name: string; type: ColumnType }
export type Schema = readonly Column[]

/**
 * A cell can have several values, such as all e-mail addresses of a person. Two cells agree if any of their values
 * agree. Blank, null and absent are the same.
 */
export type Cell = string | readonly string[] | null | undefined
export type MatchRecord = Readonly<Record<string, Cell>>

/**
 * The compared values of a record: a text or null for each of the matcher's `fields`. Line feeds separate several
 * values.
 */
export type Features = readonly (string | null)[]

/** A hash that duplicates often share. Records of an organization with the same match key are compared. */
export type MatchKey = {
  /** The index of the key's kind in the list of kinds. */
  kind: number
  /** A signed 64-bit integer, like `bigint` in PostgreSQL. */
  hash: bigint
}

/** The evidence of one field about a pair of records. */
export type Evidence = {
  field: string
  /** How close the values are: `exact`, `near`, `different`. Each column type has its own levels. */
  level: string
  /**
   * The weight in bits: log2(m/u), adjusted for the frequency of the value. A positive weight is evidence for a
   * match.
   */
  weight: number
}

type Score = {
  /** The weight in bits: log2 of the odds of a match. It is the prior plus the weights of all fields. */
  weight: number
  /** The weight as a probability, 0 to 1. */
  probability: number
}

/** Two probabilities. A pair with `auto` or more is merged. A pair with `review` or more is reviewed by a person. */
export type Limits = { auto: number; review: number }

export type Outcome = 'auto' | 'review' | 'none'

export type Decision = Score & {
  outcome: Outcome
  evidence: Evidence[]
  /** Why the pair must not be merged automatically; null: no veto. */
  veto: string | null
}

/** The share of pairs at each level: `m` for matching pairs, `u` for other pairs. Each list adds up to 1. */
export type Rates = {
  m: number[]
  u: number[]
  /**
   * For other fields by name: the rates `u` among pairs that agree on the other field. Colleagues share a city because
   * they share a company, so the city is weaker evidence if the companies agree.
   */
  given?: Record<string, number[]>
}

export type Model = {
  /** The version of the model. It changes with the content of the model. */
  version: string
  normalizationVersion: number
  schema: Schema
  /** The mean number of matches of a record. The prior of a pair is `partners` / (records − 1). */
  partners: number
  rates: Record<string, Rates>
}

export type Cluster = {
  /** The indexes of at least two records, ascending. */
  members: number[]
  /** The weight, in bits, of the lightest edge that joins the cluster. */
  weakest: number
  expectedPairs: number
}

export type MatcherOptions = {
  schema: Schema
  model: Model
  /** The number of records in the set. The prior depends on it. */
  records: number
  /** The country of national phone numbers, as ISO 3166-1 alpha-2. */
  defaultCountry?: string | null
}

/** Compares records. All functions are pure, and accept two records in either order. */
export type Matcher = {
  /** The compared fields: columns, or parts of columns (`full_name` gives two names). */
  readonly fields: readonly string[]
  normalize(record: MatchRecord): Features
  score(a: Features, b: Features): Score
  decide(a: Features, b: Features, limits?: Limits): Decision
}
