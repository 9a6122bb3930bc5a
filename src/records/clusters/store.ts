import type { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'
import { parseExactJson } from '../../platform/http/json-body.ts'
import { mapInSlices } from '../../platform/slices.ts'
import { namesOf } from '../names.ts'
import type { RecordType, StoredRecord } from '../record-type.ts'
import type { Cluster, Facts, MergeLink } from './cluster.ts'
import { aliasesOf } from './view.ts'

type MemberRow = { root_id: string; record_id: string; facts: string }
type LinkRow = MergeLink & { root_id: string }

/**
 * Loads the clusters of canonical records that took part in a merge. Lock the records for a complete result: members
 * change only under that lock.
 */
export async function loadClusters(
  tx: OrgTx,
  type: RecordType,
  records: readonly StoredRecord[],
): Promise<void> {
  const merged = records.filter(({ wasMerged, status }) => wasMerged && status !== 'merged')
  if (merged.length === 0) return
  const { table, id } = namesOf(type)
  const rootIds = merged.map(({ recordId }) => recordId)
  const [rows, links] = await Promise.all([
    tx.rows(sql<MemberRow>`
      select coalesce(r.merged_into_id, r.${id}) as root_id, r.${id} as record_id, r.facts::text as facts
      from ${table} r
      where r.org_id = ${tx.orgId} and (r.${id} = any(${rootIds}::uuid[]) or r.merged_into_id = any(${rootIds}::uuid[]))`),
    tx.rows(sql<LinkRow>`
      select r.merged_into_id as root_id, m.merge_id as "mergeId", m.loser_id as "loserId",
        m.survivor_id as "survivorId", m.seq, m.policies
      from ${table} r
      join merge m on m.org_id = r.org_id and m.entity = ${type.entity} and m.loser_id = r.${id} and m.status = 'applied'
      where r.org_id = ${tx.orgId} and r.merged_into_id = any(${rootIds}::uuid[])
      order by m.seq`),
  ])
  const membersOf = new Map(rootIds.map((rootId) => [rootId, new Map<string, Facts>()]))
  await mapInSlices(tx.payerId, rows, ({ root_id, record_id, facts }) =>
    membersOf.get(root_id)?.set(record_id, readFacts(type, facts)),
  )
  const linksOf = Map.groupBy(links, ({ root_id }) => root_id)
  await mapInSlices(tx.payerId, merged, (stored) => {
    const { recordId: rootId } = stored
    const members = membersOf.get(rootId) ?? new Map<string, Facts>()
    // Without a lock, an undo can commit between the two statements: skip its merge.
    const inForce = (linksOf.get(rootId) ?? []).filter(
      ({ loserId, survivorId }) => members.has(loserId) && members.has(survivorId),
    )
    stored.cluster = { rootId, members, links: inForce.map(toLink) }
    stored.state = { ...stored.state, aliases: aliasesOf(type, stored.cluster) }
  })
}

const toLink = ({ root_id: _rootId, seq, ...link }: LinkRow): MergeLink => ({ ...link, seq: Number(seq) })

function readFacts(type: RecordType, text: string): Facts {
  const facts = parseExactJson(text) as Facts
  for (const write of Object.values(facts.units).flat()) {
    const entries = Object.entries(write[1]).map(([column, value]) =>
      type.columns[column] === 'timestamptz' && value !== null
        ? [column, new Date(value as string)]
        : [column, value],
    )
    write[1] = Object.fromEntries(entries)
  }
  return facts
}

/** Stores the facts of the members that changed. */
export async function saveFacts(
  tx: OrgTx,
  type: RecordType,
  clusters: readonly { before: Cluster | null; after: Cluster }[],
): Promise<void> {
  const changed = clusters.flatMap(({ before, after }) =>
    [...after.members].filter(([recordId, facts]) => before?.members.get(recordId) !== facts),
  )
  if (changed.length === 0) return
  const { table, id } = namesOf(type)
  const recordIds = changed.map(([recordId]) => recordId)
  const texts = changed.map(([, facts]) => JSON.stringify(facts))
  await tx.run(sql`
    update ${table} t set facts = f.facts::json
    from unnest(${recordIds}::uuid[], ${texts}::text[]) as f (record_id, facts)
    where t.org_id = ${tx.orgId} and t.${id} = f.record_id`)
}

/** Reserves the next `count` places in the order of writes of the org. Lock the records first. */
export async function nextSeqs(tx: OrgTx, count: number): Promise<number[]> {
  if (count === 0) return []
  const rows = await tx.rows(sql<{ seq: string }>`
    select nextval('write_seq')::text as seq from generate_series(1, ${count})`)
  return rows.map(({ seq }) => Number(seq))
}
