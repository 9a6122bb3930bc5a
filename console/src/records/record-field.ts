import type { FieldType as DefinedType, FilterOperator } from '../../../sdk/src/generated/types.ts'

/**
 * What the values of a field are. `list`: a list of texts. `time`: Unix seconds. `money`: an amount in the minor unit of
 * the record's currency. `reference`: the id of a company. `people`: ids of contacts. `choice`: one of `choices`.
 */
export type ValueType = DefinedType | 'list' | 'time' | 'money' | 'reference' | 'people' | 'choice'

/** A field of a record, as pages show, sort, filter and edit it. */
export type RecordField = {
  /** Its name in the API: a member of the record, `custom.<key>` or `consent.<channel>`. */
  name: string
  label: string
  type: ValueType
  /** The heading under which the page of a record shows it. */
  group: string
  /** The values of a `select` or `multi_select`. */
  options?: readonly string[]
  /** The values of a `choice`, which are ids, with their names. */
  choices?: readonly (readonly [value: string, name: string])[]
  hint?: string | null
  /** The currency of the amounts that a filter compares. Without it, they are in several. */
  currency?: string
  /** The smallest width of its column in pixels. */
  width: number
  /** Whether lists can be sorted by it. */
  isSortable?: boolean
  /** Whether no two records have the same value. */
  isUnique?: boolean
  /** Whether the API sets it. */
  isReadOnly?: boolean
  /** Whether a merge takes its value by a rule, so that nobody chooses it. */
  isRuled?: boolean
  /** Whether the page of a record shows it only if it has a value. */
  isRare?: boolean
  /** The member that filters name, if it differs from the field: `tag` for `tags`. */
  filter?: string
  /** The field that a merge takes together with it, and by whose name a person chooses it. */
  mergedAs?: string
  /** The list that has the value as its first, and that the page of a record shows instead. */
  listField?: string
  /** The operators of the filter; none: lists have no filter by it. */
  operators: readonly FilterOperator[]
}

/** Whether all values of the field with this name are whole numbers. */
export const isWhole = (name: string): boolean => ['employee_count', 'probability'].includes(name)

/** The values of a `boolean` in a menu, each with its label. */
export const yesOrNo = [
  ['true', 'yes'],
  ['false', 'no'],
] as const

export const textOperators = ['eq', 'ne', 'starts_with', 'in', 'is_null'] as const
export const keyOperators = ['eq', 'ne', 'in'] as const
export const choiceOperators = ['eq', 'ne', 'in', 'is_null'] as const
export const numberOperators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'is_null'] as const
export const timeOperators = ['gte', 'lt'] as const

/** The operators of a member of `custom` by its type. The API compares its values as text, or as numbers. */
export const operatorsOfDefined = (type: DefinedType): readonly FilterOperator[] => {
  if (type === 'number' || type === 'date') return numberOperators
  // A person chooses a day, which is many times.
  if (type === 'datetime') return [...timeOperators, 'is_null']
  if (type === 'boolean') return ['eq', 'ne', 'is_null']
  if (type === 'multi_select') return ['is_null']
  return type === 'select' ? choiceOperators : textOperators
}
