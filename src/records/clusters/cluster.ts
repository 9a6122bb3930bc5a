/** Everything that requests wrote to one record id. Only records that took part in a merge have facts. */
export type Facts = {
  /** The writes of each unit: the last complete write, then later writes of some columns, oldest first. */
  units: Record<string, UnitWrite[]>
  lists: Record<string, unknown[]>
  /**
   * By list column: elements that a write to another member removed. An element is hidden while all listed merges are
   * applied.
   */
  hidden: Record<string, HiddenElement[]>
}

/**
 * A write of a unit: its place `seq` in the order of writes of the org, and the written columns. `seq` 0 is before the
 * first merge. A `patch` wrote single members of an object. An open patch also gets the members of the next patch; a
 * merge closes the patch.
 */
export type UnitWrite = [seq: number, written: Readonly<Record<string, unknown>>, patch?: 'open' | 'closed']

export type HiddenElement = [key: string, merges: string[]]

/**
 * An applied merge: since `seq`, `survivorId` shows the values of `loserId`. `policies` overrides the type's policies,
 * by unit.
 */
export type MergeLink = {
  mergeId: string
  loserId: string
  survivorId: string
  seq: number
  policies: Readonly<Record<string, string>> | null
}

/** A canonical record (`rootId`) with all records that it absorbed, and the merges that joined them. */
export type Cluster = { rootId: string; members: Map<string, Facts>; links: MergeLink[] }

/** Merges the root of `absorbed` into a member of `cluster`. */
export function joinClusters(cluster: Cluster, absorbed: Cluster, link: MergeLink): Cluster {
  const both = [...cluster.members, ...absorbed.members]
  return {
    rootId: cluster.rootId,
    members: new Map(both.map(([recordId, facts]) => [recordId, closePatches(facts)])),
    links: [...cluster.links, ...absorbed.links, link].sort((a, b) => a.seq - b.seq),
  }
}

/** Closes open patches, so that a redo after an undo gives the same values as this merge. */
function closePatches(facts: Facts): Facts {
  if (!Object.values(facts.units).some((writes) => writes.at(-1)?.[2] === 'open')) return facts
  const units = Object.entries(facts.units).map(([unit, writes]) => [unit, writes.map(closePatch)])
  return { ...facts, units: Object.fromEntries(units) }
}

/** Closes a patch, so that no later patch joins it. */
export const closePatch = ([seq, written, patch]: UnitWrite): UnitWrite =>
  patch ? [seq, written, 'closed'] : [seq, written]

/** Splits a cluster at a merge into the rest and the part of the loser. */
export function splitCluster(
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

/** A member and everything that was merged into it. */
export function subclusterOf(cluster: Cluster, recordId: string): Cluster {
  const link = cluster.links.find(({ loserId }) => loserId === recordId)
  return link ? splitCluster(cluster, link.mergeId).split : cluster
}
