import type { Reporter, TestModule } from 'vitest/node'

export class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0, pending: 0 }
    for (const module of modules) {
      for (const test of module.children.allTests()) counts[test.result().state] += 1
      // A file that cannot be loaded has no failed tests, so count it separately.
      if (module.errors().length > 0) counts.failed += 1
    }
    const skipped = counts.skipped + counts.pending
    console.log(
      `${counts.passed} passed, ${counts.failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
    )
  }
}
