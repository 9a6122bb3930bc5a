import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { FairLimiter } from '../../src/platform/db/fair-limiter.ts'
import { FairQueue } from '../../src/platform/fair-queue.ts'
import { startTestApp } from '../support/app.ts'
import { importCsv } from '../support/csv-imports.ts'

const app = await startTestApp()
afterEach(() => {
  vi.restoreAllMocks()
})
afterAll(() => app.close())

/** The owners whose work waited for the thread while `work` ran. */
async function ownersOf(work: () => Promise<unknown>): Promise<string[]> {
  const added = vi.spyOn(FairQueue.prototype, 'add')
  await work()
  return [...new Set(added.mock.calls.map(([owner]) => owner))]
}

test('lists, batches and keyed requests of an agency on its clients wait for the thread in the queue of the agency', async () => {
  const agency = await app.newAgency()
  const { org_id: client } = (await agency.post('/agency/clients', { name: 'Client' })).body.data
  const headers = { 'x-target-org-id': client }
  const words = 'a long note about this person '.repeat(60)
  const items = Array.from({ length: 500 }, (_, at) => ({
    ...{ first_name: 'Ada', last_name: `n${at}`, emails: [`a${at}@example.com`] },
    custom_fields: { note: words },
  }))
  let ids: string[] = []
  const acts = {
    batch: async () => {
      const { status, text, body } = await agency.post('/contacts/batch', { items }, { headers })
      expect([status, text.slice(0, 200)]).toMatchObject([200, expect.anything()])
      ids = body.data.map(({ contact_id: id }: { contact_id: string }) => id)
    },
    keyed: () =>
      agency.post('/contacts/batch', { items }, { headers: { ...headers, 'idempotency-key': 'again' } }),
    list: () => agency.get('/contacts?limit=100', { headers }),
    'batch read': () => agency.post('/contacts/batch-read', { contact_ids: ids.slice(0, 100) }, { headers }),
  }
  for (const [act, run] of Object.entries(acts)) {
    const owners = await ownersOf(async () => {
      for (let time = 0; time < 3; time++) await run()
    })
    expect([act, owners]).toEqual([act, [agency.orgId]])
  }
})

test('a job of a client shares the connections and the thread of its agency', async () => {
  const agency = await app.newAgency()
  const { org_id: client } = (await agency.post('/agency/clients', { name: 'Client' })).body.data
  const payers = vi.spyOn(FairLimiter.prototype, 'run')
  const owners = await ownersOf(async () => {
    const rows = Array.from({ length: 3_000 }, (_, at) => `n${at},a${at}@example.com`)
    const headers = { 'x-target-org-id': client }
    const { counts } = await importCsv(agency, `first_name,email\n${rows.join('\n')}\n`, { headers })
    expect(counts.created).toBe(3_000)
  })
  const used = [...owners, ...payers.mock.calls.map(([payer]) => payer)]
  expect(used).toContain(agency.orgId)
  expect(used).not.toContain(client)
})
