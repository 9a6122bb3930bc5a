import type { EntityType } from '../../matching/entity-type.ts'
import { lockAllExclusive, lockExclusive, lockShared } from '../../platform/db/advisory-lock.ts'
import { onAllRecords } from '../../platform/db/limited-records.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { rawSql, sql } from '../../platform/db/sql.ts'
import { conflict, type DomainError } from '../../platform/domain-error.ts'
import { minUuid } from '../min-uuid.ts'
import type { RecordType, StoredColumns } from '../record-type.ts'
import { lockDefinitionsShared, type StoredDefinition } from './definition.ts'
import { memberText } from './unique-keys.ts'

/** The columns of a record before and after a write; null if it is not active. A new record has no id yet. */
export type ValueWrite = {
  recordId: string | null
  before: StoredColumns | null
  after: StoredColumns | null
}

type Change = {
  write: number
  key: string
  type: string
  indexId: string
  before: string | null
  after: string | null
}

/** A write that changes more values than this locks all values of their fields. */
const lockedValuesMax = 100

/**
 * Finds the writes that would give a second active record a value of a unique field, as if they were done one after
 * another. Locks the values until the transaction ends: two concurrent writes would not see each other's value otherwise.
 * @param definitions from `lockDefinitionsShared`
 * @param isLocking false for a dry run
 * @returns the error of each write, or undefined
 */
export async function findTakenValues(
  tx: OrgTx,
  { entity }: Pick<RecordType, 'entity'>,
  definitions: readonly StoredDefinition[],
  writes: readonly ValueWrite[],
  isLocking = true,
): Promise<(DomainError | undefined)[]> {
  const unique = definitions.filter(({ unique_index: indexId }) => indexId !== null)
  const changes = unique.length === 0 ? [] : writes.flatMap((write, index) => changesOf(unique, write, index))
  const errors: (DomainError | undefined)[] = writes.map(() => undefined)
  if (!changes.some(({ after }) => after !== null)) return errors
  if (isLocking) await lockValues(tx, changes)
  const values = await onAllRecords(tx, () => readValues(tx, entity, changes))
  const found = new ValueHolders()
  // A write that fails at one of its values changes none of them.
  for (const [write, own] of Map.groupBy(values, (each) => each.write)) {
    const { recordId } = writes[write]!
    const refused = own.find((value) => found.holderOf(value, recordId) !== undefined)
    const holder = refused && found.holderOf(refused, recordId)
    if (holder === undefined) for (const value of own) found.note(value, recordId)
    else errors[write] = taken(entity, refused!.key, holder, tx.actor.recordAccess !== undefined)
  }
  return errors
}

/** Which records have the values after the writes so far. */
class ValueHolders {
  /** Values with the records that lost them. */
  readonly #lost = new Set<string>()
  /** The records that got values; null: a new record. */
  readonly #gained = new Map<string, string | null>()

  /** Returns another record that has the new value; null: a new record; undefined: none has it. */
  holderOf({ after_value: value, holders }: ReadValue, recordId: string | null): string | null | undefined {
    if (value === null) return undefined
    if (this.#gained.has(value)) return this.#gained.get(value)
    return holders.find((id) => id !== recordId && !this.#lost.has(`${value} ${id}`))
  }

  note({ before_value: before, after_value: after }: ReadValue, recordId: string | null): void {
    if (after !== null) this.#gained.set(after, recordId)
    if (before === null) return
    this.#lost.add(`${before} ${recordId}`)
    if (this.#gained.get(before) === recordId) this.#gained.delete(before)
  }
}

/** @throws DomainError conflict if the write would give a second active record a value of a unique field */
export async function requireUniqueValues(
  tx: OrgTx,
  type: Pick<RecordType, 'entity'>,
  definitions: readonly StoredDefinition[],
  write: ValueWrite,
): Promise<void> {
  const [error] = await findTakenValues(tx, type, definitions, [write])
  if (error) throw error
}

/** @throws DomainError conflict if another active record has a unique value of an archived record */
export async function requireRestorable(
  tx: OrgTx,
  type: Pick<RecordType, 'entity'>,
  { recordId, state }: { recordId: string; state: StoredColumns },
): Promise<void> {
  const definitions = await lockDefinitionsShared(tx, type.entity)
  await requireUniqueValues(tx, type, definitions, { recordId, before: null, after: state })
}

/** @param isLimited true: the member perhaps does not see the record that has the value */
const taken = (entity: EntityType, key: string, holder: string | null, isLimited: boolean): DomainError =>
  conflict(
    'value_taken',
    holder === null
      ? `An earlier item of this request gives its custom.${key} to another ${entity}. The field is unique: send another value`
      : isLimited
        ? `Another ${entity} has this custom.${key} already, and the field is unique. Send another value`
        : `The ${entity} ${holder} has this custom.${key} already, and the field is unique. Change that ${entity}, merge the two, or send another value`,
  )

function changesOf(unique: readonly StoredDefinition[], write: ValueWrite, index: number): Change[] {
  return unique.flatMap(({ key, type, unique_index: indexId }) => {
    const [before, after] = [memberText(write.before, key), memberText(write.after, key)]
    return before === after || indexId === null ? [] : { write: index, key, type, indexId, before, after }
  })
}

async function lockValues(tx: OrgTx, changes: readonly Change[]): Promise<void> {
  // Equal numbers need the same lock: 5 and 5.0.
  const asLocked = ({ type, after }: Change) => (type === 'number' ? String(Number(after)) : after)
  const values = new Set(
    changes.flatMap((each) => (each.after === null ? [] : `${each.indexId} ${asLocked(each)}`)),
  )
  const all = `unique values ${tx.orgId}`
  if (values.size > lockedValuesMax) return lockExclusive(tx, all)
  await lockShared(tx, all)
  await lockAllExclusive(
    tx,
    [...values].map((value) => `unique value ${tx.orgId} ${value}`),
  )
}

type ReadValue = {
  write: number
  key: string
  before_value: string | null
  after_value: string | null
  holders: string[]
}

/** The values as indexes have them, each with the records that have it now. Reads records that are not in the index yet. */
async function readValues(tx: OrgTx, entity: EntityType, changes: readonly Change[]): Promise<ReadValue[]> {
  const [table, id] = [rawSql(entity), rawSql(`${entity}_id`)]
  const rows = await tx.rows(sql<Omit<ReadValue, 'write' | 'key'>>`
    select c.index_id || ' ' || app.field_value(c.before, d.type) as before_value,
      c.index_id || ' ' || w.value as after_value,
      array(
        select v.record_id from field_value v
        where v.org_id = ${tx.orgId} and v.index_id = c.index_id and v.value = w.value limit 20
      ) || case when d.index_state <> 'ready' then array(
        select r.${id} from ${table} r
        where r.org_id = ${tx.orgId} and r.status = 'active' and r.${id} > coalesce(d.indexed_to, ${minUuid}::uuid)
          and w.value = any(app.field_values(r.custom, d.key, d.type)) limit 20
      ) else '{}' end as holders
    from unnest(${changes.map(({ indexId }) => indexId)}::uuid[], ${changes.map(({ before }) => before)}::text[],
      ${changes.map(({ after }) => after)}::text[]) with ordinality as c (index_id, before, after, number)
    join field_definition d on d.org_id = ${tx.orgId} and d.index_id = c.index_id
    cross join lateral (select app.field_value(c.after, d.type) as value offset 0) as w
    order by c.number`)
  return rows.map((row, index) => ({ ...row, write: changes[index]!.write, key: changes[index]!.key }))
}
