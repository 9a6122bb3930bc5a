import type { Stored } from '../lock.ts'
import type { RecordType } from '../record-type.ts'
import { type Cluster, factsOf, type Link } from './facts.ts'

/** What a locked root is made of; one that was never merged, of what it shows. */
export function clusterOf(type: RecordType, { recordId, cluster, state }: Stored): Cluster {
  return cluster ?? { rootId: recordId, members: new Map([[recordId, factsOf(type, state)]]), links: [] }
}

/** Two clusters as one, by a merge of the root of one into a member of the other. */
export function join(cluster: Cluster, absorbed: Cluster, link: Link): Cluster {
  return {
    rootId: cluster.rootId,
    members: new Map([...cluster.members, ...absorbed.members]),
    links: [...cluster.links, ...absorbed.links, link].sort((a, b) => a.seq - b.seq),
  }
}

/** A cluster without one of its merges: what is left, and what stands for itself again. */
export function splitAt(
  { rootId, members, links }: Cluster,
  mergeId: string,
): { rest: Cluster; split: Cluster } {
  const gone = links.find((link) => link.mergeId === mergeId)!
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
