import type { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { WebEventSample } from '../wire/sample.ts'

/** For each reason, the last event or request that was not stored. `at` is in Unix milliseconds. */
export type StoredSample = WebEventSample & {
  orgId: string
  mode: 'live' | 'test'
  keyId: string
  reason: string
  at: number
}

/** Stores samples of existing organizations. A later sample replaces an earlier one. */
export async function writeSamples(tx: Tx, samples: readonly StoredSample[]): Promise<void> {
  const of = <Field extends keyof StoredSample>(field: Field) => samples.map((sample) => sample[field])
  await tx.run(sql`
    insert into web_event_sample (org_id, mode, key_id, reason, at, type, name, library, origin)
    select s.org_id, s.mode, s.key_id, s.reason, to_timestamp(s.at_ms / 1000.0), s.type, s.name, s.library, s.origin
    from unnest(${of('orgId')}::uuid[], ${of('mode')}::text[], ${of('keyId')}::uuid[], ${of('reason')}::text[],
      ${of('at')}::bigint[], ${of('type')}::text[], ${of('name')}::text[], ${of('library')}::text[],
      ${of('origin')}::text[]) as s (org_id, mode, key_id, reason, at_ms, type, name, library, origin)
    where exists (select from org o where o.org_id = s.org_id)
    -- In one order: two processes that lock the rows in different orders would block each other.
    order by s.org_id, s.mode, s.key_id, s.reason
    on conflict (org_id, mode, key_id, reason) do update
    set at = excluded.at, type = excluded.type, name = excluded.name, library = excluded.library, origin = excluded.origin
    where web_event_sample.at <= excluded.at`)
}

/** Returns the last sample of each reason. @param keyId only samples of this write key */
export function readSamples(
  tx: OrgTx,
  mode: 'live' | 'test',
  keyId: string | undefined,
): Promise<Omit<StoredSample, 'orgId' | 'mode'>[]> {
  return tx.rows(sql<Omit<StoredSample, 'orgId' | 'mode'>>`
    select distinct on (reason) key_id as "keyId", reason, floor(extract(epoch from at) * 1000)::bigint as at, type, name,
      library, origin
    from web_event_sample
    where org_id = ${tx.orgId} and mode = ${mode} ${keyId === undefined ? sql`` : sql`and key_id = ${keyId}`}
    order by reason, web_event_sample.at desc`)
}
