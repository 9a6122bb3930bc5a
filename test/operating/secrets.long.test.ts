import { randomBytes, randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { Database } from '../../src/platform/db/database.ts'
import type { Org } from '../../src/platform/db/org.ts'
import { createLog, type Log } from '../../src/platform/log.ts'
import { OrgTokens } from '../../src/platform/org-tokens.ts'
import { Secrets } from '../../src/platform/secrets/secrets.ts'
import { prepareDatabase } from '../../src/prepare-database.ts'
import { cloneDatabase, runAsOwner, testKey } from '../support/database.ts'
import { cleanUp, command } from '../support/processes.ts'

afterAll(cleanUp)

const silent = createLog('silent')

/** Opens the secrets of a database with `rootKey`, and lets its roles keep their logins. */
function open(url: string, rootKey: Buffer, log: Log = silent) {
  const database = new Database({ url, rootKey: testKey, roles: 'login', log: silent, appConnections: 2 })
  onTestFinished(() => database.close())
  const secrets = new Secrets([rootKey], log)
  const read = (org: Org, name: string) => org.read((tx) => secrets.open(tx, org.orgId, name))
  const put = (org: Org, name: string, value: string) =>
    org.transact((tx) => secrets.put(tx, org.orgId, name, value))
  const forget = (org: Org, name: string) => org.transact((tx) => secrets.forget(tx, org.orgId, name))
  return { database, read, put, forget }
}

async function newDatabase(): Promise<string> {
  const { url, drop } = await cloneDatabase(inject('databaseUrl'))
  onTestFinished(drop)
  return url
}

describe('the store', () => {
  test('a secret can be stored, replaced and deleted, and the database contains no part of the secret in plain text', async () => {
    const url = await newDatabase()
    const { database, read, put, forget } = open(url, testKey)
    const [mine, theirs] = [database.org(randomUUID()), database.org(randomUUID())]
    expect(await read(mine, 'a')).toBeNull()
    await put(mine, 'a', 'first value')
    await put(mine, 'b', 'other value')
    await put(theirs, 'a', 'their value')
    await put(mine, 'a', 'second value')
    expect(await Promise.all([read(mine, 'a'), read(mine, 'b'), read(theirs, 'a')])).toEqual([
      ...['second value', 'other value', 'their value'],
    ])
    const rows = await runAsOwner<{ sealed: Buffer }>(url, 'select * from secret')
    for (const { sealed } of rows) expect(sealed.toString('latin1')).not.toContain('value')
    expect([await forget(mine, 'a'), await forget(mine, 'a')]).toEqual([true, false])
    expect([await read(mine, 'a'), await read(theirs, 'a')]).toEqual([null, 'their value'])
  })

  test('a secret that was copied to another org or name cannot be decrypted, and the log reports this without the secret', async () => {
    const url = await newDatabase()
    const lines: string[] = []
    const log = pino({}, { write: (line: string) => lines.push(line) })
    const { database, read, put } = open(url, testKey, log as Log)
    const [mine, theirs] = [database.org(randomUUID()), database.org(randomUUID())]
    await put(mine, 'a', 'my own value')
    const copy =
      'insert into secret (org_id, name, key_id, sealed) select $1, $2, key_id, sealed from secret limit 1'
    await runAsOwner(url, copy, [theirs.orgId, 'a'])
    await runAsOwner(url, copy, [mine.orgId, 'b'])
    expect([await read(theirs, 'a'), await read(mine, 'b')]).toEqual([null, null])
    expect(await read(mine, 'a')).toBe('my own value')
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { org_id: theirs.orgId, secret: 'a', reason: 'it was changed or copied' },
      { org_id: mine.orgId, secret: 'b' },
    ])
    expect(lines.join('')).not.toContain('my own')
  })
})

describe('changes of the encryption key', () => {
  const newKey = randomBytes(32)
  const base64 = (key: Buffer) => key.toString('base64')
  const migrate = (url: string, args: string, old: Record<string, string> = {}) =>
    command(`migrate ${args}`, { DATABASE_URL: url, ENCRYPTION_KEY: base64(newKey), ...old })

  test('a new encryption key decrypts every secret after a migration with the old key', async () => {
    const url = await newDatabase()
    const { database, read, put } = open(url, testKey)
    const org = database.org(randomUUID())
    await put(org, 'voice.twilio', 'sesame 1')
    await put(org, 'voice.vapi', 'sesame 2')
    const before = await runAsOwner(url, 'select * from secret order by name')

    const refused = await migrate(url, '--new-key')
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/voice\.twilio of 1 organization\n/),
    })
    expect(refused.stderr).toContain('OLD_ENCRYPTION_KEY')
    const wrong = prepareDatabase(url, newKey, silent, { oldKey: randomBytes(32), loseSecrets: false })
    await expect(wrong).rejects.toThrow('OLD_ENCRYPTION_KEY is not the key')
    expect(await runAsOwner(url, 'select * from secret order by name')).toEqual(before)
    expect(await read(org, 'voice.vapi')).toBe('sesame 2')

    const done = await migrate(url, '--new-key --json', { OLD_ENCRYPTION_KEY: base64(testKey) })
    expect(JSON.parse(done.stdout)).toEqual({ applied: [], secrets: { resealed: 2, lost: 0 } })
    const after = open(url, newKey)
    expect([await after.read(org, 'voice.twilio'), await after.read(org, 'voice.vapi')]).toEqual([
      ...['sesame 1', 'sesame 2'],
    ])
    expect(await read(org, 'voice.vapi')).toBeNull()
    expect(`${refused.stderr}${done.stdout}${done.stderr}`).not.toContain('sesame')
  })

  test('a change of the encryption key without the old key deletes undecryptable secrets if the operator confirms', async () => {
    const url = await newDatabase()
    const { database, put } = open(url, testKey)
    const org = database.org(randomUUID())
    await put(org, 'voice.twilio', 'sesame')
    const { secrets } = await prepareDatabase(url, newKey, silent, { oldKey: null, loseSecrets: true })
    expect(secrets).toEqual({ resealed: 0, lost: 1 })
    expect(await runAsOwner(url, 'select from secret')).toEqual([])
    expect(await open(url, newKey).read(org, 'voice.twilio')).toBeNull()
  })

  test('changing the encryption key any number of times does not change the callback addresses that other services use', async () => {
    const url = await newDatabase()
    const orgId = randomUUID()
    const change = async (rootKey: Buffer, oldKey: Buffer | null) =>
      new OrgTokens((await prepareDatabase(url, rootKey, silent, { oldKey, loseSecrets: false })).orgTokenKey)
    const start = async (rootKey: Buffer) =>
      new OrgTokens((await prepareDatabase(url, rootKey, silent)).orgTokenKey)
    const token = (await start(testKey)).make(orgId)
    const [second, third] = [randomBytes(32), randomBytes(32)]
    for (const tokens of [
      await change(second, testKey),
      await change(second, testKey),
      await start(second),
      await change(third, second),
      await start(third),
    ])
      expect([tokens.make(orgId), tokens.read(token)]).toEqual([token, orgId])
    const [kept] = await runAsOwner<{ org_token_key: Buffer }>(
      url,
      'select org_token_key from app.installation',
    )
    const { orgTokenKey } = await prepareDatabase(url, third, silent)
    expect(kept!.org_token_key.includes(orgTokenKey)).toBe(false)
    // The address depends on the old encryption key.
    expect((await change(newKey, null)).read(token)).toBeNull()
    expect((await start(newKey)).read(token)).toBeNull()
  })
})
