import type { EventEmitter } from 'node:events'
import { Client, Pool } from 'pg'
import { pino } from 'pino'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { testKey } from '../../../test/support/database.ts'
import { gate, insertMemo as insert, openMemos, backendPid as pid } from '../../../test/support/memos.ts'
import { patience } from '../../../test/support/patience.ts'
import { Connections } from './connections.ts'
import { Database } from './database.ts'
import { CommitUnknown, DatabaseUnavailable } from './errors.ts'
import { roleConfig } from './roles.ts'
import type { Statement } from './statement.ts'
import { system } from './system.ts'

const { url, owner, open, database, org, memos } = await openMemos()

describe('a connection that breaks', () => {
  const kill: Statement<never> = { text: 'select pg_terminate_backend(pg_backend_pid())', values: [] }

  test.each<[string, () => Promise<unknown>]>([
    [
      'in a transaction',
      () =>
        org.transact(async (tx) => {
          await tx.run(insert(1))
          await tx.run(kill)
        }),
    ],
    [
      'during statements that were sent together',
      () => org.transact((tx) => Promise.all([tx.run(insert(1)), tx.run(kill), tx.run(insert(2))])),
    ],
    [
      'between statements',
      () =>
        org.transact(async (tx) => {
          const mine = await tx.first(pid)
          await tx.run(insert(1))
          await owner.query('select pg_terminate_backend($1)', [mine!.pid])
          await expect.poll(() => backends(mine!.pid), patience).toBe(0)
          await tx.run(insert(2))
        }),
    ],
    [
      'with an error that the callback ignores',
      () =>
        org.transact(async (tx) => {
          await tx.run(insert(1))
          await tx.run(kill).catch(() => {})
        }),
    ],
    ['in a reading transaction', () => org.read((tx) => tx.rows(kill))],
    ['during a single read', () => org.readRows(kill)],
    [
      'in a transaction across orgs',
      () =>
        system(database).transact(async (tx) => {
          await tx.run(insert(1))
          await tx.run(kill)
        }),
    ],
  ])(
    'a connection that breaks %s throws DatabaseUnavailable, and no change is half done',
    async (_what, work) => {
      await expect(work()).rejects.toBeInstanceOf(DatabaseUnavailable)
      expect(await memos()).toEqual([])
      // The statement after the failure gets a working connection.
      await org.transact((tx) => tx.run(insert(3)))
      expect(await memos()).toEqual([3])
    },
  )

  test('a transaction whose connection breaks at COMMIT throws CommitUnknown', async () => {
    const run = org.transact((tx) => tx.run(insert(1, 'killed at commit')))
    await expect(run).rejects.toBeInstanceOf(CommitUnknown)
    await org.transact((tx) => tx.run(insert(3)))
  })

  const backends = async (id: number) =>
    (await owner.query('select count(*)::int from pg_stat_activity where pid = $1', [id])).rows[0].count
})

describe('a wait', () => {
  const hurried = open({ appConnections: 1, connectionWaitMs: 500, statementTimeoutMs: 500 })
  afterAll(() => hurried.close())
  /** On a busy machine, a new connection can take longer than the limit, so the test retries. */
  const isGood = () =>
    expect
      .poll(() => hurried.org(org.orgId).readRows({ text: 'select 1 as one', values: [] }), patience)
      .toEqual([{ one: 1 }])
  const sleep: Statement<never> = { text: 'select pg_sleep(20)', values: [] }

  test.each<[string, () => Promise<unknown>]>([
    ['a slow read', () => hurried.org(org.orgId).readRows(sleep)],
    ['a slow statement', () => hurried.org(org.orgId).transact((tx) => tx.run(sleep))],
  ])('a wait for %s has a time limit', async (_what, work) => {
    await expect(work()).rejects.toBeInstanceOf(DatabaseUnavailable)
    await isGood()
  })

  test('a wait for a connection has a time limit', async () => {
    const [taken, done] = [gate(), gate()]
    await isGood()
    const holder = hurried.org(org.orgId).transact(async () => {
      taken.open()
      await done.passed
    })
    await taken.passed
    await expect(hurried.org(org.orgId).readRows(pid)).rejects.toBeInstanceOf(DatabaseUnavailable)
    done.open()
    await holder
  })

  test('a wait for a database that does not respond has a time limit', async () => {
    await isGood()
    const { pid: frozen } = (await hurried.org(org.orgId).readRows(pid))[0]!
    process.kill(frozen, 'SIGSTOP')
    try {
      await expect(hurried.org(org.orgId).readRows(pid)).rejects.toBeInstanceOf(DatabaseUnavailable)
    } finally {
      process.kill(frozen, 'SIGCONT')
    }
    await isGood()
    expect((await hurried.org(org.orgId).readRows(pid))[0]!.pid).not.toBe(frozen)
  })

  test('only one statement waits for a server that does not respond, however many connections it has', async () => {
    const several = open({ appConnections: 4, statementTimeoutMs: 500 })
    onTestFinished(() => several.close())
    const { orgId } = org
    const [all, done] = [gate(), gate()]
    const opened: number[] = []
    const holders = Array.from({ length: 3 }, () =>
      several.org(orgId).transact(async (tx) => {
        opened.push((await tx.first(pid))!.pid)
        if (opened.length === 3) all.open()
        await done.passed
      }),
    )
    await all.passed
    done.open()
    await Promise.all(holders)
    for (const id of opened) process.kill(id, 'SIGSTOP')
    try {
      await expect(several.org(orgId).readRows(pid)).rejects.toBeInstanceOf(DatabaseUnavailable)
      expect(opened).not.toContain((await several.org(orgId).readRows(pid))[0]!.pid)
    } finally {
      for (const id of opened) process.kill(id, 'SIGCONT')
    }
  })
})

