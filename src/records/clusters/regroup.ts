import type { Actor } from '../../events/record.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { timeOf } from '../../platform/db/uuid-time.ts'
import { writeKeys } from '../keys.ts'
import { writeLinks } from '../links.ts'
import type { Stored } from '../lock.ts'
import type { RecordType, State, Surroundings } from '../record-type.ts'
import { resolveReferences } from '../references.ts'
import { touched } from '../touched.ts'
import { asJson, asRows } from '../write.ts'
import type { Cluster } from './facts.ts'
import { saveFacts } from './store.ts'
import { viewOf } from './view.ts'

/** A record that stands for itself from now on: what it shows is made of `cluster`. */
export type Regrouped = { stored: Stored; cluster: Cluster; version: number }

/**
 * What the roots of clusters show now: their views, with what their references stand for. A reference to what was erased
 * since is left out.
 */
export async function restate(
  tx: Tx,
  orgId: string,
  type: RecordType,
  clusters: readonly Cluster[],
  surroundings: Surroundings,
): Promise<State[]> {
  const states = clusters.map((cluster) => viewOf(type, cluster))
  await resolveReferences(tx, orgId, type, states)
  return states.map((state) => {
    for (const { rawColumn, column } of type.references) if (state[column] === null) state[rawColumn] = null
    for (const { rawColumn, column } of type.links) {
      const roots = state[column] as (string | undefined)[]
      state[rawColumn] = (state[rawColumn] as string[]).filter((_raw, index) => roots[index] !== undefined)
      state[column] = roots.filter((root) => root !== undefined)
    }
    return type.merging.settle?.(state, surroundings) ?? state
  })
}

/**
 * Stores clusters that were put together anew: their roots are active and show what they are made of now, their other
 * members are merged into them. All roots, before and after, are locked as ones that end.
 * @param absorbed roots that are none any more
 * @returns what each root shows
 */
export async function regroup(
  tx: Tx,
  actor: Actor,
  type: RecordType,
  groups: readonly Regrouped[],
  absorbed: readonly Stored[],
  surroundings: Surroundings,
): Promise<State[]> {
  const { orgId } = actor
  const id = type.idField
  const clusters = groups.map(({ cluster }) => cluster)
  const states = await restate(tx, orgId, type, clusters, surroundings)
  const rows = groups.map(({ stored }, index) => ({ recordId: stored.recordId, state: states[index]! }))
  const keys = [
    ...groups.map(({ stored: { recordId, status, state } }, index) => ({
      recordId,
      before: status === 'active' ? state : null,
      after: states[index]!,
    })),
    ...absorbed.map(({ recordId, state }) => ({ recordId, before: state, after: null })),
  ]
  const links = groups.map(({ stored }, index) => ({
    recordId: stored.recordId,
    before: stored.state,
    after: states[index]!,
  }))
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
          updated_at = ${touched('t')}, created_at = to_timestamp(g.created_ms / 1000.0), ${set.join(', ')}
        from ${asRows(type)}
        join unnest($3::uuid[], $4::integer[], $5::bigint[]) as g (record_id, version, created_ms) using (record_id)
        where t.org_id = $1 and t.${id} = r.record_id`,
      values: [
        orgId,
        asJson(orgId, type, rows),
        groups.map(({ stored }) => stored.recordId),
        groups.map(({ version }) => version),
        // A record is as old as the oldest that it stands for.
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
    writeKeys(tx, orgId, type, keys),
    writeLinks(tx, orgId, type, links),
    saveFacts(
      tx,
      orgId,
      type,
      groups.map(({ stored, cluster }) => ({ before: stored.cluster, after: cluster })),
    ),
  ])
  return states
}
