import type { PatroniCluster } from './cluster.ts'
import type { Creation } from './load.ts'

export type Audit = {
  keyed: number
  plain: number
  requests: number
  /** Plain creations whose outcome the client does not know. */
  unknown: number
  /** Acknowledged creations that are not stored under their id. */
  lost: number
  /** Creations that are stored more than once, or that have no event or several. */
  doubled: number
  /** Stored creations of which each answer said that nothing was changed. */
  refusedButStored: number
}

/** Compares the answers that the clients got with the rows of the primary. */
export async function audit(creations: readonly Creation[], cluster: PatroniCluster): Promise<Audit> {
  const rows = await cluster.rows<{ name: string; ids: string[]; events: number }>(
    `select c.external_ids ->> 'failover' as name, array_agg(distinct c.contact_id) as ids, count(e.event_id) as events
     from contact c left join event e on e.org_id = c.org_id and e.object_id = c.contact_id and e.type = 'contact.created'
     where c.external_ids ->> 'failover' is not null group by 1`,
  )
  const stored = new Map(rows.map((row) => [row.name, row]))
  const of = ({ name }: Creation) => stored.get(name)
  const count = (holds: (creation: Creation) => boolean) => creations.filter(holds).length
  return {
    keyed: count(({ isKeyed }) => isKeyed),
    plain: count(({ isKeyed }) => !isKeyed),
    requests: creations.reduce((sum, { requests }) => sum + requests, 0),
    unknown: count(({ id, isRefused }) => id === null && !isRefused),
    lost: count((creation) => creation.id !== null && !of(creation)?.ids.includes(creation.id)),
    doubled: rows.filter(({ ids, events }) => ids.length > 1 || events !== 1).length,
    refusedButStored: count((creation) => creation.isRefused && of(creation) !== undefined),
  }
}
