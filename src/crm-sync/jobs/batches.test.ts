import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CrmPerson } from '../adapters/adapter.ts'
import { Batches } from './batches.ts'

const person = (key: number, email: string): CrmPerson => ({
  ...{ key: String(key), externalId: null, email, values: {} },
})
const duplicateKeys = ({ email }: CrmPerson) => (email ? [email] : [])

describe('batches of people whom duplicate rules may match', () => {
  test('batches contain each person once, and people with the same duplicate key are never sent at the same time', () => {
    const emails = fc.array(fc.constantFrom('', 'a', 'b', 'c', 'd'), { maxLength: 30 })
    const turns = fc.array(fc.nat({ max: 2 }), { maxLength: 100 })
    fc.assert(
      fc.property(emails, fc.integer({ min: 1, max: 4 }), turns, (given, batchSize, order) => {
        const people = given.map((email, key) => person(key, email))
        const batches = new Batches({ batchSize, duplicateKeys }, people)
        const underWay: CrmPerson[][] = []
        const taken: CrmPerson[] = []
        const isEnded = () => {
          const batch = batches.take()
          if (batch) {
            expect(batch.length).toBeLessThanOrEqual(batchSize)
            underWay.push(batch)
            taken.push(...batch)
            const signs = underWay.flat().flatMap(duplicateKeys)
            expect(new Set(signs).size).toBe(signs.length)
          }
          return batch === null && underWay.length === 0
        }
        for (const turn of order)
          if (turn === 0 && underWay.length > 0) batches.answered(underWay.shift()!)
          else isEnded()
        // A person who waits for a running batch is sent after the answer for that batch.
        while (!isEnded()) if (underWay.length > 0) batches.answered(underWay.shift()!)
        expect(taken.map(({ key }) => key).sort()).toEqual(people.map(({ key }) => key).sort())
      }),
    )
  })

  test('batches keep the order of people for a CRM without duplicate rules', () => {
    const people = [1, 2, 3].map((key) => person(key, 'same'))
    const batches = new Batches({ batchSize: 2, duplicateKeys: () => [] }, people)
    expect([batches.take(), batches.take(), batches.take()]).toEqual([
      people.slice(0, 2),
      people.slice(2),
      null,
    ])
  })
})
