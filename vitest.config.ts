import { defineConfig } from 'vitest/config'
import { ClosingLine } from './test/closing-line.ts'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'],
    globalSetup: ['test/setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Each file has its own server and database: two cores carry two of them.
    maxWorkers: 2,
    reporters: ['default', new ClosingLine()],
  },
})
