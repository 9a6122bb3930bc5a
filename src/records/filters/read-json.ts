import { z } from 'zod'
import { refuse } from '../../platform/http/fields.ts'
import {
  detailsMax,
  extraForbidden,
  hintsMax,
  missing,
  notAList,
  notAnObject,
  notText,
  Refusal,
  toZodIssue,
} from '../../platform/http/refusal.ts'
import { nearestName } from '../../platform/nearest-name.ts'
import type { FilterField } from '../record-type.ts'
import { customExpected } from './custom.ts'
import { filterNamed } from './filters-of.ts'
import { readOperator } from './operand.ts'
import { readOperand } from './read-query.ts'
import { type Comparison, type FilterTree, operators, type SentFilter } from './tree.ts'

type Filters = Readonly<Record<string, FilterField>>
type Path = (string | number)[]

const depthMax = 8
const nodesMax = 100
/** The maximum number of values in all lists of a tree. Reading 200 phone numbers blocks the thread for 14 ms. */
const valuesMax = 200

const tooDeep = refuse(`a filter may have at most ${depthMax} levels`)
const tooMany = refuse(`a filter may have at most ${nodesMax} conditions`)
const tooManyValues = refuse(`all lists of a filter together may have at most ${valuesMax} values`)
const oneMember = refuse(
  'a condition has one of and, or, not and field, such as {"field": "city", "op": "eq", "value": "Rome"}',
)
const empty = refuse('a list of conditions has at least one')

interface TreeDef extends z.core.$ZodTypeDef {
  type: 'custom'
  /** null: only the form of the tree is read. */
  filters: Filters | null
}

interface TreeType extends z.ZodType {
  _zod: z.core.$ZodTypeInternals & { def: TreeDef }
}

const TreeField = z.core.$constructor<TreeType>('FilterTree', (inst, def) => {
  z.ZodType.init(inst, def)
  inst._zod.processJSONSchema = (_, json) => Object.assign(json, treeSchema)
  inst._zod.parse = (payload, context) => {
    const reader = new TreeReader(def.filters, context)
    const tree = reader.read(payload.value, [], 1)
    payload.issues.push(...(reader.issues as z.core.$ZodRawIssue[]))
    const filter: SentFilter | undefined = tree && { tree, places: reader.places }
    if (def.filters) payload.value = filter
    return payload
  }
})

/** The schema of a filter in JSON that may name these fields. */
export const filterTree = (filters: Filters): z.ZodType<SentFilter, unknown> =>
  new TreeField({ type: 'custom', filters }) as unknown as z.ZodType<SentFilter, unknown>

class TreeReader {
  readonly issues: object[] = []
  readonly places = new Map<Comparison, Path>()
  readonly #filters: Filters | null
  readonly #context: z.core.ParseContextInternal
  #nodes = 0
  #values = 0
  #hints = 0

  constructor(filters: Filters | null, context: z.core.ParseContextInternal) {
    this.#filters = filters
    this.#context = context
  }

  /** Returns undefined if the tree has problems. */
  read(value: unknown, path: Path, depth: number): FilterTree | undefined {
    if (depth > depthMax) return this.#refuse(path, tooDeep)
    if (this.issues.length >= detailsMax) return undefined
    // Report the problem once, and skip the rest of the tree.
    if (++this.#nodes > nodesMax) return this.#nodes === nodesMax + 1 ? this.#refuse([], tooMany) : undefined
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return this.#refuse(path, notAnObject)
    const node = value as Record<string, unknown>
    const kinds = ['and', 'or', 'not', 'field'].filter((name) => Object.hasOwn(node, name))
    const [kind] = kinds
    if (kind === undefined || kinds.length > 1) return this.#refuse(path, oneMember)
    const known = kind === 'field' ? ['field', 'op', 'value'] : [kind]
    this.#refuseUnknown(Object.keys(node), known, path)
    if (kind === 'field') return this.#comparison(node, path)
    if (kind === 'not') {
      const inner = this.read(node.not, [...path, 'not'], depth + 1)
      return inner && { not: inner }
    }
    const parts = this.#parts(node[kind], [...path, kind], depth)
    return parts && (kind === 'and' ? { and: parts } : { or: parts })
  }

  #parts(value: unknown, path: Path, depth: number): FilterTree[] | undefined {
    if (!Array.isArray(value)) return this.#refuse(path, notAList)
    if (value.length === 0) return this.#refuse(path, empty)
    return value.flatMap((each, index) => this.read(each, [...path, index], depth + 1) ?? [])
  }

