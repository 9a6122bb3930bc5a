import { defineConfig } from 'vitest/config'
import { ClosingLine } from './test/support/run/closing-line.ts'
import { compiled } from './test/support/run/compiled.ts'

// Read by the processes that files run in when they start.
process.env.NODE_COMPILE_CACHE ??= compiled

// `npm test` leaves these to `npm run test:faults`: kills, outages, embedded databases, races, long waits.
const faults = ['test/faults/**/*.test.ts']

// These change the process that they run in: its clock, or its rights. All other files share processes, so that each
// process loads the server once. They restore what they change (timers, spies).
const alone = ['test/faults/clock.test.ts', 'src/platform/db/embedded/**/*.test.ts']

const common = {
  // What takes seconds where nothing else runs takes ten times as long where much does. What must happen within a certain
  // time says so itself.
  testTimeout: 120_000,
  hookTimeout: 180_000,
  // Node loads TypeScript by itself, as it does for users: what Vite would make of it takes longer to load, and to run.
  experimental: { viteModuleRunner: false, nodeLoader: false },
}

export default defineConfig({
  test: {
    globalSetup: ['test/support/run/setup.ts'],
    // Each file has its own database. Two cores carry three files, of which one mostly waits for processes or timers.
    maxWorkers: 3,
    reporters: ['default', new ClosingLine()],
    projects: [
      { test: { ...common, name: 'alone', include: alone } },
      { test: { ...common, name: 'faults', include: faults, exclude: alone, isolate: false } },
      {
        test: {
          ...common,
          name: 'together',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: [...alone, ...faults],
          isolate: false,
        },
      },
    ],
  },
})
