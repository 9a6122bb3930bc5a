import { refuse } from '../../platform/http/fields.ts'
import { detailAt, ValidationError } from '../../platform/http/validation.ts'
import { newColumns, uncheckedColumns } from '../create.ts'
import { memberText, uniqueValueOf } from '../defined-fields/unique-keys.ts'
import { customKey } from '../filters/custom.ts'
import { hashedKeys, keyName } from '../keys.ts'
import { notUniqueField } from '../match-on.ts'
import type { OrgDefaults, RecordType, StoredColumns } from '../record-type.ts'
import { resolvedFields } from '../resolved-fields.ts'
import type { Target } from '../targets.ts'
import type { Failed, Item, NewItem, Plan } from './item.ts'

/** The limits of one statement. A batch that reaches the limit of keys gets no more records. */
const batchMax = 100
const batchKeysMax = 400

/** @throws ValidationError */
export function planItem(type: RecordType, item: Item, orgDefaults: OrgDefaults): Plan {
  if (!('recordId' in item)) return planNew(type, item, orgDefaults)
  const { recordId, ...asked } = item
  const fields = resolvedFields(item.fields, orgDefaults)
  const fresh = type.apply(null, fields, orgDefaults, false)
  return { outcome: null, ...asked, fields, fresh, target: { recordId } }
}

function planNew(type: RecordType, item: NewItem, orgDefaults: OrgDefaults): Plan {
  const { matchOn } = item
  const fields = resolvedFields(item.fields, orgDefaults)
  const columnsOf = matchOn === undefined ? newColumns : uncheckedColumns
  const { fresh = columnsOf(type, fields, orgDefaults) } = item
  const planned = { outcome: null, action: 'change', fields, fresh } as const
  if (matchOn === undefined) return { ...planned, target: null }
  const keys = hashedKeys(type.matchOn[matchOn]?.(fresh) ?? [])
  const unique = uniqueValueOf(orgDefaults.definitions ?? [], matchOn, fresh)
  if (keys.length > 0) return { ...planned, target: { matchOn, keys, ...(unique && { unique }) } }
  requireUniqueField(type, matchOn, fresh)
  const why = refuse(
    `match_on is ${matchOn}, but there is no value for it: send one, or choose another match_on`,
  )
  throw new ValidationError([detailAt(['body', 'match_on'], why)], 'match_key_missing')
}

/** @throws ValidationError if `matchOn` names a member of `custom` with a value, but without a unique definition */
function requireUniqueField(type: RecordType, matchOn: string, fresh: StoredColumns): void {
  const key = customKey(matchOn)
  if (key === null || type.matchOn[matchOn] !== undefined || memberText(fresh, key) === null) return
  throw new ValidationError([detailAt(['body', 'match_on'], refuse(notUniqueField(matchOn)))])
}

/** The targets have the order of the items. */
export const targetsOf = (plans: readonly (Plan | Failed)[]): Target[] =>
  plans.flatMap((each) => (each.outcome === null && each.target ? [each.target] : []))

/**
 * The longest start of `plans` in which no item matches a key that an earlier item sends. The length is bounded, so
 * that storing it does not block the thread.
 */
export function longestIndependentPrefix(type: RecordType, plans: (Plan | Failed)[]): (Plan | Failed)[] {
  // Hash keys only if an item matches by keys.
  const areMatched = targetsOf(plans.slice(0, batchMax)).some((target) => 'keys' in target)
  const brought = new Set<string>()
  let keys = 0
  const end = plans.findIndex((each, index) => {
    if (each.outcome === 'failed') return false
    if (index >= batchMax || keys >= batchKeysMax) return true
    const { target, fresh } = each
    if (target && 'keys' in target && target.keys.some((key) => brought.has(keyName(key)))) return true
    const own = [...type.keys(fresh), ...(type.uniqueKeys?.(fresh) ?? [])]
    keys += own.length
    if (areMatched) for (const key of hashedKeys(own)) brought.add(keyName(key))
    return false
  })
  return end === -1 ? plans : plans.slice(0, end)
}
