import { Readable } from 'node:stream'
import { setImmediate as nextIteration } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { JoinedPieces } from './joined-pieces.ts'

test('small and large pieces in any iterations arrive in their order, and the end after them', async () => {
  const piece = fc.record({ bytes: fc.integer({ min: 1, max: 3_000 }), isNext: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
      const stream = new Readable({ read() {} })
      const joined = new JoinedPieces(stream.push.bind(stream))
      const sent = pieces.map(({ bytes }, at) => Buffer.alloc(bytes, at))
      for (const [at, each] of sent.entries()) {
        if (pieces[at]?.isNext) await nextIteration()
        joined.push(each)
      }
      joined.push(null)
      expect(Buffer.concat(await stream.toArray())).toEqual(Buffer.concat(sent))
    }),
  )
})

test('a stream that nobody reads asks for no more, and gets 1,000 small pieces as a few larger ones', async () => {
  const got: (Buffer | null)[] = []
  const joined = new JoinedPieces((piece) => got.push(piece) < 0)
  const wanted = Array.from({ length: 1_000 }, () => joined.push(Buffer.alloc(10)))
  expect(wanted).toContain(false)
  await nextIteration()
  expect(got.length).toBeLessThan(10)
  expect(Buffer.concat(got as Buffer[])).toHaveLength(10_000)
  expect(joined.push(Buffer.alloc(10))).toBe(false)
})
