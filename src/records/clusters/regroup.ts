import type { OrgTx } from '../../platform/db/org-tx.ts'
import { rawSql, sql } from '../../platform/db/sql.ts'
import { timeOf } from '../../platform/db/uuid-time.ts'
import { inSlices } from '../../platform/slices.ts'
import { writeKeys } from '../keys.ts'
import { writeLinks } from '../links.ts'
import { namesOf } from '../names.ts'
import { resolveOwners } from '../owners/resolve-owners.ts'
import type { OrgDefaults, RecordType, StoredColumns, StoredRecord } from '../record-type.ts'
import { resolveReferences } from '../references.ts'
import { asJson, asRows } from '../row-json.ts'
import { nextUpdatedAt } from '../updated-at.ts'
import { absorbedOf } from './absorbed.ts'
import type { Cluster } from './cluster.ts'
import { saveFacts } from './store.ts'
import { derivingView } from './view.ts'

/** A canonical record after a merge or an undo, with its new cluster. */
export type ChangedRecord = { stored: StoredRecord; cluster: Cluster; version: number }

/** The columns that the roots show, with canonical ids of references, and owners. References to erased records are left out. */
export async function deriveColumns(
  tx: OrgTx,
  type: RecordType,
  clusters: readonly Cluster[],
  orgDefaults: OrgDefaults,
): Promise<StoredColumns[]> {
  const states: StoredColumns[] = []
  for (const cluster of clusters) states.push(await inSlices(tx.payerId, derivingView(type, cluster)))
  await resolveReferences(tx, type, states)
  await resolveOwners(tx, type, states)
  return states.map((state) => {
    for (const { rawColumn, column } of type.references) if (state[column] === null) state[rawColumn] = null
    for (const { rawColumn, column } of type.links) {
      const roots = state[column] as (string | undefined)[]
      state[rawColumn] = (state[rawColumn] as string[]).filter((_raw, index) => roots[index] !== undefined)
      state[column] = roots.filter((root) => root !== undefined)
    }
    return type.merging.adjust?.(state, orgDefaults) ?? state
  })
}

/**
 * Stores changed clusters. The roots become active and get their new columns; all other members become merged. Lock
 * every old and new root for delete before the call.
 * @param absorbed roots that are absorbed now
 * @returns the columns of each root
 */
export async function storeClusters(
  tx: OrgTx,
  type: RecordType,
  groups: readonly ChangedRecord[],
  absorbed: readonly StoredRecord[],
  orgDefaults: OrgDefaults,
): Promise<StoredColumns[]> {
  const clusters = groups.map(({ cluster }) => cluster)
  const states = await deriveColumns(tx, type, clusters, orgDefaults)
  const shown = groups.map(({ stored }, index) => ({ stored, after: states[index] ?? {} }))
  const rows = shown.map(({ stored, after }) => ({ recordId: stored.recordId, state: after }))
  const keys = [
    ...shown.map(({ stored: { recordId, status, state }, after }) => ({
      recordId,
      before: status === 'active' ? state : null,
      after,
    })),
    ...absorbed.map(({ recordId, state }) => ({ recordId, before: state, after: null })),
  ]
  const links = shown.map(({ stored: { recordId, state }, after }) => ({ recordId, before: state, after }))
  const members = groups.flatMap(({ cluster }) =>
    [...cluster.members.keys()]
      .filter((memberId) => memberId !== cluster.rootId)
      .map((memberId) => ({ memberId, rootId: cluster.rootId })),
  )
  const { table, id } = namesOf(type)
  const set = rawSql(
    Object.keys(type.columns)
      .map((column) => `${column} = w.${column}`)
      .join(', '),
  )
  const rootIds = groups.map(({ stored }) => stored.recordId)
  const versions = groups.map(({ version }) => version)
  // A canonical record has the creation time of its oldest member.
  const createdMs = clusters.map((cluster) => Math.min(...[...cluster.members.keys()].map(timeOf)))
  const nowAbsorbed = clusters.map((cluster, index) => absorbedOf(cluster, states[index] ?? {}))
  const mergedIds = nowAbsorbed.map(({ ids }) => ids)
  const mergedExternalIds = nowAbsorbed.map(({ externalIds }) => externalIds)
  const memberIds = members.map(({ memberId }) => memberId)
  const rootIdsOfMembers = members.map(({ rootId }) => rootId)
  const json = await asJson(tx, type, rows)
  await Promise.all([
    tx.run(sql`
      update ${table} t
      set status = 'active', merged_into_id = null, search = w.search, version = g.version,
        updated_at = ${nextUpdatedAt('t')}, created_at = to_timestamp(g.created_ms / 1000.0),
        merged_ids = g.merged_ids::uuid[], merged_external_ids = g.merged_external_ids::json, ${set}
      from ${asRows(type, json)}
      join unnest(${rootIds}::uuid[], ${versions}::integer[], ${createdMs}::bigint[], ${mergedIds}::text[],
        ${mergedExternalIds}::text[]) as g (record_id, version, created_ms, merged_ids, merged_external_ids)
        using (record_id)
      where t.org_id = ${tx.orgId} and t.${id} = w.record_id`),
    tx.run(sql`
      update ${table} t
      set status = 'merged', merged_into_id = m.root_id, merged_ids = null, merged_external_ids = null
      from unnest(${memberIds}::uuid[], ${rootIdsOfMembers}::uuid[]) as m (record_id, root_id)
      where t.org_id = ${tx.orgId} and t.${id} = m.record_id and t.merged_into_id is distinct from m.root_id`),
    writeKeys(tx, type, keys),
    writeLinks(tx, type, links),
    saveFacts(
      tx,
      type,
      groups.map(({ stored, cluster }) => ({ before: stored.cluster, after: cluster })),
    ),
  ])
  return states
}
