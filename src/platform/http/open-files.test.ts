import { expect, test } from 'vitest'
import { connectionsWithin, openFilesMax } from './open-files.ts'

test.each([
  [null, 4_096],
  [65_536, 4_096],
  [4_224, 4_096],
  [1_024, 896],
  [256, 128],
  [100, 50],
])('a process that may open %j files has at most %i connections', (files, connections) => {
  expect(connectionsWithin(files)).toBe(connections)
})

test.runIf(process.platform === 'linux')('the system says how many files this process may open', () => {
  expect(openFilesMax()).toBeGreaterThan(64)
})
