import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, connect as dial, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, type ClientConfig } from 'pg'
import { parseIntoClientConfig } from 'pg-connection-string'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { patience } from '../../test/support/patience.ts'
import { expectWithin } from '../../test/support/within.ts'
import type { SystemScope } from '../platform/db/system.ts'
import { createLog } from '../platform/log.ts'
import { ChangeListener } from './change-listener.ts'
import { CredentialCache } from './credential-cache.ts'
import { keyLookup } from './known-keys.ts'

const database = parseIntoClientConfig(inject('databaseUrl'))
const opened: (() => unknown)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close()
})

const row = (orgId: string) => ({
  org_id: orgId,
  api_key_id: 'k',
  permissions: null,
  org_exists: true,
  payer_org_id: orgId,
})

/** Starts a cache. `read` answers the lookup of each token; null: it has no owner. `statements` has the tokens of each statement. */
async function startCache(
  read: (hash: string) => Promise<object | null> = async () => row('acme'),
  connection: ClientConfig = database,
  weightOf?: () => number,
) {
  const statements: string[][] = []
  const readRows = async ({ values: [asked] }: { values: [Buffer[]] }) => {
    const hashes = asked.map((hash) => hash.toString('latin1'))
    statements.push(hashes)
    const found = await Promise.all(hashes.map(read))
    return found.flatMap((each, at) => (each ? [{ ...each, token_hash: asked[at] }] : []))
  }
  const prepared = { ...connection, hostCount: 1, onConnect: async () => {} }
  const listener = new ChangeListener(prepared, createLog('silent'))
  const lookup = keyLookup({ readRows } as unknown as SystemScope)
  const cache = new CredentialCache({ ...lookup, ...(weightOf && { weightOf }) }, listener)
  await listener.start()
  opened.push(() => listener.close())
  return { cache, statements }
}

async function notify(orgId: string): Promise<void> {
  const client = new Client(database)
  await client.connect()
  await client.query('select pg_notify($1, $2)', ['crosswalk_auth', orgId])
  await client.end()
}

/** Starts a proxy in front of PostgreSQL. It can stop answering, or behave like a connection pooler. */
async function startProxy({ pooler = false } = {}) {
  const host = mkdtempSync(join(tmpdir(), 'crosswalk-proxy-'))
  const sockets = new Set<Socket>()
  const state = { silent: false }
  const target = () =>
    database.host!.startsWith('/')
      ? dial(`${database.host}/.s.PGSQL.${database.port ?? 5432}`)
      : dial(Number(database.port ?? 5432), database.host!)
  const server = createServer((client) => {
    const backend = target()
    for (const socket of [client, backend]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => [client, backend].forEach((both) => void both.destroy()))
    }
    client.on('data', (bytes) => state.silent || backend.write(bytes))
    backend.on('data', (bytes: Buffer) => {
      // BackendKeyData: a pooler sends an invented process id.
      const at = bytes.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]))
      if (pooler && at >= 0) bytes.writeInt32BE(bytes.readInt32BE(at + 5) + 1, at + 5)
      if (!state.silent) client.write(bytes)
    })
  })
  await new Promise<void>((resolve) => server.listen(join(host, '.s.PGSQL.5432'), resolve))
  opened.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
    rmSync(host, { recursive: true, force: true })
  })
  return { connection: { ...database, host, port: 5432 }, state }
}

describe('a key', () => {
  test('an API key is read from the database once, and again after its org changes', async () => {
    const { cache, statements } = await startCache()
    expect(cache.peek('hash')).toBe(undefined)
    expect(cache.expects('hash')).toBe(false)
    await cache.load('hash')
    expect(cache.peek('hash')?.orgId).toBe('acme')
    expect(cache.expects('hash')).toBe(true)
    await notify('another org')
    await notify('acme')
    await expectWithin(2_000, () => cache.peek('hash'), undefined)
    await cache.load('hash')
    expect(statements).toHaveLength(2)
  })

  test('an API key that does not exist, or whose org is deleted, is looked up in the database at each request', async () => {
    const { cache } = await startCache(async (hash) =>
      hash === 'orphan' ? { ...row('acme'), org_exists: false } : null,
    )
    expect(await cache.load('nobody')).toBe(null)
    expect(await cache.load('orphan')).toMatchObject({ hasOrg: false })
    for (const hash of ['nobody', 'orphan']) {
      expect(cache.peek(hash)).toBe(undefined)
      expect(cache.expects(hash)).toBe(false)
    }
  })

  test('an API key leaves the cache together with the other keys of its org only', async () => {
    const { cache } = await startCache(async (hash) => row(hash[0]!))
    for (const hash of ['a1', 'a2', 'b1']) await cache.load(hash)
    cache.forget('a')
    expect(['a1', 'a2', 'b1'].map((hash) => cache.peek(hash)?.orgId)).toEqual([undefined, undefined, 'b'])
  })

  test('an API key leaves the cache if 50,000 newer keys are in it', async () => {
    const { cache } = await startCache(async (hash) => row(hash.slice(-2)))
    for (let i = 0; i < 50_010; i++) await cache.load(`hash ${i}`)
    expect(cache.expects('hash 9')).toBe(false)
    expect(cache.expects('hash 10')).toBe(true)
    // So many notifications can delay the heartbeat of the connection.
    await expect.poll(() => cache.peek('hash 50009'), patience).toBeDefined()
  })
})

