import {
  comparedFieldsChanged,
  matchKeysChanged,
  matchKeysOf,
  type StoredMatchKey,
} from '../matching/match-keys.ts'
import { entityNumbers } from '../matching/match-record.ts'
import { smallint } from '../platform/db/binary-array.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { rawSql, sql } from '../platform/db/sql.ts'
import { inSlices, mapInSlices } from '../platform/slices.ts'
import { keyArrays, type MatchKeyChange } from './key-change.ts'
import type { RecordType } from './record-type.ts'

type StoredKey = StoredMatchKey & { recordId: string }

const hasKey = (keys: readonly StoredMatchKey[], { kind, hash }: StoredMatchKey) =>
  keys.some((key) => key.hash === hash && key.kind === kind)

/**
 * While duplicate detection is off, no key is added: turning it on queues all records
 * (duplicates/match-key-versions.ts). Call this after the statement that writes the records.
 * @param areNew true if this transaction creates all of the records
 */
export async function writeMatchKeys(
  tx: OrgTx,
  { entity }: RecordType,
  changes: readonly MatchKeyChange[],
  areNew: boolean,
): Promise<void> {
  const { added, removed } = await inSlices(tx.payerId, comparingMatchKeys(entity, changes))
  const number = entityNumbers[entity]
  const rowsOf = (keys: readonly StoredKey[]) => {
    const [kinds, hashes, recordIds] = keyArrays(smallint, keys)
    return sql`unnest(${kinds}::smallint[], ${hashes}::bigint[], ${recordIds}::uuid[]) as k (kind, hash, record_id)`
  }
  // Another version may have written some of the keys, but not those of a record that no other transaction sees. For each
  // row, `on conflict` would search the index once more and write another record to the log.
  const orSkip = rawSql(areNew ? '' : 'on conflict do nothing')
  await Promise.all([
    removed.length > 0 &&
      tx.run(sql`
        delete from match_key t using (select * from ${rowsOf(removed)}) as k
        where t.org_id = ${tx.orgId} and t.entity = ${number} and t.kind = k.kind and t.hash = k.hash
          and t.record_id = k.record_id`),
    added.length > 0 &&
      // Insert in index order: concurrent writes touch the same pages.
      tx.run(sql`
        insert into match_key (org_id, entity, kind, hash, record_id)
        select ${tx.orgId}, ${number}, k.kind, k.hash, k.record_id from ${rowsOf(added)}
        where ${isDetectionOn(tx, entity)} order by k.kind, k.hash ${orSkip}`),
  ])
}

/** The caller can pause the work before each record. */
function* comparingMatchKeys(
  entity: RecordType['entity'],
  changes: readonly MatchKeyChange[],
): Generator<undefined, { added: StoredKey[]; removed: StoredKey[] }> {
  const added: StoredKey[] = []
  const removed: StoredKey[] = []
  for (const { recordId, before, after } of changes) {
    yield
    if (!matchKeysChanged(entity, before, after)) continue
    const old = before ? matchKeysOf(entity, before) : []
    const now = after ? matchKeysOf(entity, after) : []
    for (const key of now) if (!hasKey(old, key)) added.push({ ...key, recordId })
    for (const key of old) if (!hasKey(now, key)) removed.push({ ...key, recordId })
  }
  return { added, removed }
}

/** Enqueues checks of records whose compared columns changed, unless duplicate detection is off. */
export async function enqueueChecks(
  tx: OrgTx,
  { entity }: RecordType,
  changes: readonly MatchKeyChange[],
): Promise<void> {
  const changed = await mapInSlices(tx.payerId, changes, ({ recordId, before, after }) =>
    comparedFieldsChanged(entity, before, after) ? [recordId] : [],
  )
  const recordIds = changed.flat()
  if (recordIds.length === 0) return
  await tx.run(sql`
    insert into duplicate_check (org_id, entity, record_id)
    select ${tx.orgId}, ${entityNumbers[entity]}, c.record_id from unnest(${recordIds}::uuid[]) as c (record_id)
    where ${isDetectionOn(tx, entity)}`)
}

/** Enqueues one check of all records that an import created. */
export async function enqueueImportCheck(tx: OrgTx, { entity }: RecordType, importId: string): Promise<void> {
  await tx.run(sql`
    insert into duplicate_check (org_id, entity, import_id)
    select ${tx.orgId}, ${entityNumbers[entity]}, ${importId} where ${isDetectionOn(tx, entity)}`)
}

/** SQL: whether duplicate detection is on for the record type. */
const isDetectionOn = ({ orgId }: OrgTx, entity: RecordType['entity']) => sql`not exists (
  select from duplicate_settings s
  where s.org_id = ${orgId} and s.entity = ${entity} and s.settings ->> 'mode' = 'off' and not exists (
    select from jsonb_each_text(s.settings -> 'rules') as r where r.value <> 'off'))`
