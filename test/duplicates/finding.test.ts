import { afterAll, describe, expect, test } from 'vitest'
import { checkAll } from '../../src/duplicates/checks/check-loop.ts'
import { recordTypes } from '../../src/duplicates/entities.ts'
import { type EntityType, entityTypes } from '../../src/matching/entity-type.ts'
import { matchKeysOf } from '../../src/matching/match-keys.ts'
import { entityNumbers } from '../../src/matching/match-record.ts'
import { DatabaseUnavailable } from '../../src/platform/db/errors.ts'
import { system } from '../../src/platform/db/system.ts'
import { readRecords } from '../../src/records/lock.ts'
import { startTestApp, type TestOrg } from '../support/app.ts'
import { importCsv, untilEnded } from '../support/csv-imports.ts'
import { withClient } from '../support/direct-sql.ts'
import { createRecords } from '../support/finding.ts'
import { merge } from '../support/merges.ts'
import { patience } from '../support/patience.ts'
import { withShortTimeouts } from '../support/short-timeouts.ts'

const app = await startTestApp()
afterAll(() => app.close())

const names =
  'Adams Baker Clark Davis Evans Foster Green Harris Irving Jones King Lewis Moore Nelson Owens Parker Quinn Roberts Smith Taylor Underwood Vance White Xavier Young Zimmer Brandt Costa Dubois Eriksen Fischer'.split(
    ' ',
  )
const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@acme-works.com' }

type Shadow = { merge_id: string; survivor_id: string; loser_id: string; status: string }

async function shadows(org: TestOrg): Promise<Shadow[]> {
  const { body } = await org.get('/duplicates/recent-merges?include_shadow=true&limit=100')
  return body.data.filter(({ status }: Shadow) => status === 'shadow')
}

/** Checks every changed record, as a worker would. */
const checkNow = () => checkAll(system(app.app.context.database), app.app.context)

const checksOf = (org: TestOrg) =>
  app.operate((tx) =>
    tx.rows({ text: 'select check_id from duplicate_check where org_id = $1', values: [org.orgId] }),
  )

/** Returns the stored match keys, and the match keys that the active records should have. */
async function keysOf(org: TestOrg, entityType: EntityType) {
  const type = recordTypes[entityType]
  return app.operateOn(org.orgId, async (tx) => {
    const stored = await tx.rows<{ key: string }>({
      text: `
        select kind || ' ' || hash || ' ' || record_id as key from match_key
        where org_id = $1 and entity = $2 order by 1`,
      values: [org.orgId, entityNumbers[entityType]],
    })
    const ids = await tx.rows<{ id: string }>({
      text: `select ${type.idField} as id from ${entityType} where org_id = $1 and status = 'active'`,
      values: [org.orgId],
    })
    const records = await readRecords(
      tx,
      type,
      ids.map(({ id }) => id),
    )
    const due = records.flatMap(({ recordId, state }) =>
      matchKeysOf(entityType, state).map(({ kind, hash }) => `${kind} ${hash} ${recordId}`),
    )
    return { stored: stored.map(({ key }) => key), due: due.sort() }
  })
}

async function expectKeys(org: TestOrg, step: string): Promise<number> {
  let count = 0
  for (const entityType of entityTypes) {
    const { stored, due } = await keysOf(org, entityType)
    expect([step, stored.sort()]).toEqual([step, due])
    count += due.length
  }
  return count
}

test('the stored match keys of a record always match its current columns', async () => {
  const org = await app.newOrg()
  const [one, two] = (await createRecords(
    org,
    'contact',
    { ...ada, company_name: 'Acme', city: 'London' },
    ada,
  )) as [string, string]
  const [acme] = await createRecords(org, 'company', { name: 'Acme Ltd', city: 'London' }, { name: 'Acme' })
  await createRecords(org, 'deal', { name: 'Website', amount_cents: 500, currency: 'EUR', company_id: acme })
  const steps: [string, () => Promise<{ status: number }>, number][] = [
    ['create', () => org.post('/contacts', { ...ada, linkedin_url: 'https://linkedin.com/in/ada' }), 201],
    ['change', () => org.patch(`/contacts/${one}`, { last_name: 'King', city: null }), 200],
    ['change what is in no key', () => org.patch(`/contacts/${one}`, { job_title: 'Countess' }), 200],
    ['upsert', () => org.post('/contacts/upsert', { match_on: 'email', ...ada, email: 'x@y.example' }), 200],
    ['batch', () => org.post('/companies/batch', { items: [{ name: 'One' }, { name: 'Two' }] }), 200],
    ['archive', () => org.delete(`/contacts/${two}`), 200],
    ['restore', () => org.post(`/contacts/${two}/restore`), 200],
    ['erase', () => org.post(`/companies/${acme}/erase`), 200],
  ]
  for (const [step, act, status] of steps) {
    expect([step, (await act()).status]).toEqual([step, status])
    expect(await expectKeys(org, step)).toBeGreaterThan(3)
  }
  const [{ merge_id: mergeId }] = (await merge(org, 'contact', one, two)) as [{ merge_id: string }]
  await expectKeys(org, 'merge')
  expect((await org.patch(`/contacts/${two}`, { last_name: 'Byron' })).status).toBe(200)
  await expectKeys(org, 'change what was merged')
  expect((await org.post(`/duplicates/undo-merge/${mergeId}`, {})).status).toBe(200)
  await expectKeys(org, 'undo')
  const { import_id: importId } = await importCsv(org, 'first_name,last_name\nGrace,Hopper\nAlan,Turing\n')
  await expectKeys(org, 'import')
  await org.post(`/imports/${importId}/revert`)
  await untilEnded(org, importId)
  await expect.poll(async () => (await org.get('/contacts?q=hopper')).body.data, patience).toEqual([])
  await expectKeys(org, 'revert')
})

