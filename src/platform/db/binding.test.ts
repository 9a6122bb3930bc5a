import { Pool } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { testKey } from '../../../test/database.ts'
import { insertNote as insert, openNotes } from '../../../test/notes.ts'
import { roleConfig } from './roles.ts'
import { Scope } from './scope.ts'
import { type Query, statementName } from './statement.ts'

const { url, owner, database, org, notes } = await openNotes()

describe('what a transaction is bound by', () => {
  const bound: Query<{ org: string }> = {
    text: `select current_setting('app.org_id', true) as org`,
    values: [],
  }

  test('holds for each statement, however it is sent, and for none after it', async () => {
    const ids = ['00000000-0000-7000-8000-00000000000a', '00000000-0000-7000-8000-00000000000b']
    for (const id of [...ids, ...ids]) {
      const other = database.org(id)
      expect(await other.readRows(bound)).toEqual([{ org: id }])
      const seen = await other.read((tx) => Promise.all([tx.first(bound), tx.first(bound)]))
      expect(seen).toEqual([{ org: id }, { org: id }])
      expect(await other.transact((tx) => tx.rows(bound))).toEqual([{ org: id }])
    }
  })

  test('holds when there are too many texts to name each', async () => {
    const text = (n: number) => `select current_setting('app.org_id', true) as org, ${n} as n`
    for (let n = 0; n < 700; n++)
      for (let use = 0; use < 3; use++) statementName({ text: text(n), values: [] })
    expect(statementName({ text: text(0), values: [] })).toBeDefined()
    expect(statementName({ text: text(699), values: [] })).toBeUndefined()
    for (let use = 0; use < 3; use++) {
      expect(await org.readRows({ text: text(699), values: [] })).toEqual([{ org: org.orgId, n: 699 }])
      expect(await org.readRows({ text: `${text(699)} where $1`, values: [true] })).toHaveLength(1)
    }
  })

  test('guards against a BEGIN that fails: nothing runs outside of a transaction', async () => {
    const pool = new Pool({ ...roleConfig(url, testKey, 'crosswalk_system'), max: 1, pipeline: true })
    onTestFinished(() => pool.end())
    pool.on('connect', (client) => {
      const query = client.query.bind(client) as (...given: unknown[]) => unknown
      Object.assign(client, {
        query: (sent: { text: string }) =>
          query(sent.text === 'begin' ? Object.assign(sent, { text: 'begin nonsense' }) : sent),
      })
    })
    const binding = { name: 'binding', text: 'select where false and $1', values: [true] }
    const scope = (harmlessUnbound: boolean) =>
      new Scope({ pool, binding, prepared: new WeakSet(), harmlessUnbound })
    const write = (harmlessUnbound: boolean) =>
      scope(harmlessUnbound).transact(async (tx) => {
        await tx.run(insert(1)).catch(() => {})
        await tx.run(insert(2))
      })
    await expect(write(false)).rejects.toThrow('syntax error')
    expect(await notes()).toEqual([])
    // Sent with BEGIN, the first one runs by itself, and no other.
    await expect(write(true)).rejects.toThrow('syntax error')
    expect(await notes()).toEqual([1])
  })
})

test('a migration that changes what a prepared statement returns is met with another connection', async () => {
  const all: Query<object> = { text: 'select * from note', values: [] }
  for (let use = 0; use < 4; use++) await org.readRows(all)
  await owner.query('alter table note add column added text')
  expect(await org.readRows(all)).toEqual([])
  await owner.query('alter table note drop column added')
  expect(await org.transact((tx) => tx.rows(all))).toEqual([])
})
