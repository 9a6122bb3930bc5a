import { expect, test } from 'vitest'
import { backendPid, insertMemo as insert, openMemos } from '../../../test/support/memos.ts'
import { joinTransactions } from './joint-transactions.ts'
import type { OrgTx } from './org-tx.ts'

const { org, memos } = await openMemos()
const pidOf = async (tx: OrgTx) => (await tx.first(backendPid))!.pid
const transactionId = async (tx: OrgTx) =>
  (await tx.first<{ id: string }>({ text: 'select pg_current_xact_id()::text as id', values: [] }))!.id

test('concurrent calls share one transaction, and each gets its own result', async () => {
  const joint = joinTransactions(org)
  const results = await Promise.all(
    [1, 2, 3].map((id) =>
      joint.transact(async (tx) => {
        await tx.run(insert(id))
        return { id, transaction: await transactionId(tx) }
      }),
    ),
  )
  expect(results.map(({ id }) => id)).toEqual([1, 2, 3])
  expect(new Set(results.map(({ transaction }) => transaction)).size).toBe(1)
  expect(await memos()).toEqual([1, 2, 3])
})

test('a call that fails does not affect the other calls of its transaction', async () => {
  const joint = joinTransactions(org)
  const works = [
    joint.transact(pidOf),
    joint.transact((tx) => tx.run(insert(1))),
    joint.transact((tx) => tx.run(insert(2, 'x', 'nine'))),
    joint.transact(async () => {
      throw new Error('not this one')
    }),
    joint.transact((tx) => tx.run(insert(3))),
  ]
  const settled = await Promise.allSettled(works)
  expect(settled.map(({ status }) => status)).toEqual([
    ...['fulfilled', 'fulfilled', 'rejected', 'rejected', 'fulfilled'],
  ])
  expect(settled[3]).toMatchObject({ reason: { message: 'not this one' } })
  expect(await memos()).toHaveLength(2)
})
