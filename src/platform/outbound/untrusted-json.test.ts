import { describe, expect, test } from 'vitest'
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

  test('a long text is not parsed in one step', () => {
    expect(parseShortJson(`"${'a'.repeat(16_000)}"`)).toHaveLength(16_000)
    expect(parseShortJson(`"${'a'.repeat(17_000)}"`)).toBeUndefined()
  })
})
