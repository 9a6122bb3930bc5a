import { afterAll, describe, expect, test } from 'vitest'
import { importRecords, revertImport } from '../../src/imports/jobs.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { Job } from '../../src/platform/jobs/job.ts'
import { sharedTestApp, type TestClient, type TestOrg } from '../support/app.ts'
import { importCsv, untilEnded, uploadCsv } from '../support/csv-imports.ts'
import { untilBlocked, withClient } from '../support/direct-sql.ts'
import { frozenAfter } from '../support/frozen-process.ts'
import { abandonDirectly, runDirectly } from '../support/jobs/run-directly.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const people = (count: number) =>
  `email\n${Array.from({ length: count }, (_, n) => `person${n}@example.com\n`).join('')}`

async function listed(org: TestClient, path: string): Promise<{ contact_id: string; email: string }[]> {
  return (await org.get(`${path}${path.includes('?') ? '&' : '?'}limit=100`)).body.data
}

async function revert(org: TestClient, importId: string) {
  const asked = await org.post(`/imports/${importId}/revert`)
  expect(asked.status).toBe(202)
  expect(asked.body.data.status).toMatch(/^revert/)
  return untilEnded(org, importId)
}

async function eventTypes(org: TestOrg, objectId: string): Promise<string[]> {
  const { body } = await org.get(`/events?object_id=${objectId}`)
  return body.data.map(({ type }: { type: string }) => type)
}

