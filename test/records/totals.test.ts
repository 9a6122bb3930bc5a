import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { foldTotalsOnce } from '../../src/platform/db/fold-totals.ts'
import { system } from '../../src/platform/db/system.ts'
import { recordTotals } from '../../src/records/totals.ts'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { runs } from '../support/runs.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const scope = system(app.app.context.database)
const fold = () => foldTotalsOnce(scope, recordTotals)

const totalOf = async (org: TestOrg, path: string) =>
  (await org.get(`${path}?limit=1`)).body.pagination.total as number

async function rows(org: TestOrg, text: string): Promise<number> {
  const [row] = await app.operate((tx) => tx.rows<{ n: number }>({ text, values: [org.orgId] }))
  return row!.n
}

const deltas = (org: TestOrg) => rows(org, 'select count(*) as n from record_delta where org_id = $1')
const counted = (org: TestOrg, table: string) =>
  rows(
    org,
    `select count(*) as n from ${table} where org_id = $1 ${table === 'event' ? '' : `and status = 'active'`}`,
  )

/** A writer's action. `pick` selects the record. */
const step = fc.record({
  act: fc.constantFrom(
    'create',
    'create',
    'archive',
    'restore',
    'erase',
    'change',
    'upsert',
    'batch',
    'company',
  ),
  pick: fc.nat(20),
  size: fc.integer({ min: 1, max: 6 }),
})
type Step = { act: string; pick: number; size: number }

async function take(org: TestOrg, mine: string[], { act, pick, size }: Step): Promise<void> {
  const id = mine[pick % Math.max(mine.length, 1)]
  const path = `/contacts/${id}`
  if (act === 'create') mine.push((await org.post('/contacts', { first_name: 'A' })).body.data.contact_id)
  else if (act === 'company') await org.post('/companies', { name: 'Acme' })
  else if (act === 'upsert') {
    const { data } = (await org.post('/contacts/upsert', { match_on: 'email', email: `${pick}@x.example` }))
      .body
    mine.push(data.contact_id)
  } else if (act === 'batch') {
    const items = Array.from({ length: size }, (_, n) => (n === 2 ? {} : { first_name: `B${n}` }))
    for (const { contact_id } of (await org.post('/contacts/batch', { items })).body.data) {
      if (contact_id) mine.push(contact_id)
    }
  } else if (id === undefined) return
  else if (act === 'archive') await org.delete(path)
  else if (act === 'change') await org.patch(path, { city: `${size}` })
  else await org.post(`${path}/${act}`)
}

test('after concurrent writes, each total equals the number of records, before and after totals are folded', async () => {
  const writer = fc.array(step, { minLength: 1, maxLength: 10 })
  await fc.assert(
    fc.asyncProperty(
      fc.array(writer, { minLength: 2, maxLength: 5 }),
      fc.boolean(),
      async (writers, folding) => {
        const org = await app.newOrg()
        const exact = async () => {
          for (const [path, table] of [
            ['/contacts', 'contact'],
            ['/companies', 'company'],
            ['/events', 'event'],
          ] as const) {
            const total = await totalOf(org, path)
            expect([path, total]).toEqual([path, await counted(org, table)])
          }
        }
        const work = writers.map(async (steps) => {
          const mine: string[] = []
          for (const each of steps) await take(org, mine, each)
        })
        let writing = true
        const folder = (async () => {
          while (folding && writing) await Promise.all([fold(), fold()])
        })()
        await Promise.all(work)
        writing = false
        await folder
        await exact()
        await Promise.all([fold(), fold(), fold()])
        expect(await deltas(org)).toBe(0)
        await exact()
      },
    ),
    { numRuns: runs(6, 15) },
  )
})

test('a write that is rolled back does not change a total', async () => {
  const org = await app.newOrg()
  await org.post('/contacts', { first_name: 'Ada' })
  const events = await totalOf(org, '/events')
  const failing = app.app.context.database.org(org.orgId).transact(async (tx) => {
    await tx.run({ text: `update contact set status = 'archived' where org_id = $1`, values: [org.orgId] })
    throw new Error('on purpose')
  })
  await expect(failing).rejects.toThrow('on purpose')
  expect([await totalOf(org, '/contacts'), await totalOf(org, '/events')]).toEqual([1, events])
})

test('a page and its total show the state of one moment, even while records are written and totals are folded', async () => {
  const org = await app.newOrg()
  let writing = true
  const write = async () => {
    for (let n = 0; n < 25; n++) {
      const { data } = (await org.post('/contacts', { first_name: 'A' })).body
      if (n % 2) await org.delete(`/contacts/${data.contact_id}`)
    }
  }
  const folder = (async () => {
    while (writing) await fold()
  })()
  const writers = Promise.all([write(), write()]).finally(() => {
    writing = false
  })
  let seen = 0
  while (writing) {
    const { data, pagination } = (await org.get('/contacts?limit=100')).body
    expect(pagination.total).toBe(data.length)
    seen++
  }
  await Promise.all([writers, folder])
  expect(seen).toBeGreaterThan(0)
  expect(await totalOf(org, '/contacts')).toBe(26)
})

test('each organization has its own totals', async () => {
  const [org, other] = [await app.newOrg(), await app.newOrg()]
  const events = await totalOf(org, '/events')
  await org.post('/contacts/batch', { items: [{ first_name: 'A' }, { first_name: 'B' }] })
  await other.post('/contacts', { first_name: 'C' })
  expect([await totalOf(org, '/contacts'), await totalOf(other, '/contacts')]).toEqual([2, 1])
  await fold()
  expect([await totalOf(org, '/contacts'), await totalOf(other, '/contacts')]).toEqual([2, 1])
  expect([await totalOf(org, '/companies'), await totalOf(org, '/events')]).toEqual([0, events + 2])
})
