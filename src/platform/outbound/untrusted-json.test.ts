import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { parseShortJson, parseUntrustedJson } from './untrusted-json.ts'

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const read = (text: string) => parseUntrustedJson('org', Buffer.from(text))

describe('JSON of another server', () => {
  test('100 levels are read, and 101 are not: recursive code and PostgreSQL would fail at thousands', async () => {
    for (const parse of [read, parseShortJson]) {
      expect(await parse(nested(100))).toEqual(JSON.parse(nested(100)))
      expect(await parse(nested(101))).toBeUndefined()
      expect(await parse(nested(8_000))).toBeUndefined()
    }
  })

  test('half of an emoji is kept, and text that is not JSON is undefined', async () => {
    for (const parse of [read, parseShortJson]) {
      expect(await parse('{"a":"\\ud83d"}')).toEqual({ a: '\ud83d' })
      for (const text of ['', '{', '[1,]', 'no', '{"a":1}}']) expect(await parse(text)).toBeUndefined()
    }
  })

  test('an answer with too many objects and lists is undefined, also a short one', async () => {
    const lists = (count: number) => Buffer.from(`[${Array(count).fill('[]').join()}]`)
    const limits = { containersMax: 1_000 }
    for (const count of [500, 999])
      expect(await parseUntrustedJson('org', lists(count), limits)).toHaveLength(count)
    for (const count of [1_000, 100_000])
      expect(await parseUntrustedJson('org', lists(count), limits)).toBeUndefined()
  })

  test('a number with many digits is a double in a long answer too', async () => {
    const numbers = Array(2_000).fill('12345678901234567890')
    expect(await read(`{"a":[${numbers}]}`)).toEqual({ a: numbers.map(Number) })
  })

  test('50 long answers at once are parsed one after another, and keep no turn of the event loop', async () => {
    // Each look at the clock takes 0.2 ms, so a turn has the same length on every machine. Other files of this process
    // look, too. All first slices in one turn take 52 ms.
    let now = 0
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 0.2))
    onTestFinished(() => void vi.restoreAllMocks())
    const body = Buffer.from(
      `{"a":[${'[{}],'.repeat(2_000)}0],"b":[${'1234567890123456789,'.repeat(10_000)}0]}`,
    )
    let isDone = false
    const work = Promise.all(Array.from({ length: 50 }, () => parseUntrustedJson('org', body)))
    const done = work.finally(() => {
      isDone = true
    })
    const turns: number[] = []
    for (let began = 0; !isDone; began = now) {
      await new Promise((resolve) => setImmediate(resolve))
      turns.push(now - began)
    }
    await done
    expect(Math.max(...turns)).toBeLessThan(20)
  })

  test('a long text is not parsed in one step', () => {
    expect(parseShortJson(`"${'a'.repeat(16_000)}"`)).toHaveLength(16_000)
    expect(parseShortJson(`"${'a'.repeat(17_000)}"`)).toBeUndefined()
  })
})
