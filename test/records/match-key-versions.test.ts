import { Client } from 'pg'
import { afterAll, expect, test } from 'vitest'
import { recordTypes } from '../../src/duplicates/entities.ts'
import { fillAllMatchKeys, writeMissingMatchKeys } from '../../src/duplicates/fill-match-keys.ts'
import { orgsWithoutKeys, renewMatchKeys } from '../../src/duplicates/match-key-versions.ts'
import { matchKeysOf } from '../../src/matching/match-keys.ts'
import { normalizationVersion } from '../../src/matching/normalize.ts'
import { DatabaseUnavailable } from '../../src/platform/db/errors.ts'
import { system } from '../../src/platform/db/system.ts'
import { readRecords } from '../../src/records/lock.ts'
import { startTestApp, type TestOrg } from '../support/app.ts'
import { withClient } from '../support/direct-sql.ts'
import { createRecords } from '../support/finding.ts'
import { frozenAfter } from '../support/frozen-process.ts'
import { withShortTimeouts } from '../support/short-timeouts.ts'

const app = await startTestApp()
afterAll(() => app.close())
const scope = system(app.app.context.database)

/** Starts the task that writes the match keys of this version. */
async function start(version: number): Promise<boolean> {
  const owner = new Client({ connectionString: app.databaseUrl })
  await owner.connect()
  return renewMatchKeys(owner, version).finally(() => owner.end())
}

const fill = (version: number, context = app.app.context) =>
  fillAllMatchKeys(system(context.database), context, undefined, version)

const keysOf = (org: TestOrg) =>
  app.operate(async (tx) => {
    const rows = await tx.rows<{ key: string }>({
      text: `select kind || ' ' || hash || ' ' || record_id as key from match_key where org_id = $1`,
      values: [org.orgId],
    })
    return rows.map(({ key }) => key).sort()
  })

test('only one of several starting processes writes a new version of match keys', async () => {
  const org = await app.newOrg()
  const ada = { first_name: 'Ada', last_name: 'Lovelace', company_name: 'Acme' }
  const ids = await createRecords(org, 'contact', ada, { ...ada, first_name: 'Grace' })
  const records = await app.operateOn(org.orgId, (tx) => readRecords(tx, recordTypes.contact, ids))
  const due = records.flatMap(({ recordId, state }) =>
    matchKeysOf('contact', state).map(({ kind, hash }) => `${kind} ${hash} ${recordId}`),
  )
  // A match key of another version.
  const stale = { text: 'insert into match_key values ($1, 1, 2, 42, $2)', values: [org.orgId, ids[0]] }
  await app.operate((tx) => tx.run(stale))

  expect(await start(normalizationVersion)).toBe(false)
  expect(await keysOf(org)).toHaveLength(due.length + 1)

  expect(await start(normalizationVersion + 1)).toBe(true)
  expect(await keysOf(org)).toEqual([])
  expect(await orgsWithoutKeys(scope, normalizationVersion + 1)).toContainEqual({
    orgId: org.orgId,
    entityType: 'contact',
  })

  await Promise.all([fill(normalizationVersion + 1), fill(normalizationVersion + 1)])
  expect(await keysOf(org)).toEqual(due.sort())
  expect(await orgsWithoutKeys(scope, normalizationVersion + 1)).toEqual([])

  expect(await start(normalizationVersion + 1)).toBe(false)
  // Start as the previous version does during the rollout of this one.
  expect(await start(normalizationVersion)).toBe(false)
  expect(await keysOf(org)).toEqual(due)
})

test('while duplicate detection is off, no match keys are written; turning it on writes the match keys of all records', async () => {
  const org = await app.newOrg()
  const turn = async (mode: string) =>
    expect((await org.patch('/duplicates/settings', { contact: { mode } })).status).toBe(200)
  const person = (first_name: string) => ({ first_name, last_name: 'Lovelace', company_name: 'Acme' })
  const [kept, changed] = await createRecords(org, 'contact', person('Ada'), person('Grace'))
  const before = await keysOf(org)
  expect(before).not.toEqual([])

  await turn('off')
  await createRecords(org, 'contact', person('Mary'))
  await org.post('/contacts/batch', { items: Array.from({ length: 120 }, (_, n) => person(`Joan ${n}`)) })
  await org.patch(`/contacts/${changed}`, { last_name: 'Hopper' })
  expect(await keysOf(org)).toEqual(before.filter((key) => key.endsWith(kept ?? '')))

  // Writes that run while the detection is turned on either write their keys, or are queued.
  await Promise.all([
    turn('shadow'),
    ...Array.from({ length: 8 }, (_, n) => createRecords(org, 'contact', person(`Eve ${n}`))),
  ])
  await fill(normalizationVersion)
  const records = await app.operateOn(org.orgId, async (tx) => {
    const text = 'select contact_id from contact where org_id = $1'
    const ids = await tx.rows<{ contact_id: string }>({ text, values: [org.orgId] })
    return readRecords(
      tx,
      recordTypes.contact,
      ids.map(({ contact_id: id }) => id),
    )
  })
  expect(records).toHaveLength(131)
  const due = records.flatMap(({ recordId, state }) =>
    matchKeysOf('contact', state).map(({ kind, hash }) => `${kind} ${hash} ${recordId}`),
  )
  expect(await keysOf(org)).toEqual(due.sort())
  expect(await orgsWithoutKeys(scope)).not.toContainEqual({ orgId: org.orgId, entityType: 'contact' })
})

