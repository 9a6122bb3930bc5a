import { expect } from 'vitest'
import type { TestApp, TestOrg } from './app.ts'

const letters = 'bcdfghjklmnprstvw'
/** A family name for each number. No two sound alike. */
const family = (n: number) =>
  `${letters[n % 17]}a${letters[Math.floor(n / 17) % 17]}o${letters[(n * 7) % 17]}en`

export const pairCount = 30
export const singleCount = 40

/**
 * Creates pairs of duplicates, and other contacts.
 * @returns the ids of each pair
 */
export async function createDuplicatePairs(app: TestApp): Promise<{ org: TestOrg; doubles: string[][] }> {
  const org = await app.newOrg()
  const person = (n: number) => ({
    first_name: 'Maria',
    last_name: family(n),
    email: `maria.${n}@house-${n}.com`,
    city: 'London',
  })
  const items = [
    ...Array.from({ length: pairCount }, (_, n) => [person(n), { ...person(n), city: null }]).flat(),
    ...Array.from({ length: singleCount }, (_, n) => person(1_000 + n)),
  ]
  const { body } = await org.post('/contacts/batch', { items })
  const ids = body.data.map(({ contact_id: id }: { contact_id: string }) => id)
  return { org, doubles: Array.from({ length: pairCount }, (_, n) => [ids[2 * n], ids[2 * n + 1]]) }
}

export async function requestScan(org: TestOrg): Promise<string> {
  const { status, body } = await org.post('/duplicates/scans', { entity_type: 'contact' })
  expect([status, body.detail]).toEqual([202, undefined])
  return body.data.scan_id
}

export const readScan = async (org: TestOrg, scanId: string) =>
  (await org.get(`/duplicates/scans/${scanId}`)).body.data

/** The pairs of all proposals and merges, sorted. */
export async function proposedPairs(org: TestOrg): Promise<string[][]> {
  const { body } = await org.get('/duplicates/recent-merges?include_shadow=true&limit=100')
  const rows = body.data as { survivor_id: string; loser_id: string }[]
  return rows.map((row) => [row.survivor_id, row.loser_id].sort()).sort()
}
