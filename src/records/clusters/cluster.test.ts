import { expect, test } from 'vitest'
import { type Cluster, type Facts, joinClusters } from './cluster.ts'

const facts: Facts = { units: {}, lists: {}, hidden: {} }

const clusterOf = (rootId: string, members: number): Cluster => ({
  rootId,
  members: new Map(Array.from({ length: members }, (_, at) => [`${rootId} ${at}`, facts])),
  links: [],
})

const link = { mergeId: 'merge', loserId: 'b 0', survivorId: 'a 0', seq: 1, policies: null }

test('a merged record has at most 500 ids', () => {
  expect(joinClusters(clusterOf('a', 300), clusterOf('b', 200), link).members.size).toBe(500)
  expect(() => joinClusters(clusterOf('a', 300), clusterOf('b', 201), link)).toThrow(
    'The merged record would have 501 ids, and may have at most 500',
  )
})
