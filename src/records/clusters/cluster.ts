import { conflict, type DomainError } from '../../platform/domain-error.ts'

/**
 * What was written to one record, by the id that the request named. It exists for records that ever took part in a
 * merge.
 */
export type Facts = {
  /** By unit: its last complete write, and later writes of some of its columns; oldest first. */
  units: Record<string, UnitWrite[]>
  /** By list column: the elements that were written to this record. */
  lists: Record<string, unknown[]>
  /**
   * By list column: elements that a write to another member removed, by key, with the merges between the two. They
   * are hidden while all these merges are applied.
   */
  hidden: Record<string, HiddenElement[]>
}

/**
 * A write of a unit: its columns and its place `seq` in the order of writes of the org; 0: before the first merge. A
 * `patch` wrote single members of the object in its column. Later patches join one that is open; a merge closes it.
 */
export type UnitWrite = [seq: number, said: Readonly<Record<string, unknown>>, patch?: 'open' | 'closed']

export type HiddenElement = [key: string, merges: string[]]

/**
 * An applied merge: `loserId` shows as `survivorId` since `seq`. `policies` overrides the policies of the type, by
 * unit.
 */
export type Link = {
  mergeId: string
  loserId: string
  survivorId: string
  seq: number
  policies: Readonly<Record<string, string>> | null
}

/** A canonical record (`rootId`) with all records that it absorbed, and the merges that joined them. */
export type Cluster = { rootId: string; members: Map<string, Facts>; links: Link[] }

/** Each write of a merged record reads all of its members. */
const membersMax = 500

/** Why two clusters cannot be joined; null: they can. */
export function joinRefusal({ members }: Cluster, absorbed: Cluster): DomainError | null {
  const size = members.size + absorbed.members.size
  if (size <= membersMax) return null
  return conflict(
    'merge_too_large',
    `The merged record would have ${size} ids, and may have at most ${membersMax}: merge fewer records into it`,
  )
}

/**
 * Joins two clusters: the root of `absorbed` is merged into a member of `cluster`.
 * @throws DomainError conflict if they have more than 500 members together
 */
export function join(cluster: Cluster, absorbed: Cluster, link: Link): Cluster {
  const refusal = joinRefusal(cluster, absorbed)
  if (refusal) throw refusal
  const both = [...cluster.members, ...absorbed.members]
  return {
    rootId: cluster.rootId,
    members: new Map(both.map(([recordId, facts]) => [recordId, closed(facts)])),
    links: [...cluster.links, ...absorbed.links, link].sort((a, b) => a.seq - b.seq),
  }
}

/** Facts without an open patch: the merge uses the value as it is now, and an undo and a redo repeat that. */
function closed(facts: Facts): Facts {
  if (!Object.values(facts.units).some((writes) => writes.at(-1)?.[2] === 'open')) return facts
  const units = Object.entries(facts.units).map(([unit, writes]) => [unit, writes.map(closedWrite)])
  return { ...facts, units: Object.fromEntries(units) }
}

/** A write, which no later patch joins. */
export const closedWrite = ([seq, said, patch]: UnitWrite): UnitWrite =>
  patch ? [seq, said, 'closed'] : [seq, said]

/** Splits a cluster at one of its merges: the rest, and the part of the loser. */
export function splitAt(
  { rootId, members, links }: Cluster,
  mergeId: string,
): { rest: Cluster; split: Cluster } {
  const gone = links.find((link) => link.mergeId === mergeId)
  if (!gone) throw new Error(`The cluster of ${rootId} has no merge ${mergeId}`)
  const kept = links.filter((link) => link !== gone)
  const below = new Set([gone.loserId])
  for (let size = 0; size < below.size; ) {
    size = below.size
    for (const { loserId, survivorId } of kept) if (below.has(survivorId)) below.add(loserId)
  }
  const part = (root: string, inside: boolean): Cluster => ({
    rootId: root,
    members: new Map([...members].filter(([id]) => below.has(id) === inside)),
    links: kept.filter(({ loserId }) => below.has(loserId) === inside),
  })
  return { rest: part(rootId, false), split: part(gone.loserId, true) }
}

/** The part of a cluster that a member shows: the member, and all that was merged into it. */
export function partOf(cluster: Cluster, recordId: string): Cluster {
  const link = cluster.links.find(({ loserId }) => loserId === recordId)
  return link ? splitAt(cluster, link.mergeId).split : cluster
}
