import { expect, test } from 'vitest'
import { contacts } from '../../contacts/contacts.ts'
import type { Cluster, Facts } from './cluster.ts'
import { joinRefusal, redoRefusal } from './limits.ts'

const facts: Facts = { units: {}, lists: {}, hidden: {} }

const clusterOf = (rootId: string, members: number): Cluster => ({
  rootId,
  members: new Map(Array.from({ length: members }, (_, at) => [`${rootId} ${at}`, facts])),
  links: [],
})

test('a merged record has at most 500 ids', () => {
  expect(joinRefusal(contacts, clusterOf('a', 300), clusterOf('b', 200))).toBe(null)
  expect(joinRefusal(contacts, clusterOf('a', 300), clusterOf('b', 201))?.message).toContain(
    'The merged record would have 501 ids, and may have at most 500',
  )
})

test('two records with 2,000 values each in a list, whose merge was undone, can be merged again', () => {
  const lists = { emails: Array.from({ length: 2_000 }, (_, at) => `${at}@x.example`) }
  const full = (rootId: string): Cluster => ({
    rootId,
    members: new Map([[rootId, { ...facts, lists }]]),
    links: [],
  })
  expect(redoRefusal(contacts, full('a'), full('b'))).toBe(null)
  expect(joinRefusal(contacts, full('a'), full('b'))?.message).toContain('4,000 values in emails')
})