test('work takes a connection that becomes free before the one that it opens', async () => {
  const two = open({ appConnections: 2 })
  onTestFinished(() => two.close())
  const { orgId } = org
  const [taken, done, opening, opened] = [gate(), gate(), gate(), gate()]
  const holder = two.org(orgId).transact(async (tx) => {
    const mine = await tx.first(pid)
    taken.open()
    await done.passed
    return mine
  })
  await taken.passed
  const { connect } = Client.prototype
  const slowly = vi.spyOn(Client.prototype, 'connect').mockImplementationOnce(function (
    this: Client,
    answer,
  ) {
    opening.open()
    void opened.passed.then(() => connect.call(this, answer))
  })
  onTestFinished(() => slowly.mockRestore())
  const waiting = two.org(orgId).readRows(pid)
  await opening.passed
  done.open()
  expect(await waiting).toEqual([await holder])
  opened.open()
})

type Answer = (error: Error) => void

describe('when much work finds no free connection', () => {
  test('at most two connections open at once, and all work is done', async () => {
    const many = open({ appConnections: 8 })
    onTestFinished(() => many.close())
    const { connect } = Client.prototype
    const [opening, mostAtOnce] = [{ now: 0 }, { ever: 0 }]
    const counted = vi.spyOn(Client.prototype, 'connect').mockImplementation(function (this: Client, answer) {
      mostAtOnce.ever = Math.max(mostAtOnce.ever, ++opening.now)
      connect.call(this, (error: Error) => {
        opening.now--
        ;(answer as Answer)(error)
      })
    })
    onTestFinished(() => counted.mockRestore())
    const works = Array.from({ length: 40 }, () => many.org(org.orgId).readRows(pid))
    expect((await Promise.all(works)).flat()).toHaveLength(40)
    expect(mostAtOnce.ever).toBe(2)
  })

  test('all of it fails if no connection can be opened', async () => {
    const many = open({ appConnections: 8 })
    onTestFinished(() => many.close())
    const refused = vi.spyOn(Client.prototype, 'connect').mockImplementation((answer) => {
      ;(answer as Answer)(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))
    })
    onTestFinished(() => refused.mockRestore())
    const works = Array.from({ length: 40 }, () => many.org(org.orgId).readRows(pid))
    for (const { status, reason } of (await Promise.allSettled(works)) as PromiseRejectedResult[]) {
      expect(status).toBe('rejected')
      expect(reason).toBeInstanceOf(DatabaseUnavailable)
    }
  })
})

test('work that waits does not get a connection that PostgreSQL has ended', async () => {
  const pool = new Pool({ ...roleConfig(url, testKey, 'crosswalk_system'), max: 1 })
  onTestFinished(() => pool.end())
  const connections = new Connections(pool, 10_000)
  const ended = await connections.take()
  ended.on('error', () => {})
  const waiting = connections.take()
  const { connection } = ended as unknown as { connection: EventEmitter }
  connection.emit('error', new Error('terminating connection due to administrator command'))
  connections.giveBack(ended, true)
  const next = await waiting
  expect((await next.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  connections.giveBack(next, true)
})

test('connections that PostgreSQL ends while they close are not reported as broken', async () => {
  const lines: string[] = []
  const log = pino({}, { write: (line) => void lines.push(line) })
  const closed = new Database({ url, rootKey: testKey, roles: 'login', log })
  await closed.org(org.orgId).readRows(pid)
  const end = vi.spyOn(Client.prototype, 'end')
  onTestFinished(() => end.mockRestore())
  const closing = closed.close()
  expect(end.mock.contexts.length).toBeGreaterThan(0)
  for (const client of end.mock.contexts as Client[])
    client.emit('error', new Error('terminating connection due to administrator command'))
  await closing
  expect(lines).toEqual([])
})

test('many health checks query the database at most once a second', async () => {
  const asked = vi.spyOn(database, 'systemScope')
  onTestFinished(() => asked.mockRestore())
  const begun = performance.now()
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => database.answers(60_000)))
    expect(answers).toEqual(Array(50).fill(true))
  }
  expect(asked.mock.calls.length).toBeLessThanOrEqual(1 + (performance.now() - begun) / 1_000)
})
