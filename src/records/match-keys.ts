import {
  comparedFieldsChanged,
  matchKeysChanged,
  matchKeysOf,
  type StoredMatchKey,
} from '../matching/match-keys.ts'
import { entityNumbers } from '../matching/match-record.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { type KeyChange, keyArrays } from './key-change.ts'
import type { RecordType } from './record-type.ts'

type StoredKey = StoredMatchKey & { recordId: string }

const isAmong = (keys: readonly StoredMatchKey[], { kind, hash }: StoredMatchKey) =>
  keys.some((key) => key.hash === hash && key.kind === kind)

/** Updates the match keys of changed records. */
export async function writeMatchKeys(
  tx: OrgTx,
  { entity }: RecordType,
  changes: readonly KeyChange[],
): Promise<void> {
  const added: StoredKey[] = []
  const removed: StoredKey[] = []
  for (const { recordId, before, after } of changes) {
    if (!matchKeysChanged(entity, before, after)) continue
    const old = before ? matchKeysOf(entity, before) : []
    const now = after ? matchKeysOf(entity, after) : []
    for (const key of now) if (!isAmong(old, key)) added.push({ ...key, recordId })
    for (const key of old) if (!isAmong(now, key)) removed.push({ ...key, recordId })
  }
  const values = (keys: StoredKey[]) => [tx.orgId, entityNumbers[entity], ...keyArrays(keys)]
  const from = 'from unnest($3::smallint[], $4::bigint[], $5::uuid[]) as k (kind, hash, record_id)'
  await Promise.all([
    removed.length > 0 &&
      tx.run({
        text: `
          delete from match_key t using (select * ${from}) as k
          where t.org_id = $1 and t.entity = $2 and t.kind = k.kind and t.hash = k.hash and t.record_id = k.record_id`,
        values: values(removed),
      }),
    added.length > 0 &&
      tx.run({
        // Insert in index order, as concurrent writes touch the same pages. Keys of another version may exist
        // already.
        text: `
          insert into match_key (org_id, entity, kind, hash, record_id)
          select $1, $2, k.kind, k.hash, k.record_id ${from} order by k.kind, k.hash
          on conflict do nothing`,
        values: values(added),
      }),
  ])
}

/** Enqueues checks of records whose compared columns changed, unless the detection of duplicates is off. */
export async function enqueueChecks(
  tx: OrgTx,
  { entity }: RecordType,
  changes: readonly KeyChange[],
): Promise<void> {
  const changed = changes.filter(({ before, after }) => comparedFieldsChanged(entity, before, after))
  if (changed.length === 0) return
  await tx.run({
    text: `
      insert into duplicate_check (org_id, entity, record_id)
      select $1, $2, c.record_id from unnest($3::uuid[]) as c (record_id) where ${isDetectionOn('$4')}`,
    values: [tx.orgId, entityNumbers[entity], changed.map(({ recordId }) => recordId), entity],
  })
}

/** Enqueues one check of all records that an import created. */
export async function enqueueImportCheck(tx: OrgTx, { entity }: RecordType, importId: string): Promise<void> {
  await tx.run({
    text: `insert into duplicate_check (org_id, entity, import_id) select $1, $2, $3 where ${isDetectionOn('$4')}`,
    values: [tx.orgId, entityNumbers[entity], importId, entity],
  })
}

/** SQL: whether the detection of duplicates is on for the record type of a parameter, in the org of $1. */
const isDetectionOn = (entity: string) => `not exists (
  select from duplicate_settings s
  where s.org_id = $1 and s.entity = ${entity} and s.settings ->> 'mode' = 'off' and not exists (
    select from jsonb_each_text(s.settings -> 'rules') as r where r.value <> 'off'))`
