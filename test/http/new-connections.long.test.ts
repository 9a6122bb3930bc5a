import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { inSlices } from '../../src/platform/slices.ts'
import { startTestApp } from '../support/app.ts'
import { openConnection } from '../support/open-connection.ts'

// Only Linux answers at all addresses of 127.0.0.0/8.
test.runIf(process.platform === 'linux')(
  'an address that opens too many connections at once gets no more, and other addresses do',
  async () => {
    const lines: string[] = []
    const log = pino({}, { write: (line: string) => lines.push(line) })
    const app = await startTestApp({}, undefined, log)
    onTestFinished(() => app.close())
    onTestFinished(() => void vi.restoreAllMocks())
    // No time passes, in which the address would get more.
    vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    const flood = Array.from({ length: 1_100 }, () => openConnection(app.address, '127.0.0.5'))
    expect((await Promise.all(flood)).filter(Boolean)).toHaveLength(1_000)
    const others = Array.from({ length: 5 }, () => openConnection(app.address, '127.0.0.6'))
    expect(await Promise.all(others)).toEqual(others.map(() => true))
    expect(lines.some((line) => line.includes('opens too many connections in a second'))).toBe(true)
  },
)

test('clients that connect at once wait for few slices of long work', async () => {
  const clients = 200
  const app = await startTestApp()
  onTestFinished(() => app.close())
  let slices = 0
  let isDone = false
  function* working() {
    while (!isDone) {
      slices++
      const until = performance.now() + 4
      while (performance.now() < until);
      yield
    }
  }
  const work = inSlices('others', working())
  const answered = await Promise.all(Array.from({ length: clients }, () => openConnection(app.address)))
  isDone = true
  await work
  expect(answered.every(Boolean)).toBe(true)
  expect(slices).toBeLessThan(clients / 2)
})
