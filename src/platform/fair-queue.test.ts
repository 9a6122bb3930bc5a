import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FairQueue } from './fair-queue.ts'

const owners = fc.constantFrom('a', 'b', 'c', 'd')

test('each owner gets its items in their order', () => {
  fc.assert(
    fc.property(fc.array(owners, { maxLength: 40 }), (added) => {
      const queue = filled(added)
      const taken = [...drained(queue)]
      expect(taken.toSorted((one, other) => one - other)).toEqual(added.map((_, place) => place))
      for (const owner of new Set(added)) {
        const own = taken.filter((place) => added[place] === owner)
        expect(own).toEqual(own.toSorted((one, other) => one - other))
      }
    }),
  )
})

test('an owner is never served twice while another one waits', () => {
  fc.assert(
    fc.property(fc.array(owners, { maxLength: 40 }), (added) => {
      const queue = filled(added)
      let [last, couldServeAnother] = [undefined as string | undefined, false]
      for (;;) {
        const place = queue.take()
        if (place === undefined) break
        const owner = added[place] as string
        if (couldServeAnother) expect(owner).not.toBe(last)
        ;[last, couldServeAnother] = [owner, queue.size > queue.sizeOf(owner)]
      }
    }),
  )
})

test('the newest item of the largest owner can be removed', () => {
  const queue = filled(['a', 'b', 'b', 'a', 'b'])
  expect(queue.largest()).toBe('b')
  expect(queue.takeNewestOf('b')).toBe(4)
  expect([queue.size, queue.sizeOf('b')]).toEqual([4, 2])
  expect([...drained(queue)]).toEqual([0, 1, 3, 2])
  expect(queue.largest()).toBeUndefined()
  expect(queue.takeNewestOf('b')).toBeUndefined()
})

/** A queue whose items are the places of their owners in the list. */
function filled(added: readonly string[]): FairQueue<number> {
  const queue = new FairQueue<number>()
  for (const [place, owner] of added.entries()) queue.add(owner, place)
  return queue
}

function* drained(queue: FairQueue<number>): Generator<number> {
  for (let item = queue.take(); item !== undefined; item = queue.take()) yield item
}
