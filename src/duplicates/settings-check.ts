import { type EntityType, entityTypes } from '../matching/entity-type.ts'
import { refuse } from '../platform/http/fields.ts'
import { notOneOf } from '../platform/http/refusal.ts'
import { type Detail, detailAt, ValidationError } from '../platform/http/validation.ts'
import { unitsOf } from '../records/clusters/facts.ts'
import type { Policy } from '../records/clusters/survivorship.ts'
import { fieldOf } from '../records/field-names.ts'
import type { RecordType } from '../records/record-type.ts'
import { ruleNames } from './engine/judge.ts'
import { recordTypes } from './entities.ts'
import { choosable } from './merge/policies.ts'
import type { AllSettings, SettingsChange, SettingsChanges } from './settings.ts'

/**
 * The survivorship policies that an org may choose, by field. Consent is left out: the more restrictive consent
 * always wins.
 */
function policiesFor(type: RecordType): Map<string, Policy[]> {
  const widths = new Map(unitsOf(type).map(([unit, columns]) => [unit, columns.length]))
  const derived = new Set([
    ...type.references.map(({ rawColumn }) => rawColumn),
    ...Object.values(type.merging.lists).map(({ primary }) => primary),
  ])
  return new Map(
    [...choosable(type)].map(([field, unit]) => {
      const own = type.merging.policies[unit] ?? 'primary'
      const others = derived.has(unit) ? [] : policiesOfColumn(type.columns[unit], widths.get(unit))
      return [field, [...new Set<Policy>(['primary', own, ...others])]]
    }),
  )
}

function policiesOfColumn(sqlType: string | undefined, width: number | undefined): Policy[] {
  if (sqlType === 'integer' || sqlType === 'bigint') return ['min', 'max']
  return sqlType === 'text' && width === 1 ? ['longest'] : []
}

/**
 * @throws ValidationError for an unknown rule or field, or for a mode or policy that the rule or field does not support
 */
export function checkChanges(changes: SettingsChanges): void {
  const problems = entityTypes.flatMap((entityType) => problemsOf(entityType, changes[entityType] ?? {}))
  if (problems.length > 0) throw new ValidationError(problems)
}

function problemsOf(entityType: EntityType, { mode, rules, survivorship }: SettingsChange): Detail[] {
  const at = (...path: string[]) => ['body', entityType, ...path]
  const problems: Detail[] = []
  const neverAuto =
    entityType === 'deal' ? refuse('deals are never merged automatically: use off or shadow') : null
  if (mode === 'auto' && neverAuto) problems.push(detailAt(at('mode'), neverAuto))
  for (const [rule, each] of Object.entries(rules ?? {})) {
    if (!ruleNames(entityType).includes(rule))
      problems.push(
        detailAt(at('rules', rule), refuse(`there is no such rule: ${listOf(ruleNames(entityType))}`)),
      )
    else if (each === 'auto' && neverAuto) problems.push(detailAt(at('rules', rule), neverAuto))
  }
  const policies = policiesFor(recordTypes[entityType])
  for (const [field, policy] of Object.entries(survivorship ?? {})) {
    const fitting = policies.get(field)
    if (!fitting) problems.push(detailAt(at('survivorship', field), refuse(policyProblem(entityType, field))))
    else if (policy !== null && !fitting.includes(policy as Policy))
      problems.push(detailAt(at('survivorship', field), notOneOf(fitting)))
  }
  return problems
}

function policyProblem(entityType: EntityType, field: string): string {
  const type = recordTypes[entityType]
  const units = unitsOf(type).map(([unit]) => fieldOf(type, unit))
  if (units.includes(field)) return 'this field has no choice: the stricter value always wins'
  if (Object.keys(type.merging.lists).some((column) => fieldOf(type, column) === field))
    return 'this field has no choice: both lists are combined'
  return `there is no such field: ${listOf([...policiesFor(type).keys()])}`
}

const listOf = (words: readonly string[]) => `use ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`

/** @throws ValidationError if the engine would merge pairs that it would not propose */
export function checkThresholds(settings: AllSettings): void {
  const problems = entityTypes.flatMap((entityType) => {
    const { auto_threshold: auto, review_threshold: review } = settings[entityType]
    if (auto >= review) return []
    const words = `this must not be below review_threshold (${review})`
    return [detailAt(['body', entityType, 'auto_threshold'], refuse(words))]
  })
  if (problems.length > 0) throw new ValidationError(problems)
}
