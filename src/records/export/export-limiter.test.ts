import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ExportLimiter, RunningExport } from './export-limiter.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const full = expect.objectContaining({ code: 'export_limit_reached' })
const mebibyte = 1024 * 1024

async function begin() {
  const limiter = new ExportLimiter({ waitingMax: 2 })
  const exports = [1, 2, 3, 4].map(() => new RunningExport())
  await Promise.all(['a', 'b', 'c', 'd'].map((owner, at) => limiter.begin(owner, exports[at]!)))
  return { limiter, exports }
}

test('a process runs four exports at a time, at most one for each owner, and others wait in their order', async () => {
  const { limiter } = await begin()
  await expect(limiter.begin('a', new RunningExport())).rejects.toThrow(full)
  const begun: string[] = []
  for (const owner of ['e', 'f'])
    void limiter.begin(owner, new RunningExport()).then(() => {
      begun.push(owner)
    })
  await expect(limiter.begin('e', new RunningExport())).rejects.toThrow('runs or waits already')
  await expect(limiter.begin('g', new RunningExport())).rejects.toThrow(
    '4 exports run already in this process',
  )
  limiter.release('b')
  await vi.advanceTimersByTimeAsync(0)
  expect(begun).toEqual(['e'])
  limiter.release('c')
  await vi.advanceTimersByTimeAsync(0)
  expect(begun).toEqual(['e', 'f'])
})

test('an export that waits longer than 20 s is refused', async () => {
  const { limiter } = await begin()
  const waiting = limiter.begin('e', new RunningExport())
  const refused = expect(waiting).rejects.toThrow(full)
  await vi.advanceTimersByTimeAsync(20_000)
  await refused
})

test('the slowest reader is cut off after 10 s if another organization waits', async () => {
  const { limiter, exports } = await begin()
  for (const each of exports) each.sent()
  exports[1]!.read(mebibyte)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(exports.map(({ signal }) => signal.aborted)).toEqual([false, false, false, false])
  const waiting = limiter.begin('e', new RunningExport())
  await vi.advanceTimersByTimeAsync(1_000)
  expect(exports.filter(({ signal }) => signal.aborted)).toHaveLength(1)
  expect(exports[1]!.signal.aborted).toBe(false)
  // No other export is ended until this export's transaction has ended.
  await vi.advanceTimersByTimeAsync(5_000)
  expect(exports.filter(({ signal }) => signal.aborted)).toHaveLength(1)
  limiter.release('abcd'[exports.findIndex(({ signal }) => signal.aborted)]!)
  await waiting
})

test('a reader of 1 MiB a second is not cut off, and one of half a MiB a second is', async () => {
  const { limiter, exports } = await begin()
  void limiter.begin('e', new RunningExport()).catch(() => {})
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
  void limiter.begin('f', new RunningExport()).catch(() => {})
  await vi.advanceTimersByTimeAsync(2_000)
  expect([fast.signal.aborted, slow.signal.aborted]).toEqual([false, true])
})
