import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { filesBelow, importsOf } from '../../../test/support/imports.ts'

const sources = filesBelow('src').filter((path) => !path.endsWith('.test.ts'))
const asking = /^platform\/outbound\/(outbound|session|answers)\.ts$/

/** Files that parse what Crosswalk itself wrote: signed callbacks of the simulator, and stored positions. */
const ownTexts = ['voice/providers/simulator.ts', 'webhooks/delivery/log-queue.ts']

test('no feature parses an answer of another server itself: only untrusted-json.ts has limits, and works in slices', () => {
  const askers = sources.flatMap((path) => importsOf(path)).filter(({ to }) => asking.test(to))
  const folders = new Set(askers.map(({ from }) => dirname(from)).filter((folder) => folder !== '.'))
  expect(folders.size).toBeGreaterThan(5)
  const found = (paths: string[], pattern: RegExp) =>
    paths.filter((path) => pattern.test(readFileSync(join('src', path), 'utf8')))
  const near = sources.filter((path) => folders.has(dirname(path)))
  expect(found(near, /\bJSON\.parse\(|\.json\(\)/).sort()).toEqual(ownTexts)
  // A request that passes by platform/outbound would have no limits at all.
  expect(found(near, /(?<![.\w#])fetch\(/)).toEqual([])
})