describe('checks', () => {
  test('a changed record is proposed with its duplicate, until the two no longer match', async () => {
    const org = await app.newOrg()
    const [first, second] = await createRecords(org, 'contact', ada, { ...ada, email: 'ADA@acme-works.com' })
    await checkNow()
    const [found] = await shadows(org)
    expect(found).toMatchObject({ survivor_id: first, loser_id: second })
    await org.patch(`/contacts/${second}`, {
      first_name: 'Bob',
      last_name: 'Hope',
      email: 'bob@hope.example',
    })
    await checkNow()
    expect(await shadows(org)).toEqual([])
    await org.patch(`/contacts/${second}`, ada)
    await checkNow()
    expect(await shadows(org)).toHaveLength(1)
    await org.delete(`/contacts/${second}`)
    await checkNow()
    expect(await shadows(org)).toEqual([])
    expect(await checksOf(org)).toEqual([])
  })

  test('a record is not checked again after a change of fields that are not compared', async () => {
    const org = await app.newOrg()
    const [id] = await createRecords(org, 'contact', ada)
    await checkNow()
    await org.patch(`/contacts/${id}`, { job_title: 'Countess', tags: ['x'] })
    expect(await checksOf(org)).toEqual([])
  })

  test('records that a batch or an import creates are checked for duplicates', async () => {
    const org = await app.newOrg()
    await org.post('/contacts/batch', {
      items: [ada, { first_name: 'Grace', email: 'grace@acme-works.com' }],
    })
    await importCsv(org, 'first_name,last_name,email\nAda,Lovelace,ada@acme-works.com\n')
    await checkNow()
    await checkNow()
    expect(await shadows(org)).toHaveLength(1)
  })

  test('a changed record is not checked if duplicate detection is off', async () => {
    const org = await app.newOrg()
    expect((await org.patch('/duplicates/settings', { contact: { mode: 'off' } })).status).toBe(200)
    await createRecords(org, 'contact', ada, ada)
    expect(await checksOf(org)).toEqual([])
    const { status, body } = await org.post('/duplicates/scans', { entity_type: 'contact' })
    expect([status, body.detail]).toEqual([409, expect.stringContaining('contact.mode')])
  })

  test('a changed record has no candidates from a match key that more than 30 records share', async () => {
    const org = await app.newOrg()
    const people = names.map((last_name, n) => ({
      first_name: names[(n + 7) % names.length],
      last_name,
      email: 'kim.larsen@acme-works.com',
    }))
    const few = await app.newOrg()
    await few.post('/contacts/batch', { items: people.slice(0, 3) })
    await org.post('/contacts/batch', { items: people })
    await checkNow()
    expect(await shadows(few)).not.toEqual([])
    expect(await shadows(org)).toEqual([])
  })
})

test('an organization whose checks fail does not delay the checks of others', async () => {
  const [held, other] = [await app.newOrg(), await app.newOrg()]
  for (const org of [held, other]) await createRecords(org, 'contact', ada, ada)
  await withClient(app, async (client) => {
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [
      `duplicates of contact ${held.orgId}`,
    ])
    await withShortTimeouts(app, async (context) => {
      const looking = checkAll(system(context.database), context)
      await expect(looking).rejects.toThrow(DatabaseUnavailable)
    })
  })
  expect(await shadows(other)).toHaveLength(1)
  expect(await shadows(held)).toEqual([])
  await checkNow()
  expect(await shadows(held)).toHaveLength(1)
})

test('a worker checks changed records automatically', async () => {
  const worker = await startTestApp({ role: 'worker', checksDuplicates: true }, app)
  try {
    const org = await app.newOrg()
    await createRecords(org, 'contact', ada, ada)
    await expect.poll(() => shadows(org), patience).toHaveLength(1)
  } finally {
    await worker.close()
  }
})
