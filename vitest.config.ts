import { defineConfig } from 'vitest/config'
import { ClosingLine } from './test/closing-line.ts'

// These leave a mark on the process that they run in: they make its clock jump, or change what it may do. All other
// files share processes, so that each loads the server but once: they put back what they change (timers, spies).
const alone = ['test/faults/**/*.test.ts', 'src/platform/db/embedded/**/*.test.ts']

const timeouts = { testTimeout: 30_000, hookTimeout: 60_000 }

export default defineConfig({
  test: {
    globalSetup: ['test/setup.ts'],
    // Each file has its own database. Two cores carry three files, of which one mostly waits for processes or timers.
    maxWorkers: 3,
    reporters: ['default', new ClosingLine()],
    projects: [
      { test: { ...timeouts, name: 'alone', include: alone } },
      {
        test: {
          ...timeouts,
          name: 'together',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: alone,
          isolate: false,
        },
      },
    ],
  },
})