  #comparison(
    { field, op: name = 'eq', value }: Record<string, unknown>,
    path: Path,
  ): FilterTree | undefined {
    if (typeof field !== 'string') return this.#refuse([...path, 'field'], notText)
    if (!this.#filters) return { field, op: 'eq', value: '' }
    const filter = filterNamed(this.#filters, field)
    if (!filter) {
      const near = this.#mayHint() ? this.#filters : {}
      return this.#refuse([...path, 'field'], unknownField(field, near, customExpected))
    }
    if (typeof name !== 'string') return this.#refuse([...path, 'op'], notText)
    const op = readOperator(name, filter, field)
    if (op instanceof Refusal) return this.#refuse([...path, 'op'], op)
    if (value === undefined) return this.#refuse([...path, 'value'], missing)
    if (Array.isArray(value)) {
      const earlier = this.#values
      this.#values += value.length
      if (this.#values > valuesMax) return earlier > valuesMax ? undefined : this.#refuse([], tooManyValues)
    }
    const { comparison, issues } = readOperand(field, filter, op, value, this.#context)
    for (const issue of issues as { path?: PropertyKey[] }[])
      this.issues.push({ ...issue, path: [...path, 'value', ...(issue.path ?? [])] })
    if (comparison) this.places.set(comparison, ['body', 'filter', ...path, 'value'])
    return comparison
  }

  #refuseUnknown(names: readonly string[], known: readonly string[], path: Path): void {
    for (const name of names) {
      if (this.issues.length >= detailsMax) return
      if (known.includes(name)) continue
      const nearest = this.#mayHint() ? nearestName(name, known) : undefined
      this.#refuse([...path, name], extraForbidden(nearest))
    }
  }

  /** Hints are expensive: only the first unknown names of a tree get one. */
  #mayHint(): boolean {
    return ++this.#hints <= hintsMax
  }

  #refuse(path: Path, why: Refusal): undefined {
    if (this.issues.length >= detailsMax) return
    this.issues.push({ ...toZodIssue(why, undefined), path })
  }
}

/** @param expected what to send, if no known name is near */
export function unknownField(
  name: string,
  known: Readonly<Record<string, unknown>>,
  expected?: string,
): Refusal {
  const nearest = nearestName(name, Object.keys(known))
  const hint = nearest === undefined ? '' : `: do you mean ${nearest}?`
  return new Refusal(
    'value_error',
    `Value error, there is no such field${hint}`,
    nearest === undefined ? (expected === undefined ? {} : { expected }) : { nearest },
  )
}

const conditions = (description: string) => ({
  type: 'array' as const,
  items: { $ref: '#/components/schemas/RecordFilter' },
  minItems: 1,
  description,
})

const treeSchema = {
  title: 'RecordFilter',
  type: 'object' as const,
  description: 'A condition: a comparison (`field`, `op`, `value`), or `and`, `or` or `not` of conditions.',
  properties: {
    and: conditions('All of these conditions must be true.'),
    or: conditions('At least one of these conditions must be true.'),
    not: { $ref: '#/components/schemas/RecordFilter', description: 'This condition must not be true.' },
    field: { type: 'string' as const, description: 'A field of the record, or `custom.<key>`.' },
    op: {
      title: 'FilterOperator',
      type: 'string' as const,
      enum: [...operators],
      default: 'eq',
      description: 'How the field is compared with the value.',
    },
    value: {
      description:
        'The value; for `in` a list of up to 100 values (200 in the whole filter), for `is_null` true or false.',
    },
  },
  additionalProperties: false,
}

/** A tree for any record type. `filterTree` of the record type must read it again: no field is checked here. */
export const anyFilterTree: z.ZodType<unknown> = new TreeField({ type: 'custom', filters: null })