describe('POST /imports/{import_id}/revert', () => {
  test('a revert archives the records that the import created', async () => {
    const org = await app.newOrg()
    await org.post('/contacts', { email: 'here@example.com' })
    const other = await importCsv(org, 'email\nother@example.com\n')
    const done = await importCsv(org, people(450))
    const reverted = await revert(org, done.import_id)
    expect(reverted).toMatchObject({
      status: 'reverted',
      counts: {
        rows_read: 450,
        created: 450,
        updated: 0,
        unchanged: 0,
        refused: 0,
        unreadable: 0,
        reverted: 450,
        kept: 0,
      },
      finished_at: expect.any(Number),
    })
    expect((await listed(org, '/contacts')).map(({ email }) => email)).toEqual([
      'other@example.com',
      'here@example.com',
    ])
    const archived = await org.get(`/contacts?import_id=${done.import_id}&archived=true`)
    expect(archived.body.pagination.total).toBe(450)
    expect(await eventTypes(org, archived.body.data[0].contact_id)).toEqual([
      'contact.archived',
      'contact.created',
    ])
    expect(await eventTypes(org, done.import_id)).toEqual([
      'import.reverted',
      'import.reverting',
      'import.finished',
      'import.created',
    ])
    expect((await org.get(`/imports/${other.import_id}`)).body.data.status).toBe('succeeded')
    const restored = await org.post(`/contacts/${archived.body.data[0].contact_id}/restore`)
    expect(restored.status).toBe(200)
  })

  test('a revert keeps records that changed after the import, and counts them', async () => {
    const org = await app.newOrg()
    const done = await importCsv(org, people(6))
    const created = await listed(org, `/contacts?import_id=${done.import_id}`)
    const [changed = '', archived = '', restored = ''] = created.map(({ contact_id }) => contact_id)
    await org.patch(`/contacts/${changed}`, { city: 'London' })
    await org.delete(`/contacts/${archived}`)
    await org.delete(`/contacts/${restored}`)
    await org.post(`/contacts/${restored}/restore`)
    expect((await revert(org, done.import_id)).counts).toMatchObject({ created: 6, reverted: 3, kept: 2 })
    const left = (await listed(org, '/contacts')).map(({ contact_id }) => contact_id)
    expect(left.sort()).toEqual([changed, restored].sort())
    expect(await eventTypes(org, changed)).toEqual(['contact.updated', 'contact.created'])
  })

  test('a revert counts created records that were merged as kept, if the survivor still shows their values', async () => {
    const org = await app.newOrg()
    const here = (await org.post('/contacts', { email: 'here@example.com' })).body.data.contact_id
    const done = await importCsv(org, people(6))
    const created = await listed(org, `/contacts?import_id=${done.import_id}`)
    const ids = created.map(({ contact_id }) => contact_id)
    const [toOther = '', survivor = '', toImported = '', archived = '', toArchived = ''] = ids
    const merge = (survivor_id: string, loser: string) =>
      org.post('/duplicates/merge', { entity_type: 'contact', survivor_id, loser_ids: [loser] })
    await merge(here, toOther)
    await merge(survivor, toImported)
    await merge(archived, toArchived)
    await org.delete(`/contacts/${archived}`)
    expect((await revert(org, done.import_id)).counts).toMatchObject({ created: 6, reverted: 1, kept: 3 })
  })

  test('the events of a revert name the API key that requested the revert', async () => {
    const org = await app.newOrg({ key: { mode: 'test' } })
    const operator = await app.newKey(org.orgId, { name: 'Cleaner', mode: 'live' })
    const done = await importCsv(org, people(2))
    await revert(operator, done.import_id)
    for (const type of ['contact.archived', 'import.reverting', 'import.reverted']) {
      const { body } = await org.get(`/events?type=${type}`)
      expect(body.data).not.toEqual([])
      for (const event of body.data)
        expect(event).toMatchObject({ api_key_id: operator.apiKeyId, mode: 'live' })
    }
  })

  test('a revert gets 409 while the import runs, and a second revert gets 409', async () => {
    const org = await app.newOrg()
    const importId = await withClient(app, async (client) => {
      await client.query('begin')
      await client.query('lock table contact in share mode')
      const { import_id: importId } = (await uploadCsv(org, people(3))).body.data
      await untilBlocked(client)
      const early = await org.post(`/imports/${importId}/revert`)
      expect(early.status).toBe(409)
      expect(early.body.detail).toContain('still runs')
      await client.query('rollback')
      return importId
    })
    expect((await untilEnded(org, importId)).counts.created).toBe(3)
    const both = await Promise.all([1, 2].map(() => org.post(`/imports/${importId}/revert`)))
    expect(both.map(({ status }) => status).sort()).toEqual([202, 409])
    expect((await untilEnded(org, importId)).counts).toMatchObject({ reverted: 3, kept: 0 })
    const late = await org.post(`/imports/${importId}/revert`)
    expect(late.status).toBe(409)
    expect(late.body.detail).toContain('reverted before')
    expect(await eventTypes(org, importId)).toHaveLength(4)
  })

  test('a revert of a failed import archives the records that the import created', async () => {
    const org = await app.newOrg()
    const { import_id: importId } = (await uploadCsv(org, people(2))).body.data
    await untilEnded(org, importId)
    await app.operate((tx) =>
      tx.run(sql`
        update import set status = 'failed', error = '{"code": "internal_error", "message": "Broke off."}'
        where import_id = ${importId}`),
    )
    expect(await revert(org, importId)).toMatchObject({ counts: { reverted: 2 }, error: null })
  })
})

