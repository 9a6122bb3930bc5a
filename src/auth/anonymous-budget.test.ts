import { describe, expect, test } from 'vitest'
import { MemoryStore } from '../platform/rate-limit/memory-store.ts'
import { AnonymousBudget } from './anonymous-budget.ts'

function budget() {
  const now = { ms: 1_000 }
  const clock = { monotonicMs: () => now.ms, epochMs: () => 1_700_000_000_000 + now.ms }
  return { now, anonymous: new AnonymousBudget(new MemoryStore({ clock }), clock) }
}

const hashOf = (share: number) => `${String.fromCharCode(share)}rest of the hash`

describe('the budget of an address', () => {
  test('the budget of an address is 20 a second and 300 a minute', async () => {
    const { now, anonymous } = budget()
    let allowed = 0
    for (let ms = 0; ms < 60_000; ms += 10) {
      now.ms = 1_000 + ms
      if ((await anonymous.take('192.0.2.1')).allowed) allowed++
      if (ms === 990) expect(allowed).toBe(20)
    }
    expect(allowed).toBe(300)
    expect(await anonymous.take('192.0.2.1')).toMatchObject({
      allowed: false,
      remaining: 0,
      retryAfterSeconds: 1,
    })
    now.ms = 61_000
    expect((await anonymous.take('192.0.2.1')).allowed).toBe(true)
  })
})

describe('guesses', () => {
  test('guesses are allowed without a limit until the budget of their address is spent', () => {
    const { anonymous } = budget()
    for (let i = 0; i < 100; i++) expect(anonymous.mayGuess('192.0.2.1', hashOf(0))).toBe(true)
  })

  test('guesses are limited once the budget of their address is spent, and allowed again after a pause', () => {
    const { now, anonymous } = budget()
    for (let i = 0; i < 21; i++) anonymous.take('192.0.2.1')
    let guesses = 0
    for (let i = 0; i < 1000; i++) if (anonymous.mayGuess('192.0.2.1', hashOf(i % 256))) guesses++
    expect(guesses).toBe(16)
    expect(anonymous.mayGuess('192.0.2.2', hashOf(0))).toBe(true)
    now.ms += 1_000
    for (let i = 0; i < 100; i++) expect(anonymous.mayGuess('192.0.2.1', hashOf(0))).toBe(true)
  })

  test('repeated guesses of one key do not use up the budget for guesses of other keys', () => {
    const { anonymous } = budget()
    for (let i = 0; i < 21; i++) anonymous.take('192.0.2.1')
    for (let i = 0; i < 100; i++) anonymous.mayGuess('192.0.2.1', hashOf(3))
    expect(anonymous.mayGuess('192.0.2.1', hashOf(3))).toBe(false)
    expect(anonymous.mayGuess('192.0.2.1', hashOf(4))).toBe(true)
  })
})
