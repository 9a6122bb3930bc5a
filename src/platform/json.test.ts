import { expect, test } from 'vitest'
import { Json } from './json.ts'

test('a long list stays in pieces as the member of an object', () => {
  const list = Json.list(Array.from({ length: 100 }, () => JSON.stringify('x'.repeat(10_000))))
  const object = new Json('{"a":1}').with('list', list)
  expect(object.pieces.length).toBe(list.pieces.length)
  expect(JSON.parse(object.text)).toEqual({ a: 1, list: JSON.parse(list.text) })
})
