// What `npm test` runs: formatting and lint, types, then every test. Stops at the first that fails.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const bin = (name) => fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url))
const node = bin('node')
const steps = [
  ['lint and format', node, [bin('biome'), 'check', '--error-on-warnings', '.']],
  ['types', node, [bin('tsc')]],
  [
    'tests',
    node,
    [
      fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url)),
      'run',
      ...process.argv.slice(2),
    ],
  ],
]

for (const [name, command, args] of steps) {
  const { status } = spawnSync(command, args, { stdio: 'inherit' })
  if (status !== 0) {
    process.stderr.write(`\n${name} failed\n`)
    process.exit(status ?? 1)
  }
}