test('records that were written while duplicate detection was off for a moment get match keys, even if a task wrote keys meanwhile', async () => {
  const org = await app.newOrg()
  const turn = async (mode: string) =>
    expect((await org.patch('/duplicates/settings', { contact: { mode } })).status).toBe(200)
  const [id] = (await createRecords(org, 'contact', { first_name: 'Ada', last_name: 'Lovelace' })) as [string]
  await turn('off')
  await turn('shadow')
  // The task has written the keys of all records, and stops before it marks them as complete.
  const frozen = frozenAfter(app.app.context, 2)
  const task = writeMissingMatchKeys(frozen.context.database.org(org.orgId), 'contact', () => false)
  await frozen.reached
  await turn('off')
  expect((await org.patch(`/contacts/${id}`, { last_name: 'Byron' })).status).toBe(200)
  await turn('shadow')
  frozen.thaw()
  await task

  expect(await orgsWithoutKeys(scope)).toContainEqual({ orgId: org.orgId, entityType: 'contact' })
  expect(await keysOf(org)).toEqual([])
  await fill(normalizationVersion)
  expect(await keysOf(org)).not.toEqual([])
  expect(await orgsWithoutKeys(scope)).not.toContainEqual({ orgId: org.orgId, entityType: 'contact' })
})

test('an organization whose records are locked does not delay the match keys of others', async () => {
  const [held, other] = [await app.newOrg(), await app.newOrg()]
  const ids = [
    ...(await createRecords(held, 'contact', { first_name: 'Ada', last_name: 'Lovelace' })),
    ...(await createRecords(other, 'contact', { first_name: 'Ada', last_name: 'Lovelace' })),
  ]
  const due = await keysOf(other)
  expect(await start(normalizationVersion + 2)).toBe(true)
  await withClient(app, async (client) => {
    await client.query('begin')
    await client.query('select from contact where contact_id = $1 for update', [ids[0]])
    await withShortTimeouts(app, (context) =>
      expect(fill(normalizationVersion + 2, context)).rejects.toThrow(DatabaseUnavailable),
    )
  })
  expect(await keysOf(other)).toEqual(due)
  expect(await orgsWithoutKeys(scope, normalizationVersion + 2)).toEqual([
    { orgId: held.orgId, entityType: 'contact' },
  ])
  await fill(normalizationVersion + 2)
  expect(await keysOf(held)).toHaveLength(due.length)
})

test('during a rollout of a new release, an older process does not mark newer match keys as complete', async () => {
  const org = await app.newOrg()
  await createRecords(org, 'contact', { first_name: 'Ada', last_name: 'Lovelace' })
  const due = await keysOf(org)
  expect(await start(normalizationVersion + 3)).toBe(true)
  // The older node has written its match keys, and stops before it marks them as complete.
  const frozen = frozenAfter(app.app.context, 2)
  const before = writeMissingMatchKeys(
    frozen.context.database.org(org.orgId),
    'contact',
    () => false,
    normalizationVersion + 3,
  )
  await frozen.reached
  expect(await start(normalizationVersion + 4)).toBe(true)
  frozen.thaw()
  await before
  await fill(normalizationVersion + 3)
  expect(await keysOf(org)).toEqual([])

  await fill(normalizationVersion + 4)
  expect(await keysOf(org)).toEqual(due)
  expect(await orgsWithoutKeys(scope, normalizationVersion + 4)).toEqual([])
})

test('stale match keys of another version do not block later writes', async () => {
  const org = await app.newOrg()
  const [id] = (await createRecords(org, 'contact', { first_name: 'Ada', last_name: 'Lovelace' })) as [string]
  const [before] = await keysOf(org)
  const rename = (last_name: string) => org.patch(`/contacts/${id}`, { last_name })
  // While both nodes run, the older one changes only its own match keys.
  expect((await rename('Byron')).status).toBe(200)
  const [kind, hash] = before!.split(' ') as [string, string]
  await app.operate((tx) =>
    tx.run({
      text: 'insert into match_key values ($1, 1, $2, $3, $4)',
      values: [org.orgId, kind, hash, id],
    }),
  )
  expect((await rename('Lovelace')).status).toBe(200)
  expect(await keysOf(org)).toEqual([before])
})
