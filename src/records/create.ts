import type { OrgTx } from '../platform/db/org-tx.ts'
import { lockDefinitionsShared } from './defined-fields/definition.ts'
import { requireUniqueValues } from './defined-fields/unique-values.ts'
import { defaultCountry } from './find.ts'
import { foundByName } from './named-references.ts'
import { lockOwners } from './owners/owner.ts'
import { giveToMaker, readReach, requireReached } from './owners/reach.ts'
import type { Fields, OrgDefaults, RecordType, StoredColumns } from './record-type.ts'
import { requireReferences } from './references.ts'
import { resolvedFields } from './resolved-fields.ts'
import { insertRecords } from './write.ts'

/** Returns the settings of the org that writes of `inputs` depend on. */
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

export function newColumns(type: RecordType, fields: Fields, orgDefaults: OrgDefaults): StoredColumns {
  const state = type.apply(null, fields, orgDefaults, false)
  giveToMaker(state, orgDefaults.reach)
  requireReached(state, orgDefaults.reach)
  type.check(null, state, orgDefaults)
  return state
}

/**
 * @returns the id of the new record
 * @throws ValidationError; DomainError not_found for an unknown reference; conflict for a unique value of another record
 */
export async function createRecord(tx: OrgTx, type: RecordType, sent: Fields): Promise<string> {
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
  const [recordId] = await insertRecords(tx, type, [state])
  if (recordId === undefined) throw new Error('A created record has no id')
  return recordId
}
