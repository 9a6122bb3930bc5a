import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * These take longest in their suite. Vitest knows that only from an earlier run, which a clean checkout lacks: it then
 * runs small files last, and some of these are small.
 */
const longest = [
  ...['test/browser/pages.test.ts', 'test/browser/sizes.test.ts', 'test/faults/feed.test.ts'],
  ...['test/idempotency/idempotency.test.ts', 'test/tenancy/tenancy.test.ts'],
  ...['test/docs/samples.long.test.ts', 'test/docs/examples.long.test.ts'],
  ...['test/merging/properties.long.test.ts', 'test/mcp/conformance.long.test.ts'],
]

/**
 * In each project, the longest files run first, so that none runs alone at the end. Then those with `sharedTestApp`
 * run: the first file in a process that starts a server of its own stops the shared server.
 */
export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return [...new Set(sorted.map(({ project }) => project))].flatMap((project) => {
      const own = Object.groupBy(
        sorted.filter((file) => file.project === project),
        kindOf,
      )
      return [own.long, own.shared, own.other].flatMap((group) => group ?? [])
    })
  }
}

function kindOf({ moduleId }: TestSpecification): 'long' | 'shared' | 'other' {
  if (longest.some((path) => moduleId.endsWith(path))) return 'long'
  return readFileSync(moduleId, 'utf8').includes('sharedTestApp(') ? 'shared' : 'other'
}
