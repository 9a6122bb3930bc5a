import type { Org } from '../platform/db/org.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { lockDefinitionsShared } from './defined-fields/definition.ts'
import { requireUniqueValues } from './defined-fields/unique-values.ts'
import { defaultCountry, type FoundRecord } from './find.ts'
import { insertShown } from './insert.ts'
import { catchItemError } from './items/item.ts'
import { type JointOutcome, JointWrites } from './joint-writes.ts'
import { foundByName } from './named-references.ts'
import { lockOwners } from './owners/owner.ts'
import { giveToMaker, readReach, requireReached } from './owners/reach.ts'
import type { Fields, OrgDefaults, RecordType, StoredColumns } from './record-type.ts'
import { requireReferences } from './references.ts'
import { resolvedFields } from './resolved-fields.ts'

/** Returns the settings of the org that affect how `inputs` are written. */
export async function readOrgDefaults(
  tx: OrgTx,
  type: RecordType,
  inputs: readonly Fields[],
): Promise<OrgDefaults> {
  const definitions = inputs.some(({ custom }) => custom) ? await lockDefinitionsShared(tx, type.entity) : []
  const needsCountry =
    definitions.some(({ type }) => type === 'phone') || inputs.some((fields) => type.needsCountry(fields))
  return {
    defaultCountry: needsCountry ? await defaultCountry(tx) : null,
    definitions,
    owners: await lockOwners(tx, inputs),
    reach: await readReach(tx),
    ...(await type.orgDefaults?.(tx)),
  }
}

/**
 * Returns the columns of a new record. @throws ValidationError; DomainError for an owner whom a limited member may
 * not choose
 */
export function newColumns(type: RecordType, fields: Fields, orgDefaults: OrgDefaults): StoredColumns {
  const state = uncheckedColumns(type, fields, orgDefaults)
  type.check(null, state, orgDefaults)
  return state
}

/** Like `newColumns`, without the check of the whole record: an upsert may find a record that has the missing values. */
export function uncheckedColumns(type: RecordType, fields: Fields, orgDefaults: OrgDefaults): StoredColumns {
  const state = type.apply(null, fields, orgDefaults, false)
  giveToMaker(state, orgDefaults.reach)
  requireReached(state, orgDefaults.reach)
  return state
}

/**
 * @returns the new record
 * @throws ValidationError; DomainError not_found for an unknown reference; conflict for a unique value of another record
 */
export async function createRecord(tx: OrgTx, type: RecordType, sent: Fields): Promise<FoundRecord> {
  const orgDefaults = await readOrgDefaults(tx, type, [sent])
  const fields = resolvedFields(sent, orgDefaults)
  const state = newColumns(type, fields, orgDefaults)
  await type.named?.resolve(tx, [{ fields, state }], null)
  await requireReferences(tx, type, fields, state, foundByName(type, fields, state))
  await requireUniqueValues(tx, type, orgDefaults.definitions ?? [], {
    recordId: null,
    before: null,
    after: state,
  })
  const [created] = await insertShown(tx, type, [state])
  if (!created) throw new Error('A created record is missing')
  return created
}

/**
 * Creates records that name no record, owner or defined field, in few statements.
 * @returns the outcome of each: an invalid one fails alone
 */
async function createRecords(
  tx: OrgTx,
  type: RecordType,
  inputs: readonly Fields[],
): Promise<JointOutcome[]> {
  const orgDefaults = await readOrgDefaults(tx, type, inputs)
  const drafts = inputs.map((sent) =>
    catchItemError(() => ({ state: newColumns(type, resolvedFields(sent, orgDefaults), orgDefaults) })),
  )
  const states = drafts.flatMap((draft) => ('state' in draft ? [draft.state] : []))
  const created = (states.length > 0 ? await insertShown(tx, type, states) : []).values()
  return drafts.map((draft) => {
    if (!('state' in draft)) return { error: draft.error }
    return { value: created.next().value as FoundRecord }
  })
}

const creates = new JointWrites<{ sent: Fields }>({
  jointly: (tx, type, inputs) =>
    createRecords(
      tx,
      type,
      inputs.map(({ sent }) => sent),
    ),
  alone: (tx, type, { sent }) => createRecord(tx, type, sent),
})

/** Creates a record for a request. @throws ValidationError; DomainError */
export const createForRequest = (org: Org, type: RecordType, sent: Fields): Promise<FoundRecord> =>
  creates.write(org, type, { sent })
