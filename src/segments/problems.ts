import { readStages } from '../deals/stages.ts'
import type { EntityType } from '../matching/entity-type.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { sql } from '../platform/db/sql.ts'
import type { Refusal } from '../platform/http/refusal.ts'
import { ValidationError } from '../platform/http/validation.ts'
import type { FieldDefinition } from '../records/defined-fields/definition.ts'
import { unknownOptions } from '../records/defined-fields/refused-values.ts'
import { conditionOf } from '../records/filters/compile.ts'
import { customKey } from '../records/filters/custom.ts'
import { type Comparison, comparisonsIn, type FilterTree } from '../records/filters/tree.ts'
import { defaultCountry } from '../records/find.ts'
import type { RecordType } from '../records/record-type.ts'
import { readSegmentSelection } from '../records/segments/segment-filter.ts'
import { textOf } from '../records/segments/with-segment.ts'
import { recordTypes } from './entities.ts'
import type { SegmentProblem } from './schema.ts'

type Definition = FieldDefinition & { entity: string }

/** The settings of the organization that a filter depends on. */
export type FilterSettings = {
  orgId: string
  definitions: readonly Definition[]
  stages: readonly string[]
  defaultCountry: string | null
}

/** Reads the settings of the organization that decide which filters are valid. */
export async function readFilterSettings(tx: OrgTx): Promise<FilterSettings> {
  const [definitions, { stages }, country] = await Promise.all([
    tx.rows(sql<Definition>`
      select entity, key, type, options from field_definition where org_id = ${tx.orgId} order by key`),
    readStages(tx),
    defaultCountry(tx),
  ])
  return { orgId: tx.orgId, definitions, stages, defaultCountry: country }
}

/** Returns the types of the defined fields that a filter names, by key. */
export function fieldTypesIn(
  tree: FilterTree | undefined,
  entity: EntityType,
  { definitions }: FilterSettings,
): Record<string, string> {
  const keys = new Set((tree ? comparisonsIn(tree) : []).map(({ field }) => customKey(field)))
  const named = definitions.filter((each) => each.entity === entity && keys.has(each.key))
  return Object.fromEntries(named.map(({ key, type }) => [key, type]))
}

export type StoredFilter = {
  entity: EntityType
  filter: unknown
  q: string | null
  sort: string | null
  field_types: Readonly<Record<string, string>>
}

/** Returns the first reason why a segment does not do what its filter says; null if there is none. */
export function problemOf(stored: StoredFilter, settings: FilterSettings): SegmentProblem | null {
  const type = recordTypes[stored.entity]
  let tree: FilterTree | undefined
  try {
    tree = readSegmentSelection(type, stored).filter?.tree
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    return { code: 'filter_invalid', message: `${textOf(error)}. Change the filter.` }
  }
  if (!tree) return null
  const [unreadable] = unreadableValues(tree, type, settings)
  if (unreadable) {
    const [{ field }, why] = unreadable
    return { code: 'filter_invalid', message: `${field}: ${why.msg}. Change the filter.` }
  }
  for (const each of comparisonsIn(tree)) {
    const problem = fieldProblem(each, stored, settings) ?? stageProblem(each, stored.entity, settings)
    if (problem) return problem
  }
  return null
}

/**
 * The values that cannot be read with the settings of the organization, such as a phone number that needs a default
 * country.
 */
export function unreadableValues(
  tree: FilterTree,
  { filters }: RecordType,
  { orgId, defaultCountry }: FilterSettings,
): (readonly [Comparison, Refusal])[] {
  const found: (readonly [Comparison, Refusal])[] = []
  const context = { orgId, orgDefaults: { defaultCountry }, moving: [], isFound: false }
  conditionOf(tree, { filters, context, refuse: (comparison, why) => found.push([comparison, why]) })
  return found
}

function fieldProblem(
  comparison: Comparison,
  { entity, field_types: fieldTypes }: StoredFilter,
  { definitions }: FilterSettings,
): SegmentProblem | null {
  const { field } = comparison
  const key = customKey(field)
  if (key === null) return null
  const definition = definitions.find((each) => each.entity === entity && each.key === key)
  const before = fieldTypes[key]
  if (!definition)
    return before === undefined
      ? null
      : {
          code: 'field_deleted',
          message: `The definition of ${field} was deleted. The filter still compares the values that records have.`,
        }
  if (before !== undefined && before !== definition.type)
    return {
      code: 'field_type_changed',
      message: `${field} was a field of the type ${before}, and now has the type ${definition.type}. Check the filter, and save it again.`,
    }
  const [gone] = unknownOptions(comparison, [definition])
  return gone
    ? { code: 'option_deleted', message: `${field} has no option "${gone.value}". Change the filter.` }
    : null
}

function stageProblem(
  { field, op, value }: Comparison,
  entity: EntityType,
  { stages }: FilterSettings,
): SegmentProblem | null {
  if (entity !== 'deal' || field !== 'stage' || (op !== 'eq' && op !== 'ne' && op !== 'in')) return null
  const gone = [value].flat().find((each) => !stages.includes(String(each)))
  return gone === undefined
    ? null
    : {
        code: 'stage_deleted',
        message: `No stage is named "${gone}": only closed deals can still have it. Change the filter.`,
      }
}
