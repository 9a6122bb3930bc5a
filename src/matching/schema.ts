/**
 * The types of columns. They are all that the matcher knows about the data, because it ignores the names of columns.
 * `identifier` is an official id of the person or company (tax number, national id). `external_id` is its id in another
 * system, written `source:id`. `category` is one of a few values. `text` is words in any order, such as a street or a
 * title.
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
 * One value, or several values, such as all e-mail addresses of a person. Two cells agree if any of their values
 * agree. Blank, null and absent mean the same.
 */
export type Cell = string | readonly string[] | null | undefined
/** Cells by column name. */
export type MatchRecord = Readonly<Record<string, Cell>>

/** A normalized record: for each of the matcher’s `fields` a text or null. Line feeds separate several values. */
export type Features = readonly (string | null)[]

/** A match key. Two records of one organization that share a match key are compared. */
export type MatchKey = {
  /** The index of the kind in the list of kinds. */
  kind: number
  /** 64 bits, signed, like bigint of PostgreSQL. */
  hash: bigint
}

/** The comparison of one field of two records, and its weight. */
export type Evidence = {
  field: string
  /** `exact`, `near`, `different`, …: each type of column has levels of its own, from the closest to `different`. */
  level: string
  /** In bits: log2(m/u), adjusted for the frequency of the value. A positive weight is evidence for a match. */
  weight: number
}

type Score = {
  /**
   * In bits: log2 of the odds that both records are the same. It sums the prior for this number of records and the
   * weights of all fields.
   */
  weight: number
  /** The weight as a probability, 0 to 1. */
  probability: number
}

/** The probabilities from which a pair is merged automatically, and from which a person reviews it. */
export type Limits = { auto: number; review: number }

export type Outcome = 'auto' | 'review' | 'none'

export type Decision = Score & {
  outcome: Outcome
  evidence: Evidence[]
  /** The reason, in words, why the pair must not be merged automatically; null: no veto. */
  veto: string | null
}

/** The share of pairs at each level of a field, among matching pairs (`m`) and among other pairs (`u`). Each sums to 1. */
export type Rates = {
  m: number[]
  u: number[]
  /**
   * The rates `u` among pairs that agree on another field, by the name of that field. Colleagues, for
   * example, share a city because they share a company.
   */
  given?: Record<string, number[]>
}

/** The result of training; plain JSON. */
export type Model = {
  /** A text that changes whenever the content of the model changes. */
  version: string
  /** The `normalizationVersion` with which it was trained. */
  normalizationVersion: number
  schema: Schema
  /** The mean number of matches of a record. The prior of a pair is this divided by (records − 1). */
  partners: number
  rates: Record<string, Rates>
}

export type Cluster = {
  /** Places of at least two records, ascending. */
  members: number[]
  /** In bits: the weight of the lightest edge that joins the cluster. */
  weakest: number
  /** The expected number of right pairs among its members. */
  expectedPairs: number
}

export type MatcherOptions = {
  schema: Schema
  model: Model
  /** The number of records, for the prior. */
  records: number
  /** ISO 3166-1 alpha-2, for phone numbers in national form. */
  defaultCountry?: string | null
}

/** Pure: the same arguments give the same answers. The order of two records does not matter. */
export type Matcher = {
  /** The names of fields: columns, or parts of columns (`full_name` gives two names). */
  readonly fields: readonly string[]
  normalize(record: MatchRecord): Features
  score(a: Features, b: Features): Score
  decide(a: Features, b: Features, limits?: Limits): Decision
}
