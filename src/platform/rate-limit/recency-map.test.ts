import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RecencyMap } from './recency-map.ts'

test('a RecencyMap orders keys by their last use, like a model that uses an array', () => {
  const anyOperation = fc.oneof(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.constant('drop oldest'))
  fc.assert(
    fc.property(fc.array(anyOperation, { maxLength: 50 }), (operations) => {
      const map = new RecencyMap<string>()
      let model: string[] = []
      for (const operation of operations) {
        if (operation === 'drop oldest') {
          map.dropOldest()
          model.shift()
        } else {
          const held = model.includes(operation)
          expect(map.use(operation)).toBe(held ? `value of ${operation}` : undefined)
          if (!held) map.add(operation, `value of ${operation}`)
          model = [...model.filter((key) => key !== operation), operation]
        }
        expect(map.size).toBe(model.length)
        expect(map.oldest).toBe(model[0] === undefined ? undefined : `value of ${model[0]}`)
      }
      for (const key of model) {
        expect(map.oldest).toBe(`value of ${key}`)
        map.dropOldest()
      }
      expect(map.size).toBe(0)
    }),
  )
})
