import { defineConfig } from 'vitest/config'
import { patience } from './test/support/patience.ts'
import { ClosingLine } from './test/support/run/closing-line.ts'
import { compiled } from './test/support/run/compiled.ts'
import { FailedFiles } from './test/support/run/failed-files.ts'
import { FileOrder } from './test/support/run/file-order.ts'

// Read by the processes that files run in when they start.
process.env.NODE_COMPILE_CACHE ??= compiled

// `npm run test:faults` runs these: kills, outages, embedded databases, races, long waits.
const faults = ['test/faults/**/*.test.ts']

// `npm run test:browser` runs these: they need Chromium.
const inBrowser = ['test/browser/**/*.test.ts']

// `npm run test:failover` runs this one: it needs Patroni and etcd, and takes minutes.
const failover = ['test/patroni/**/*.test.ts']

// `npm run test:long` runs these: they try every endpoint, example or role, load a server, or need more than about 3 s
// of processor time.
const long = ['{src,test}/**/*.long.test.ts']

// These change the process that they run in: its clock, or its rights. All other files share processes, so that each
// process loads the server once. They restore what they change (timers, spies).
const alone = ['test/faults/*clock.test.ts', 'src/platform/db/embedded/**/*.test.ts']

const common = {
  // A test that takes seconds on an idle machine may take ten times as long on a busy one. A test of a time
  // limit sets its own limit.
  testTimeout: 120_000,
  hookTimeout: 180_000,
  expect: { poll: patience },
  // Node loads TypeScript by itself, as it does for users; code that Vite transforms loads and runs more
  // slowly.
  experimental: { viteModuleRunner: false, nodeLoader: false },
}

export default defineConfig({
  test: {
    globalSetup: ['test/support/run/setup.ts'],
    sequence: { sequencer: FileOrder },
    // Three files run at a time on two cores, because one of them usually waits for processes or timers.
    maxWorkers: 3,
    reporters: ['default', new ClosingLine(), new FailedFiles()],
    projects: [
      { test: { ...common, name: 'alone', include: alone } },
      {
        test: {
          ...common,
          name: 'faults',
          include: faults,
          exclude: alone,
          isolate: false,
        },
      },
      {
        test: {
          ...common,
          name: 'browser',
          include: inBrowser,
          isolate: false,
        },
      },
      { test: { ...common, name: 'failover', include: failover } },
      { test: { ...common, name: 'long', include: long, isolate: false } },
      {
        test: {
          ...common,
          name: 'together',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: [...alone, ...faults, ...inBrowser, ...failover, ...long],
          isolate: false,
        },
      },
    ],
  },
})
