import type { OrgTx } from '../../platform/db/org-tx.ts'
import { timeOf } from '../../platform/db/uuid-time.ts'
import { writeKeys } from '../keys.ts'
import { writeLinks } from '../links.ts'
import type { OrgDefaults, RecordType, Stored, StoredColumns } from '../record-type.ts'
import { resolveReferences } from '../references.ts'
import { nextUpdatedAt } from '../updated-at.ts'
import { asJson, asRows } from '../write.ts'
import type { Cluster } from './cluster.ts'
import { saveFacts } from './store.ts'
import { viewOf } from './view.ts'

/** A canonical record after a merge or an undo, with its new cluster. */
export type Regrouped = { stored: Stored; cluster: Cluster; version: number }

/**
 * The columns that the roots of clusters show, with canonical ids of references. References to erased records are
 * left out.
 */
export async function restate(
  tx: OrgTx,
  type: RecordType,
  clusters: readonly Cluster[],
  orgDefaults: OrgDefaults,
): Promise<StoredColumns[]> {
  const states = clusters.map((cluster) => viewOf(type, cluster))
  await resolveReferences(tx, type, states)
  return states.map((state) => {
    for (const { rawColumn, column } of type.references) if (state[column] === null) state[rawColumn] = null
    for (const { rawColumn, column } of type.links) {
      const roots = state[column] as (string | undefined)[]
      state[rawColumn] = (state[rawColumn] as string[]).filter((_raw, index) => roots[index] !== undefined)
      state[column] = roots.filter((root) => root !== undefined)
    }
    return type.merging.settle?.(state, orgDefaults) ?? state
  })
}

/**
 * Stores changed clusters: their roots become active and show their new columns, and all other members are merged
 * into them. All roots, before and after, must be locked for delete.
 * @param absorbed roots that are absorbed now
 * @returns the columns of each root
 */
export async function regroup(
  tx: OrgTx,
  type: RecordType,
  groups: readonly Regrouped[],
  absorbed: readonly Stored[],
  orgDefaults: OrgDefaults,
): Promise<StoredColumns[]> {
  const { orgId } = tx
  const id = type.idField
  const clusters = groups.map(({ cluster }) => cluster)
  const states = await restate(tx, type, clusters, orgDefaults)
  const shown = states.flatMap((after, index) =>
    groups.slice(index, index + 1).map(({ stored }) => ({ stored, after })),
  )
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
  const set = Object.keys(type.columns).map((column) => `${column} = r.${column}`)
  await Promise.all([
    tx.run({
      text: `
        update ${type.entity} t
        set status = 'active', merged_into_id = null, search = r.search, version = g.version,
          updated_at = ${nextUpdatedAt('t')}, created_at = to_timestamp(g.created_ms / 1000.0), ${set.join(', ')}
        from ${asRows(type)}
        join unnest($3::uuid[], $4::integer[], $5::bigint[]) as g (record_id, version, created_ms) using (record_id)
        where t.org_id = $1 and t.${id} = r.record_id`,
      values: [
        orgId,
        asJson(orgId, type, rows),
        groups.map(({ stored }) => stored.recordId),
        groups.map(({ version }) => version),
        // A canonical record is as old as its oldest member.
        groups.map(({ cluster }) => Math.min(...[...cluster.members.keys()].map(timeOf))),
      ],
    }),
    tx.run({
      text: `
        update ${type.entity} t set status = 'merged', merged_into_id = m.root_id
        from unnest($2::uuid[], $3::uuid[]) as m (record_id, root_id)
        where t.org_id = $1 and t.${id} = m.record_id and t.merged_into_id is distinct from m.root_id`,
      values: [orgId, members.map(({ memberId }) => memberId), members.map(({ rootId }) => rootId)],
    }),
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
