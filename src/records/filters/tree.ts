export const operators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'starts_with', 'is_null'] as const
export type Operator = (typeof operators)[number]

export type Scalar = string | number | boolean

export type Comparison = { field: string; op: Operator; value: Scalar | readonly Scalar[] }

/** A tree is plain JSON, because it is also stored. */
export type FilterTree =
  | Comparison
  | { and: readonly FilterTree[] }
  | { or: readonly FilterTree[] }
  | { not: FilterTree }

/** The conditions that a record must all meet. */
export const conjunctsOf = (tree: FilterTree): readonly FilterTree[] =>
  'and' in tree ? tree.and.flatMap(conjunctsOf) : [tree]

/** All comparisons of a tree, in the order in which it has them. */
export function comparisonsIn(tree: FilterTree): readonly Comparison[] {
  if ('and' in tree) return tree.and.flatMap(comparisonsIn)
  if ('or' in tree) return tree.or.flatMap(comparisonsIn)
  return 'not' in tree ? comparisonsIn(tree.not) : [tree]
}

/** The path of each comparison in its request, for problems that are found after the request was read. */
export type Places = ReadonlyMap<Comparison, readonly (string | number)[]>

/** `stored`: the comparisons of a segment. They may name an option that no longer exists. */
export type SentFilter = { tree: FilterTree; places: Places; stored?: ReadonlySet<Comparison> }

/**
 * Requires each field to equal its value. Undefined values are left out. `at` is the path of the values in the request.
 */
export function equalityFilter(
  values: Readonly<Record<string, unknown>>,
  at: readonly (string | number)[],
): SentFilter {
  const sent = Object.entries(values).filter(([, value]) => value !== undefined)
  const comparisons = sent.map(([field, value]): Comparison => ({ field, op: 'eq', value: value as Scalar }))
  return {
    tree: { and: comparisons },
    places: new Map(comparisons.map((each) => [each, [...at, each.field]])),
  }
}
