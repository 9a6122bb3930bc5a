import { Pool } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { testKey } from '../../../test/support/database.ts'
import { insertMemo as insert, openMemos } from '../../../test/support/memos.ts'
import { Connections } from './connections.ts'
import { roleConfig } from './roles.ts'
import { Scope } from './scope.ts'
import { type Statement, statementName } from './statement.ts'

const { url, owner, database, org, memos } = await openMemos()

describe('the binding of a transaction to its org', () => {
  const bound: Statement<{ org: string }> = {
    text: `select current_setting('app.org_id', true) as org`,
    values: [],
  }

  test('the binding of a transaction to its org applies to all its statements, and ends with the transaction', async () => {
    const ids = ['00000000-0000-7000-8000-00000000000a', '00000000-0000-7000-8000-00000000000b']
    for (const id of [...ids, ...ids]) {
      const other = database.org(id)
      expect(await other.readRows(bound)).toEqual([{ org: id }])
      const seen = await other.read((tx) => Promise.all([tx.first(bound), tx.first(bound)]))
      expect(seen).toEqual([{ org: id }, { org: id }])
      expect(await other.transact((tx) => tx.rows(bound))).toEqual([{ org: id }])
    }
  })

  test('the binding of a transaction to its org applies even if a connection cannot prepare all statements', async () => {
    const pids = new Set<number>()
    for (let n = 0; n < 700; n++) {
      const numbered: Statement<{ org: string; n: number; pid: number; prepared: number }> = {
        text: `
          select current_setting('app.org_id', true) as org, ${n} as n, pg_backend_pid() as pid,
            ${n % 50 === 0 ? '(select count(*) from pg_prepared_statements)' : '0'} as prepared`,
        values: [],
      }
      for (let use = 0; use < 2; use++) {
        const [row] = await org.readRows(numbered)
        expect([row!.org, row!.n, row!.prepared <= 500]).toEqual([org.orgId, n, true])
        pids.add(row!.pid)
      }
    }
    expect(pids.size).toBe(2)
  })

  test('the binding of a transaction to its org prevents statements outside a transaction if BEGIN fails', async () => {
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
    const connections = new Connections(pool, 5_000)
    const scope = (harmlessUnbound: boolean) => new Scope({ connections, binding, harmlessUnbound })
    const write = (harmlessUnbound: boolean) =>
      scope(harmlessUnbound).transact(async (tx) => {
        await tx.run(insert(1)).catch(() => {})
        await tx.run(insert(2))
      })
    await expect(write(false)).rejects.toThrow('syntax error')
    expect(await memos()).toEqual([])
    await expect(write(true)).rejects.toThrow('syntax error')
    expect(await memos()).toEqual([1])
  })
})

test('a statement is prepared from its second use on, however many other statements exist', () => {
  const named = (text: string) => statementName({ text, values: [] }, text)
  const hot = 'select hot'
  expect([named(hot), named(hot)]).toEqual([undefined, expect.any(String)])
  for (let n = 0; n < 5_000; n++) {
    expect([named(`select hot, ${n}`), named(`select hot, ${n}`)]).toEqual([undefined, expect.any(String)])
    expect(named(hot)).toEqual(named(hot))
  }
  expect([named('select late'), named('select late')]).toEqual([undefined, expect.any(String)])
  expect(named('select 0')).toBeUndefined()
  expect(statementName({ text: hot, values: [], once: true }, hot)).toBeUndefined()
  expect(statementName({ text: hot, values: [], name: 'own' }, hot)).toBe('own')
})

test('a prepared statement whose result a migration changed runs again on another connection', async () => {
  const all: Statement<object> = { text: 'select * from memo', values: [] }
  for (let use = 0; use < 4; use++) await org.readRows(all)
  await owner.query('alter table memo add column added text')
  expect(await org.readRows(all)).toEqual([])
  await owner.query('alter table memo drop column added')
  expect(await org.transact((tx) => tx.rows(all))).toEqual([])
})