test('owners that need much memory leave the cache after fewer newer ones', async () => {
  const { cache } = await startCache(
    async (hash) => row(hash),
    database,
    () => 10_000,
  )
  for (const hash of ['a', 'b', 'c']) await cache.load(hash)
  cache.forget('b')
  for (const hash of ['d', 'e', 'f', 'g']) await cache.load(hash)
  expect([...'abcdefg'].filter((hash) => cache.expects(hash))).toEqual([...'cdefg'])
})

describe('a read that is under way', () => {
  test('requests that come soon after the start of a read share it, and later requests do not', async () => {
    const answer = Promise.withResolvers<object | null>()
    const { cache, statements } = await startCache(() => answer.promise)
    const first = cache.load('hash')
    expect(cache.load('hash')).toBe(first)
    await expect.poll(() => statements.length, patience).toBe(1)
    await expect.poll(() => cache.load('hash') === first, patience).toBe(false)
    answer.resolve(null)
  })

  test('a read that is under way is neither cached nor shared with new requests if its org changes meanwhile', async () => {
    const answers = [Promise.withResolvers<object>(), Promise.withResolvers<object>()]
    const { cache, statements } = await startCache(() => answers[statements.length - 1]!.promise)
    const stale = cache.load('hash')
    await expect.poll(() => statements.length, patience).toBe(1)
    cache.forget('acme')
    const fresh = cache.load('hash')
    expect(fresh).not.toBe(stale)
    answers[0]!.resolve(row('acme'))
    await stale
    expect(cache.peek('hash')).toBe(undefined)
    // The end of the old lookup must not remove the new one.
    expect(cache.load('hash')).toBe(fresh)
    answers[1]!.resolve(row('acme'))
    await fresh
    expect(cache.peek('hash')).toBeDefined()
  })
})

describe('the listening connection', () => {
  test('a listening connection that receives nothing counts as broken within 2 s, and is replaced', async () => {
    const { connection, state } = await startProxy()
    const { cache } = await startCache(undefined, connection)
    await cache.load('hash')
    expect(cache.peek('hash')).toBeDefined()
    state.silent = true
    await expectWithin(2_000, () => cache.peek('hash'), undefined)
    state.silent = false
    await expect.poll(async () => [await cache.load('hash'), cache.peek('hash')][1], patience).toBeDefined()
  })

  test('the listening connection receives nothing through a connection pooler, so each request looks up its key in the database', async () => {
    const { connection } = await startProxy({ pooler: true })
    const { cache, statements } = await startCache(undefined, connection)
    for (let i = 1; i <= 3; i++) {
      expect(await cache.load('hash')).not.toBe(null)
      expect(cache.peek('hash')).toBe(undefined)
      expect(statements).toHaveLength(i)
    }
  })
})

describe('tokens that are new to the process', () => {
  test('one statement looks up 100 tokens that wait, so that a token with an owner does not wait for each unknown one', async () => {
    const { cache, statements } = await startCache(async (hash) => (hash === 'new' ? row('acme') : null))
    const names = Array.from({ length: 999 }, (_, at) => `unknown ${at}`)
    const unknown = names.map((name) => cache.load(name))
    expect(await cache.load('new')).toMatchObject({ orgId: 'acme' })
    expect(await Promise.all(unknown)).toEqual(unknown.map(() => null))
    expect(statements.map(({ length }) => length)).toEqual(Array.from({ length: 10 }, () => 100))
    expect(statements.flat()).toEqual([...names, 'new'])
  })

  test('all caches together look up new tokens with one statement at a time, and lookups of known tokens do not wait for it', async () => {
    const release = Promise.withResolvers<void>()
    const read = async (hash: string) => {
      if (hash !== 'known') await release.promise
      return row('acme')
    }
    const [one, other] = [await startCache(read), await startCache(read)]
    for (const { cache } of [one, other]) await cache.load('known')
    const fresh = [one, other, one].map(({ cache }, at) => cache.load(`new ${at}`))
    await expect.poll(() => one.statements, patience).toEqual([['known'], ['new 0', 'new 2']])
    for (const { cache } of [one, other]) expect(await cache.load('known')).toMatchObject({ orgId: 'acme' })
    expect(other.statements).toEqual([['known'], ['known']])
    release.resolve()
    expect(await Promise.all(fresh)).toMatchObject(fresh.map(() => ({ orgId: 'acme' })))
    expect(other.statements.at(-1)).toEqual(['new 1'])
  })
})
