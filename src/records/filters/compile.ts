import { joinSql, type Sql, sql } from '../../platform/db/sql.ts'
import { Refusal } from '../../platform/http/refusal.ts'
import type { FilterContext, FilterField } from '../record-type.ts'
import { filterNamed } from './filters-of.ts'
import type { Comparison, FilterTree } from './tree.ts'

export type CompileOptions = {
  filters: Readonly<Record<string, FilterField>>
  context: FilterContext
  /** Called for each value that is invalid with the settings of the organization, such as its default country. */
  refuse(comparison: Comparison, why: Refusal): void
}

/** SQL of the condition that a record matches the tree. */
export function conditionOf(tree: FilterTree, options: CompileOptions): Sql {
  const all = (trees: readonly FilterTree[]) => trees.map((each) => sql`(${conditionOf(each, options)})`)
  if ('and' in tree) return tree.and.length === 0 ? sql`true` : joinSql(all(tree.and), ' and ')
  if ('or' in tree) return tree.or.length === 0 ? sql`false` : joinSql(all(tree.or), ' or ')
  // SQL's `not` gives null for a field without a value. The filter must match there.
  if ('not' in tree) return sql`(${conditionOf(tree.not, options)}) is not true`
  const filter = filterNamed(options.filters, tree.field)
  if (!filter) throw new Error(`There is no filter ${tree.field}`)
  const condition = filter.where(tree.op, tree.value, options.context)
  if (!(condition instanceof Refusal)) return condition
  options.refuse(tree, condition)
  return sql`false`
}
