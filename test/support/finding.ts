import { expect } from 'vitest'
import { type DecisionCounts, decideGroups } from '../../src/duplicates/engine/decide.ts'
import type { EntityType } from '../../src/matching/entity-type.ts'
import type { TestApp, TestOrg } from './app.ts'

const collections = { contact: '/contacts', company: '/companies', deal: '/deals' } as const

export async function createRecords<Records extends readonly object[]>(
  org: TestOrg,
  entityType: EntityType,
  ...records: Records
): Promise<{ -readonly [Place in keyof Records]: string }> {
  const ids: string[] = []
  for (const fields of records) {
    const { status, body } = await org.post(collections[entityType], fields)
    expect([status, body.detail]).toEqual([201, undefined])
    ids.push(body.data[`${entityType}_id`])
  }
  return ids as { -readonly [Place in keyof Records]: string }
}

/** Runs the duplicate engine with the settings of the org. */
export function findAmong(
  app: TestApp,
  org: TestOrg,
  entityType: EntityType,
  ids: readonly string[],
): Promise<DecisionCounts> {
  const { database, jobs } = app.app.context
  return database.org(org.orgId).transact((tx) => decideGroups(tx, entityType, [ids], jobs))
}

export type Row = {
  merge_id: string
  survivor_id: string
  loser_id: string
  status: string
  rule: string | null
  would_apply: boolean | null
  method: string
  merged_by: string | null
}

export async function rowsOf(org: TestOrg, ...statuses: string[]): Promise<Row[]> {
  const { body } = await org.get('/duplicates/recent-merges?include_shadow=true&limit=100')
  return (body.data as Row[]).filter(({ status }) => statuses.includes(status)).reverse()
}

export async function rowOf(org: TestOrg, ...statuses: string[]): Promise<Row> {
  const rows = await rowsOf(org, ...statuses)
  const [row] = rows
  if (!row || rows.length > 1) throw new Error(`The organization has ${rows.length} such merges, not one`)
  return row
}

/** Finds the pairs among `ids`, as pairs of indexes. */
export async function pairsOf(
  org: TestOrg,
  ids: readonly string[],
  ...statuses: string[]
): Promise<[survivor: number, loser: number][]> {
  const rows = await rowsOf(org, ...statuses)
  return rows
    .map(({ survivor_id, loser_id }): [number, number] => [ids.indexOf(survivor_id), ids.indexOf(loser_id)])
    .sort(([a, b], [c, d]) => a - c || b - d)
}
