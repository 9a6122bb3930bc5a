import { expect, test } from 'vitest'
import { listed } from '../../console/src/parts/listed.ts'

test('in a line of values, one that contains a comma does not look like two', () =>
  expect(listed(['Gold', 'Silver, old', 'New'])).toBe('Gold, “Silver, old”, New'))
