/**
 * What a column of records is. The matcher knows nothing else of a data set: no column is known by its name.
 *
 * `identifier` is an id of the person or thing itself (tax number, national id); `external_id` is its id in another
 * system, written `source:id`; `category` is one of a few values; `text` is any words, such as a street or a title.
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

/** One value, or several of which any may agree (all e-mail addresses of a person); blank, null and absent are alike. */
export type Cell = string | readonly string[] | null | undefined
/** Cells by the name of their column. */
export type MatchRecord = Readonly<Record<string, Cell>>

/** A normalised record: a text or null for each of the matcher's `fields`, several values joined by a line feed. */
export type Features = readonly (string | null)[]

/** Two records of one organization that share a key of one kind are worth comparing. */
export type MatchKey = {
  /** The place of the kind among those that the fields allow (`keyKindsOf`), or among the ones that are asked for. */
  kind: number
  /** 64 bits, signed, as PostgreSQL's bigint. */
  hash: bigint
}

/** How one field of two records compares, and what that says. */
export type Evidence = {
  field: string
  /** `exact`, `near`, `different`, …: each type of column has its own, from the closest to `different`. */
  level: string
  /** Bits: log2(m/u), adjusted for how frequent the value is. Above 0 it speaks for one and the same; blank: 0. */
  weight: number
}

type Score = {
  /** Bits: log2 of the odds that both are the same, of the prior for so many records and all fields together. */
  weight: number
  /** The same as a probability, 0 to 1. */
  probability: number
}

/** Probabilities from which records are merged without asking, and from which somebody is asked. */
export type Limits = { auto: number; review: number }

export type Outcome = 'auto' | 'review' | 'none'

export type Decision = Score & {
  outcome: Outcome
  evidence: Evidence[]
  /** What forbids an automatic merge, in words; null: nothing does. */
  veto: string | null
}

/** How often a field's comparison ends at a level: of pairs that match (`m`) and that do not (`u`); each sums to 1. */
export type Rates = {
  m: number[]
  u: number[]
  /** By the name of another field: u where that one is shared. Colleagues share a city because they share a company. */
  given?: Record<string, number[]>
}

/** What training yields; plain JSON. */
export type Model = {
  /** Changes whenever anything in it does. */
  version: string
  /** The `normVersion` that it was trained with. */
  normVersion: number
  schema: Schema
  /** The mean number of other records that are the same as a given one. The prior of a pair is this by (records − 1). */
  partners: number
  rates: Record<string, Rates>
}

export type Cluster = {
  /** Places of at least two records, ascending. */
  members: number[]
  /** Bits: the lightest edge that holds it together. */
  weakest: number
  /** How many of the pairs among its members are expected to be right, 0 to all of them. */
  expectedPairs: number
}

export type MatcherOptions = {
  schema: Schema
  model: Model
  /** How many records there are to match with, for the prior. */
  records: number
  /** ISO 3166-1 alpha-2, for phone numbers in national form. */
  defaultCountry?: string | null
}

/** Pure: the same arguments give the same answers, and a comparison does not depend on who comes first. */
export type Matcher = {
  /** What features, comparisons and models refer to: a column, or a part of one (`full_name` gives two names). */
  readonly fields: readonly string[]
  normalise(record: MatchRecord): Features
  score(a: Features, b: Features): Score
  decide(a: Features, b: Features, limits?: Limits): Decision
}