describe('abandoned jobs', () => {
  const signal = new AbortController().signal
  const abandon = <Payload>(job: Job<Payload>, payload: Payload) =>
    abandonDirectly(job, { payload, context: app.app.context, signal })

  test('if the job of an import has no retries left, the import fails and can be reverted', async () => {
    const org = await app.newOrg()
    const { import_id: importId } = (await uploadCsv(org, people(2))).body.data
    await untilEnded(org, importId)
    await app.operate((tx) =>
      tx.run(sql`update import set status = 'running', finished_at = null where import_id = ${importId}`),
    )
    const payload = { org_id: org.orgId, import_id: importId }
    await abandon(importRecords, payload)
    const failed = await untilEnded(org, importId)
    expect(failed).toMatchObject({
      status: 'failed',
      error: { code: 'internal_error', message: expect.stringContaining('can be reverted') },
    })
    expect((await eventTypes(org, importId))[0]).toBe('import.failed')
    expect((await revert(org, importId)).counts.reverted).toBe(2)
    await abandon(importRecords, payload)
    expect((await untilEnded(org, importId)).status).toBe('reverted')
  })

  test('if the job of a revert has no retries left, the revert fails and can be requested again', async () => {
    const org = await app.newOrg()
    const { import_id: importId } = await importCsv(org, people(2))
    await app.operate((tx) =>
      tx.run(sql`update import set status = 'reverting' where import_id = ${importId}`),
    )
    const payload = {
      org_id: org.orgId,
      import_id: importId,
      api_key_id: org.apiKeyId,
      member_id: null,
      mode: 'live' as const,
    }
    await abandon(revertImport, payload)
    expect(await untilEnded(org, importId)).toMatchObject({
      status: 'failed',
      error: { code: 'revert_failed', message: expect.stringContaining('Request the revert again') },
    })
    expect((await revert(org, importId)).counts.reverted).toBe(2)
  })

  test('a worker that was frozen does not continue a revert whose job was abandoned meanwhile', async () => {
    const org = await app.newOrg()
    const { import_id: importId } = await importCsv(org, people(2))
    await app.operate((tx) =>
      tx.run(sql`update import set status = 'reverting' where import_id = ${importId}`),
    )
    const payload = {
      ...{ org_id: org.orgId, import_id: importId },
      ...{ api_key_id: org.apiKeyId, member_id: null, mode: 'live' as const },
    }
    const frozen = frozenAfter(app.app.context, 0)
    const lost = runDirectly(revertImport, { payload, context: frozen.context, signal })
    await frozen.reached
    await abandon(revertImport, payload)
    frozen.thaw()
    await lost
    expect(await listed(org, '/contacts')).toHaveLength(2)
    expect(await untilEnded(org, importId)).toMatchObject({ status: 'failed', counts: { reverted: 0 } })
  })
})

describe('permissions', async () => {
  const org = await app.newOrg()
  const csv = 'name\nAcme\n'
  const imports = {
    contacts: await importCsv(org, csv),
    companies: await importCsv(org, csv, { entity: 'companies' }),
  }
  const mine = ['contacts', 'companies'] as const

  test.each(mine)('an import of %s requires the permissions for its records', async (resource) => {
    const other = resource === 'contacts' ? 'companies' : 'contacts'
    const key = (...actions: string[]) =>
      app.newKey(org.orgId, { permissions: actions.map((action) => `${resource}:${action}`) })
    const [reader, writer, manager] = [await key('read'), await key('write'), await key('manage')]
    const statusOf = async (of: TestClient, method: string, path: string) =>
      (await of.send(method, path)).status

    for (const path of ['', '/rows']) {
      expect(await statusOf(reader, 'GET', `/imports/${imports[resource].import_id}${path}`)).toBe(200)
      const refused = await manager.get(`/imports/${imports[other].import_id}${path}`)
      expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining(`${other}:read`)])
    }
    const { body } = await reader.get('/imports')
    expect(body).toMatchObject({
      data: [{ import_id: imports[resource].import_id }],
      pagination: { total: 1 },
    })

    expect((await uploadCsv(reader, csv, { entity: resource })).status).toBe(403)
    expect((await uploadCsv(manager, csv, { entity: other })).status).toBe(403)
    const { import_id: importId } = (await uploadCsv(writer, csv, { entity: resource })).body.data
    await untilEnded(org, importId)
    expect(await statusOf(writer, 'POST', `/imports/${importId}/revert`)).toBe(403)
    const refused = await manager.post(`/imports/${imports[other].import_id}/revert`)
    expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining(`${other}:manage`)])
    expect(await statusOf(manager, 'POST', `/imports/${importId}/revert`)).toBe(202)
    expect((await untilEnded(org, importId)).counts.reverted).toBe(1)
  })

  test('reading imports requires contacts:read or companies:read', async () => {
    const key = await app.newKey(org.orgId, { permissions: ['events:read'] })
    for (const path of ['/imports', `/imports/${imports.contacts.import_id}`, '/imports/nonsense']) {
      const refused = await key.get(path)
      expect(refused.status).toBe(403)
      expect(refused.body.detail).toContain('contacts:read or companies:read')
    }
    expect((await org.get('/imports')).body.pagination.total).toBeGreaterThanOrEqual(2)
  })
})
