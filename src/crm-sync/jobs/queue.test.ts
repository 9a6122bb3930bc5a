import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Person } from '../adapters/adapter.ts'
import { Queue } from './queue.ts'

const person = (key: number, email: string): Person => ({
  ...{ key: String(key), externalId: null, email, values: {} },
})
const likenesses = ({ email }: Person) => (email ? [email] : [])

describe('a queue of people whom duplicate rules may match', () => {
  test('gives everybody once, and never two people with one likeness at the same time', () => {
    const emails = fc.array(fc.constantFrom('', 'a', 'b', 'c', 'd'), { maxLength: 30 })
    const turns = fc.array(fc.nat({ max: 2 }), { maxLength: 100 })
    fc.assert(
      fc.property(emails, fc.integer({ min: 1, max: 4 }), turns, (given, batchSize, order) => {
        const people = given.map((email, key) => person(key, email))
        const queue = new Queue({ batchSize, likenesses }, people)
        const underWay: Person[][] = []
        const taken: Person[] = []
        const isEnded = () => {
          const batch = queue.take()
          if (batch) {
            expect(batch.length).toBeLessThanOrEqual(batchSize)
            underWay.push(batch)
            taken.push(...batch)
            const signs = underWay.flat().flatMap(likenesses)
            expect(new Set(signs).size).toBe(signs.length)
          }
          return batch === null && underWay.length === 0
        }
        for (const turn of order)
          if (turn === 0 && underWay.length > 0) queue.answered(underWay.shift()!)
          else isEnded()
        // A blocked person comes after the batch that blocks them.
        while (!isEnded()) if (underWay.length > 0) queue.answered(underWay.shift()!)
        expect(taken.map(({ key }) => key).sort()).toEqual(people.map(({ key }) => key).sort())
      }),
    )
  })

  test('gives batches in order if the CRM itself keeps people apart', () => {
    const people = [1, 2, 3].map((key) => person(key, 'same'))
    const queue = new Queue({ batchSize: 2 }, people)
    expect([queue.take(), queue.take(), queue.take()]).toEqual([people.slice(0, 2), people.slice(2), null])
  })
})
