import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Reporter, TestModule, TestRunEndReason } from 'vitest/node'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const list = fileURLToPath(new URL('../../../node_modules/.cache/failed-tests', import.meta.url))

/**
 * Writes the paths of the files that failed, one per line, for `.ci/run`, which runs them once more. A run that was
 * ended before its time, or that failed outside of its files, leaves no list.
 */
export class FailedFiles implements Reporter {
  onTestRunStart(): void {
    rmSync(list, { force: true })
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[], reason: TestRunEndReason): void {
    const failed = modules.filter((module) => module.state() === 'failed')
    if (reason !== 'failed' || errors.length > 0 || failed.length === 0) return
    mkdirSync(dirname(list), { recursive: true })
    writeFileSync(list, failed.map((module) => `${relative(root, module.moduleId)}\n`).join(''))
  }
}
