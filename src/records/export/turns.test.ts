import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ExportTurn, ExportTurns } from './turns.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const full = expect.objectContaining({ code: 'export_limit_reached' })
const mebibyte = 1024 * 1024

async function begin() {
  const turns = new ExportTurns({ waitingMax: 2 })
  const exports = [1, 2, 3, 4].map(() => new ExportTurn())
  await Promise.all(['a', 'b', 'c', 'd'].map((owner, at) => turns.begin(owner, exports[at]!)))
  return { turns, exports }
}

test('a process runs four exports at a time, at most one for each owner, and others wait in their order', async () => {
  const { turns } = await begin()
  await expect(turns.begin('a', new ExportTurn())).rejects.toThrow(full)
  const begun: string[] = []
  for (const owner of ['e', 'f'])
    void turns.begin(owner, new ExportTurn()).then(() => {
      begun.push(owner)
    })
  await expect(turns.begin('e', new ExportTurn())).rejects.toThrow('runs or waits already')
  await expect(turns.begin('g', new ExportTurn())).rejects.toThrow('4 exports run already in this process')
  turns.release('b')
  await vi.advanceTimersByTimeAsync(0)
  expect(begun).toEqual(['e'])
  turns.release('c')
  await vi.advanceTimersByTimeAsync(0)
  expect(begun).toEqual(['e', 'f'])
})

test('an export that waits longer than 20 s is refused', async () => {
  const { turns } = await begin()
  const waiting = turns.begin('e', new ExportTurn())
  const refused = expect(waiting).rejects.toThrow(full)
  await vi.advanceTimersByTimeAsync(20_000)
  await refused
})

test('the slowest reader loses its turn after 10 s if another organization waits', async () => {
  const { turns, exports } = await begin()
  for (const each of exports) each.sent()
  exports[1]!.read(mebibyte)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(exports.map(({ signal }) => signal.aborted)).toEqual([false, false, false, false])
  const waiting = turns.begin('e', new ExportTurn())
  await vi.advanceTimersByTimeAsync(1_000)
  expect(exports.filter(({ signal }) => signal.aborted)).toHaveLength(1)
  expect(exports[1]!.signal.aborted).toBe(false)
  // No other export is ended until this export's transaction has ended.
  await vi.advanceTimersByTimeAsync(5_000)
  expect(exports.filter(({ signal }) => signal.aborted)).toHaveLength(1)
  turns.release('abcd'[exports.findIndex(({ signal }) => signal.aborted)]!)
  await waiting
})

test('a reader of 1 MiB a second keeps its turn, and one of half a MiB a second loses it', async () => {
  const { turns, exports } = await begin()
  void turns.begin('e', new ExportTurn()).catch(() => {})
  const [fast, slow] = [exports[0]!, exports[1]!]
  for (let second = 0; second < 19; second++) {
    fast.sent()
    slow.sent()
    await vi.advanceTimersByTimeAsync(1_000)
    fast.read(mebibyte)
    slow.read(mebibyte / 2)
    expect(fast.signal.aborted).toBe(false)
  }
  expect(slow.signal.aborted).toBe(false)
  slow.sent()
  void turns.begin('f', new ExportTurn()).catch(() => {})
  await vi.advanceTimersByTimeAsync(2_000)
  expect([fast.signal.aborted, slow.signal.aborted]).toEqual([false, true])
})
