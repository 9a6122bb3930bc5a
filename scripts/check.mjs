// `npm test`: formatting and lint, types, then all tests except those of `npm run test:faults`. Test files
// that are given as arguments always run. Stops at the first step that fails.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const bin = (name) => fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url))
const node = bin('node')
const args = process.argv.slice(2)
const steps = [
  ['lint and format', node, [bin('biome'), 'check', '--error-on-warnings', '.']],
  ['types', node, [bin('tsc')]],
  [
    'tests',
    node,
    [
      fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url)),
      'run',
      ...(args.length > 0 ? args : ['--project', 'together']),
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
