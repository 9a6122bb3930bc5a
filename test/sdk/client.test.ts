import { writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, test } from 'vitest'
import {
  ConfigurationError,
  ConflictError,
  ConnectionError,
  Crosswalk,
  InvalidError,
  TimeoutError,
} from '../../sdk/src/main.ts'
import { importFile } from '../../sdk/src/node.ts'
import { sharedTestApp } from '../support/app.ts'
import { cleanUp, fileNamed } from '../support/processes.ts'
import { clientOf, clientOfStub, closeStubs, json } from './stub.ts'

const app = await sharedTestApp()
const org = await app.newOrg()
const client = clientOf(org)
afterAll(async () => {
  closeStubs()
  await cleanUp()
  await app.close()
})

describe('answers', () => {
  test('a method resolves to the object without its envelope', async () => {
    const created = await client.contacts.create({ first_name: 'Ada', email: 'ada@example.com' })
    expect(created).toMatchObject({ first_name: 'Ada', version: 1 })
    expect(await client.contacts.get(created.contact_id)).toEqual(created)
    expect(await client.voice.settings.get()).toHaveProperty('provider')
    expect((await client.apiKeys.list()).keys).toHaveLength(1)
  })

  test('withResponse also returns the response, the request id, and whether the answer is a replay', async () => {
    const body = { last_name: 'Twice' }
    const first = await client.contacts.create(body, { idempotencyKey: 'twice' }).withResponse()
    const second = await client.contacts.create(body, { idempotencyKey: 'twice' }).withResponse()
    expect(first).toMatchObject({ replayed: false, requestId: expect.any(String) })
    expect(first.response.headers.get('location')).toContain(first.data.contact_id)
    expect(second).toMatchObject({ replayed: true, data: first.data })
  })

  test('ifMatch with another version makes a change fail', async () => {
    const { contact_id } = await client.contacts.create({ first_name: 'Grace' })
    await client.contacts.update(contact_id, { city: 'Leith' }, { ifMatch: 1 })
    const late = client.contacts.update(contact_id, { city: null }, { ifMatch: 1 })
    await expect(late).rejects.toThrow(ConflictError)
    await expect(late).rejects.toMatchObject({ status: 409, code: 'version_conflict' })
  })

  test('a deletion resolves to undefined', async () => {
    const { number_id } = await client.voice.numbers.create({ number: '+14155550199' })
    expect(await client.voice.numbers.delete(number_id)).toBeUndefined()
  })

  test('the client accepts unknown fields and values in an answer', async () => {
    const data = { contact_id: 'c1', lifecycle_stage: 'brand_new', shoe_size: 44 }
    const stub = await clientOfStub(json(200, { data, pagination: null }))
    expect(await stub.contacts.get('c1')).toEqual(data)
  })
})

describe('lists', async () => {
  const filled = clientOf(await app.newOrg())
  const items = Array.from({ length: 12 }, (_, n) => ({
    last_name: `Number ${n}`,
    custom: { even: n % 2 === 0 },
  }))
  await filled.contacts.batch({ items })

  test('iterating over a list reads all pages', async () => {
    const names: (string | null)[] = []
    for await (const { last_name } of filled.contacts.list({ limit: 5, sort: 'created_at' }))
      names.push(last_name)
    expect(names.toSorted()).toEqual(items.map(({ last_name }) => last_name).toSorted())
  })

  test('pages() iterates over pages, and `await` returns the first page', async () => {
    const sizes: number[] = []
    for await (const { data } of filled.contacts.list({ limit: 5 }).pages()) sizes.push(data.length)
    expect(sizes).toEqual([5, 5, 2])
    const { data, pagination } = await filled.contacts.list({ limit: 5 })
    expect([data.length, pagination.total]).toEqual([5, 12])
  })

  test('iterating over a search sends the cursor in the body', async () => {
    const found: string[] = []
    for await (const { contact_id } of filled.contacts.search({ limit: 5 })) found.push(contact_id)
    expect(new Set(found).size).toBe(12)
  })

  test('the client sends filters with operators', async () => {
    const { pagination } = await filled.contacts.list({ 'version[gt]': 1 })
    expect(pagination.total).toBe(0)
    expect((await filled.contacts.list({ 'custom.even': true })).pagination.total).toBe(6)
  })
})

test('requests after forOrg act on a client of the agency', async () => {
  const agency = await app.newAgency()
  const own = clientOf(agency)
  const { org_id } = await own.agency.clients.create({ name: 'Northwind' })
  await own.forOrg(org_id).contacts.create({ first_name: 'Ada' })
  expect((await own.forOrg(org_id).contacts.list()).pagination.total).toBe(1)
  expect((await own.contacts.list()).pagination.total).toBe(0)
})

test('after forOrg, an API key that is not an agency key gets an error, and changes nothing', async () => {
  const [org, other] = [await app.newOrg(), await app.newOrg()]
  const own = clientOf(org)
  const client = own.forOrg(other.orgId)
  for (const call of [() => client.contacts.create({ first_name: 'Lost' }), () => client.contacts.list()]) {
    const refused = await call().catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(ConfigurationError)
    expect(String(refused)).toContain('forOrg() needs an agency key')
  }
  expect((await own.contacts.list()).pagination.total).toBe(0)
  expect((await own.forOrg(org.orgId.toUpperCase()).contacts.list()).pagination.total).toBe(0)
})

