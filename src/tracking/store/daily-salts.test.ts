import { expect, test } from 'vitest'
import type { SystemScope } from '../../platform/db/system.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { DailySalts } from './daily-salts.ts'

/** A database with one secret, which can be unreachable. */
function fakeScope() {
  const state = { reads: 0, isAway: false }
  const tx = { run: async () => 1, first: async () => ({ salt: Buffer.from('secret') }) } as unknown as Tx
  const transact = async (work: (tx: Tx) => Promise<unknown>) => {
    state.reads += 1
    if (state.isAway) throw new Error('away')
    return work(tx)
  }
  return { state, scope: { transact } as unknown as SystemScope }
}

test('requests that need the secret of a new day together read it once', async () => {
  const { state, scope } = fakeScope()
  let now = 0
  const salts = new DailySalts(scope, () => now)
  await Promise.all([salts.today(), salts.today(), salts.today()])
  await salts.today()
  expect(state.reads).toBe(1)
  now = 86_400_000
  await Promise.all([salts.today(), salts.today()])
  expect(state.reads).toBe(2)
})

test('after the database was away, the next request reads the secret again', async () => {
  const { state, scope } = fakeScope()
  const salts = new DailySalts(scope)
  state.isAway = true
  const answers = await Promise.allSettled([salts.today(), salts.today()])
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  state.isAway = false
  expect((await salts.today()).toString()).toBe('secret')
})
