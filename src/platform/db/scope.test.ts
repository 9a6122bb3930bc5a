import { describe, expect, onTestFinished, test } from 'vitest'
import { backendPid, gate, insertMemo as insert, openMemos } from '../../../test/support/memos.ts'
import { DatabaseUnavailable } from './errors.ts'
import type { Statement } from './statement.ts'
import type { Tx } from './tx.ts'

const { owner, open, org, memos } = await openMemos()
const pidOf = async () => (await org.readRows(backendPid))[0]!.pid
const circle: Record<string, unknown> = {}
circle.self = circle

/** Statements that pg or PostgreSQL refuses. */
const failing: [string, Statement<never>, RegExp][] = [
  ['a circular value', insert(9, 'x', circle), /circular/],
  ['a bigint within JSON', insert(9, 'x', { big: 1n }), /BigInt/],
  [
    'a value that throws',
    insert(9, 'x', {
      toJSON: () => {
        throw new Error('not this one')
      },
    }),
    /not this one/,
  ],
  [
    'more values than the protocol counts',
    { text: 'select 1', values: Array(65_536).fill(1) },
    /65535 values/,
  ],
  ['no text', { text: undefined as never, values: [] }, /text|input/],
  ['a name of another statement', { name: 'begin', text: 'select 2', values: [] }, /unique/],
  ['an unfinished statement', { text: 'insert into', values: [] }, /syntax error/],
  ['a violated key', insert(1), /duplicate key/],
  ['a value of another type', insert(9, 'x', 'nine'), /invalid input syntax/],
  ['a table without permission', { text: 'delete from schema_migration', values: [] }, /permission denied/],
]

describe.each(failing)('a statement that fails (%s)', (_what, bad, says) => {
  // A statement is prepared from its third use on.
  test.each([1, 2, 3])(
    'a failing statement commits nothing even if the caller ignores its error (use %i)',
    async () => {
      const run = org.transact(async (tx) => {
        await tx.run(insert(1))
        await tx.run(bad).catch(() => {})
        await tx.run(insert(2)).catch(() => {})
        return 'done'
      })
      await expect(run).rejects.toThrow(says)
      expect(await memos()).toEqual([])
    },
  )

  test('a failing statement rolls back the statements that were sent together with it', async () => {
    const run = org.transact((tx) => Promise.all([tx.run(insert(1)), tx.run(bad), tx.run(insert(2))]))
    await expect(run).rejects.toThrow(says)
    expect(await memos()).toEqual([])
  })

  test('the first failing statement determines the error of its transaction, even if a later statement reports an error first', async () => {
    const run = org.transact(async (tx) => {
      await tx.run(insert(1))
      const first = tx.run(bad).finally(() => Promise.resolve().then(() => {}))
      await Promise.all([first.then(() => {}).finally(() => {}), tx.run(insert(2))])
    })
    await expect(run).rejects.toThrow(says)
  })

  test('a failing statement leaves the connection usable', async () => {
    await org.transact((tx) => tx.run(insert(1)))
    const before = await pidOf()
    for (let use = 0; use < 3; use++) {
      await expect(org.transact((tx) => tx.run(bad))).rejects.toThrow(says)
      await expect(org.readRows(bad)).rejects.toThrow(says)
    }
    await org.transact((tx) => tx.run(insert(2)))
    expect(await memos()).toEqual([1, 2])
    expect(await pidOf()).toBe(before)
  })
})