test('all clients of forOrg ask once which organization the API key has, again after a failure', async () => {
  const agency = await app.newAgency()
  const paths: string[] = []
  let fails = true
  const own = clientOf(agency, {
    maxRetries: 0,
    fetch: (url, init) => {
      paths.push(new URL(String(url)).pathname)
      return fails ? Promise.reject(new Error('away')) : fetch(url, init)
    },
  })
  const { org_id } = await clientOf(agency).agency.clients.create({ name: 'Northwind' })
  await expect(own.forOrg(org_id).contacts.list()).rejects.toThrow(ConnectionError)
  fails = false
  await Promise.all([own.forOrg(org_id).contacts.list(), own.forOrg(org_id).deals.list()])
  await own.forOrg(org_id).companies.list()
  expect(paths.filter((path) => path.endsWith('/organization'))).toHaveLength(2)
  expect(paths).toHaveLength(5)
  const signal = AbortSignal.abort(new Error('too late'))
  await expect(own.forOrg(org_id).contacts.list({}, { signal })).rejects.toThrow('too late')
})

describe('files and work in the background', () => {
  test('importFile streams a file and reports progress, and wait resolves when the import ends', async () => {
    const importer = clientOf(await app.newOrg())
    const path = fileNamed('people.csv')
    const rows = Array.from(
      { length: 3000 },
      (_, n) => `Ada,Number ${n},ada${n}@example.com,${'x'.repeat(60)}`,
    )
    writeFileSync(path, `Given,Surname,Mail,Note\n${rows.join('\n')}\n`)
    const sent: number[] = []
    const { import_id } = await importFile(importer.contacts, path, {
      mapping: { Given: 'first_name', Mail: 'email' },
      onProgress: ({ bytes, bytesTotal }) => sent.push(bytes / bytesTotal),
    })
    const states: string[] = []
    const ended = await importer.imports.wait(import_id, {
      pollMs: 50,
      onProgress: ({ status }) => states.push(status),
    })
    expect(ended).toMatchObject({ status: 'succeeded', file_name: 'people.csv', counts: { created: 3000 } })
    expect(sent.length).toBeGreaterThan(2)
    expect(sent.at(-1)).toBe(1)
    expect(states.at(-1)).toBe('succeeded')
  })

  test('a refused upload throws an error with the places of its problems', async () => {
    const path = fileNamed('other.csv')
    writeFileSync(path, 'Mail\nada@example.com\n')
    const refused = importFile(client.contacts, path, { mapping: { Mail: 'no_such_field' } })
    await expect(refused).rejects.toThrow(InvalidError)
    await expect(importFile(client.contacts, fileNamed('none.csv'))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('an export resolves to a stream', async () => {
    await client.voice.suppressions.create({ number: '+442071838750' })
    const stream = await client.voice.suppressions.export()
    expect(await text(stream as never)).toContain('+442071838750')
  })

  test('the response of a stream has its address', async () => {
    const { response } = await client.voice.suppressions.export().withResponse()
    expect(response.url).toMatch(/\/api\/v1\/voice\/suppressions\/export$/)
    expect(await response.text()).toContain('number')
  })

  test('null as the options of wait and follow is the same as none', async () => {
    const stub = await clientOfStub(json(200, { data: { status: 'succeeded' }, pagination: null }))
    expect(await stub.imports.wait('i1', null as never)).toEqual({ status: 'succeeded' })
    expect(() => stub.events.follow(null as never)).not.toThrow()
  })

  test('wait throws a TimeoutError after deadlineMs', async () => {
    const stub = await clientOfStub(json(200, { data: { status: 'running' }, pagination: null }))
    await expect(stub.imports.wait('i1', { deadlineMs: 50 })).rejects.toThrow(TimeoutError)
  })
})

describe('browsers', () => {
  test('in a browser, the client refuses an API key, and forSession sends the organization and the mode without a key', async () => {
    Object.assign(globalThis, { document: {} })
    try {
      expect(() => clientOf(org)).toThrow('does not belong in a browser')
      const asked: { url: string; headers: Headers; credentials: string | undefined }[] = []
      const session = Crosswalk.forSession({
        ...{ baseUrl: '/console/api', orgId: 'o1', mode: 'test' },
        fetch: async (url, init) => {
          asked.push({
            url: String(url),
            headers: new Headers(init?.headers),
            credentials: init?.credentials,
          })
          return Response.json({ data: [], pagination: { has_next: false } })
        },
      })
      await session.contacts.list({ tag: 'vip' })
      expect(asked[0]).toMatchObject({ url: '/console/api/contacts?tag=vip', credentials: 'same-origin' })
      expect([...(asked[0]?.headers ?? [])]).toEqual([
        ['x-mode', 'test'],
        ['x-org-id', 'o1'],
      ])
    } finally {
      Reflect.deleteProperty(globalThis, 'document')
    }
  })
})
