import { z } from 'zod'
import { Refusal, toZodIssue } from '../../platform/http/refusal.ts'
import type { FilterField } from '../record-type.ts'
import { customExpected } from './custom.ts'
import { filterNamed } from './filters-of.ts'
import { operandSchema, readOperator } from './operand.ts'
import type { Comparison, Operator, Scalar, SentFilter } from './tree.ts'

type Filters = Readonly<Record<string, FilterField>>

interface FilterQueryDef extends z.core.$ZodObjectDef {
  filters: Filters
  others: z.ZodObject
  /** What to send instead of an unknown name: see `unknownNames` of `platform/http`. */
  unknownNames: string
}

interface FilterQueryType extends z.ZodObject {
  _zod: z.core.$ZodObjectInternals & { def: FilterQueryDef }
}

/** `updated_since=…` is a short form of the filter `updated_at[gte]=…`. */
const since = { field: 'updated_at', op: 'gte' } as const

/** Matches names of filters such as `first_name`, `first_name[in]` and `custom.plan[ne]`. */
const named = /^(.+?)(?:\[(\w*)\])?$/s

const FilterQuery = z.core.$constructor<FilterQueryType>('FilterQuery', (inst, def) => {
  z.ZodObject.init(inst, def)
  inst._zod.parse = (payload, context) => {
    const rest: Record<string, unknown> = Object.create(null)
    const comparisons = new Map<Comparison, [string]>()
    const issues: z.core.$ZodRawIssue[] = []
    for (const [name, value] of Object.entries(payload.value as object)) {
      const asked = comparisonNamed(def.filters, name)
      if (!asked) {
        rest[name] = value
        continue
      }
      const read = readComparison(asked, value, context)
      if (read.comparison) comparisons.set(read.comparison, [name])
      else issues.push(...z.core.util.prefixIssues(name, read.issues as never))
    }
    payload.value = rest
    const read = def.others._zod.run(payload, context) as z.core.ParsePayload
    read.issues.push(...issues)
    const filter: SentFilter = {
      // Sort the comparisons: a cursor stays valid if a client sends the same filters in another order.
      tree: { and: [...comparisons].sort(([, [a]], [, [b]]) => (a < b ? -1 : 1)).map(([each]) => each) },
      places: new Map([...comparisons].map(([each, path]) => [each, ['query', ...path]])),
    }
    if (read.issues.length === 0) read.value = { ...(read.value as object), filter }
    return read
  }
})

/** What to send instead of a parameter with the whole filter. */
export const filterInQuery: Readonly<Record<string, string>> = Object.fromEntries(
  ['filter', 'filters', 'where'].map((name) => [
    name,
    '<field>=<value> or <field>[<operator>]=<value>; a tree of conditions belongs in POST …/search',
  ]),
)

/**
 * A query with the parameters of `shape`. All other parameters are filters: `field=value`, `field[op]=value` and
 * `custom.<key>`. A record must match all of them.
 */
export function filterQuery(shape: z.core.$ZodLooseShape, filters: Filters): z.ZodObject {
  const documented = Object.entries(filters).map(([name, { schema, description }]) => {
    return [name, schema.optional().describe(description ?? `Only records with this \`${name}\`.`)]
  })
  return new FilterQuery({
    type: 'object',
    shape: { ...Object.fromEntries(documented), ...shape },
    catchall: z.never(),
    filters,
    others: z.strictObject(shape as z.core.$ZodShape),
    unknownNames: customExpected,
  }) as unknown as z.ZodObject
}

type AskedComparison = { field: string; filter: FilterField; op: string }

/** Returns undefined for a parameter that is not a filter. */
function comparisonNamed(filters: Filters, name: string): AskedComparison | undefined {
  const [, field = '', op = 'eq'] = named.exec(name) ?? []
  if (name === 'updated_since' && filters[since.field]) return { ...since, filter: filters[since.field]! }
  const filter = filterNamed(filters, field)
  return filter && { field, filter, op }
}

function readComparison(
  { field, filter, op: name }: AskedComparison,
  value: unknown,
  context: z.core.ParseContextInternal,
): { comparison?: Comparison; issues: readonly object[] } {
  const op = value instanceof Refusal ? value : readOperator(name, filter, field)
  if (op instanceof Refusal) return { issues: [toZodIssue(op, value)] }
  const sent = op === 'in' && typeof value === 'string' ? value.split(',') : value
  return readOperand(field, filter, op, sent, context)
}

/** Reads the value that a field is compared with. Returns the comparison, or the issues of an invalid value. */
export function readOperand(
  field: string,
  filter: FilterField,
  op: Operator,
  value: unknown,
  context: z.core.ParseContextInternal,
): { comparison?: Comparison; issues: readonly object[] } {
  const read = operandSchema(filter, op)._zod.run({ value, issues: [] }, context) as z.core.ParsePayload
  return read.issues.length > 0
    ? { issues: read.issues }
    : { comparison: { field, op, value: read.value as Scalar }, issues: [] }
}