describe('a transaction', () => {
  test('a transaction commits the statements of its callback, and commits nothing if the callback throws', async () => {
    expect(await org.transact((tx) => tx.run(insert(1)))).toBe(1)
    const thrown = new Error('changed my mind')
    const run = org.transact(async (tx) => {
      await tx.run(insert(2))
      throw thrown
    })
    await expect(run).rejects.toBe(thrown)
    expect(await memos()).toEqual([1])
  })

  test('a transaction runs its afterCommit callbacks after the commit, and never without a commit', async () => {
    const seen: Promise<number[]>[] = []
    await org.transact(async (tx) => {
      tx.afterCommit(() => seen.push(memos()))
      await tx.run(insert(1))
      expect(seen).toEqual([])
    })
    expect(await seen[0]).toEqual([1])
    const run = org.transact(async (tx) => {
      tx.afterCommit(() => seen.push(memos()))
      await tx.run(insert(1))
    })
    await expect(run).rejects.toThrow('duplicate key')
    expect(seen).toHaveLength(1)
  })

  test('a transaction includes transactions of the same org that its callback starts', async () => {
    const run = org.transact(async (tx) => {
      const within = org.within(tx)
      await within.transact((inner) => inner.run(insert(1)))
      expect(await within.readRows({ text: 'select id from memo', values: [] })).toEqual([{ id: 1 }])
      await within.read((inner) => inner.run(insert(1)))
    })
    await expect(run).rejects.toThrow('duplicate key')
    expect(await memos()).toEqual([])
  })

  test('a transaction throws the error of its callback instead of a statement’s error', async () => {
    const run = org.transact((tx) =>
      tx.run({ text: 'select 1 / 0', values: [] }).catch(() => {
        throw new Error('no number')
      }),
    )
    await expect(run).rejects.toThrow('no number')
  })

  test('a transaction fails if COMMIT finds a violated constraint', async () => {
    const run = org.transact((tx) => Promise.all([tx.run(insert(1, 'a', 7)), tx.run(insert(2, 'b', 7))]))
    await expect(run).rejects.toMatchObject({ code: '23505' })
    expect(await memos()).toEqual([])
  })

  test('a transaction fails if one of its own statements ends the transaction', async () => {
    const run = org.transact(async (tx) => {
      await tx.run(insert(1))
      await tx.run({ text: 'rollback', values: [] })
      await tx.run({ text: 'begin', values: [] })
      await tx.run({ text: 'select 1 / 0', values: [] }).catch(() => {})
    })
    await expect(run).rejects.toThrow('division by zero')
    expect(await memos()).toEqual([])
  })

  test.each([
    ['that succeed', insert(2)],
    ['that PostgreSQL refuses', insert(1)],
    ['that pg refuses', insert(2, 'x', circle)],
  ])(
    'a transaction commits nothing if its callback returns before its statements %s are done',
    async (_what, query) => {
      const run = org.transact(async (tx) => {
        await tx.run(insert(1))
        tx.run(query)
      })
      await expect(run).rejects.toThrow(/before its statements were done|duplicate key|circular/)
      expect(await memos()).toEqual([])
    },
  )

  test('a transaction rejects statements after its callback returned, and commits none of them', async () => {
    const late: Promise<unknown>[] = []
    const run = org.transact(async (tx) => {
      const twice = async () => {
        await tx.run(insert(1))
        await tx.run(insert(2))
      }
      late.push(twice().catch((error) => error.message))
    })
    await expect(run).rejects.toThrow()
    expect(await late[0]).toContain('has ended')
    let kept: Tx | undefined
    await org.transact(async (tx) => {
      kept = tx
    })
    await expect(kept!.run(insert(3))).rejects.toThrow('has ended')
    expect(await memos()).toEqual([])
  })

  test('a transaction leaves no rejection unhandled if its callback stops at the first error', async () => {
    const run = org.transact(async (tx) => {
      const [one, two, three] = [
        tx.run(insert(1, 'x', circle)),
        tx.rows(insert(1, 'x', 'y')),
        tx.first(insert(2)),
      ]
      await one
      await Promise.all([two, three])
    })
    await expect(run).rejects.toThrow('circular')
  })
})

describe('a deadlock', () => {
  test('a deadlock makes one of the two transactions run again from its start, and both commit', async () => {
    const two = open({ appConnections: 2 })
    onTestFinished(() => two.close())
    await owner.query(`insert into memo values (1, '-'), (2, '-')`)
    const [first, second] = [gate(), gate()]
    const runs = { one: 0, two: 0 }
    const append = (id: number, text: string): Statement<never> => ({
      text: 'update memo set text = text || $2 where id = $1',
      values: [id, text],
    })
    const cross = (name: 'one' | 'two', ids: number[], mine: typeof first, other: typeof first) =>
      two.org(org.orgId).transact(async (tx) => {
        runs[name]++
        await tx.run(append(ids[0]!, name))
        mine.open()
        await other.passed
        await tx.run(append(ids[1]!, name))
      })
    await Promise.all([cross('one', [1, 2], first, second), cross('two', [2, 1], second, first)])
    // The loser of a deadlock can run again before the other transaction continues, and lose again.
    expect(runs.one + runs.two).toBeGreaterThanOrEqual(3)
    const { rows } = await owner.query('select text from memo')
    for (const { text } of rows) expect(['-onetwo', '-twoone']).toContain(text)
  })

  test.each(['deadlock_detected', 'serialization_failure'])(
    'a deadlock that repeats (%s) ends as DatabaseUnavailable after four runs',
    async (state) => {
      let runs = 0
      const run = org.transact(async (tx) => {
        runs++
        await tx
          .run({ text: `do $$ begin raise exception 'lost' using errcode = '${state}'; end $$`, values: [] })
          .catch(() => {})
      })
      await expect(run).rejects.toBeInstanceOf(DatabaseUnavailable)
      expect(runs).toBe(4)
    },
  )
})
