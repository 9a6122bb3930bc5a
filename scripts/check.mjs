// Checks format, lint and types while the tests of the project `together` run (vitest.config.ts). If the arguments name test
// files, only these run. The first failure ends the run.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const path = (relative) => fileURLToPath(new URL(`../${relative}`, import.meta.url))
const bin = (name) => fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url))
const files = process.argv.slice(2)
const build = [['console', [path('scripts/build-console.mjs')]]]
// Several checkers of types work on the same types again, and the tests use the other core.
const oneChecker = ['--checkers', '1']
// The compiler is a Go program that ends soon: collecting garbage would take a third of its time.
const withoutCollector = { GOGC: 'off', GOMEMLIMIT: '3GiB' }
const checks = [
  ['lint and format', [bin('biome'), 'check', '--error-on-warnings', '.']],
  ['types', [bin('tsc'), ...oneChecker]],
]
const checksOfConsole = [['types of the console', [bin('tsc'), '-p', path('console'), ...oneChecker]]]
const vitest = path('node_modules/vitest/vitest.mjs')
const tests = [['tests', [vitest, 'run', ...(files.length > 0 ? files : ['--project', 'together'])]]]

const running = new Set()
let isOver = false

/** Runs the steps one after another. The output of a hidden step is shown if it fails. */
async function run(steps, { isHidden }) {
  for (const [name, args] of steps) {
    if (isOver) return
    const child = spawn(bin('node'), args, {
      stdio: ['inherit', ...(isHidden ? ['pipe', 'pipe'] : [1, 2])],
      env: { ...process.env, ...withoutCollector },
    })
    running.add(child)
    const output = []
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => output.push(data))
    const [status] = await once(child, 'close')
    running.delete(child)
    if (status !== 0) await fail(name, status ?? 1, Buffer.concat(output))
  }
}

async function fail(name, status, output) {
  if (isOver) return
  isOver = true
  process.exitCode = status
  // Wait for the tests, which stop their PostgreSQL first.
  const ends = [...running].map((child) => once(child, 'close'))
  for (const child of running) child.kill('SIGINT')
  await Promise.all(ends)
  process.stderr.write(output)
  process.stderr.write(`\n${name} failed\n`)
}

// Build first: it installs the console's packages, and the tests serve its result.
const built = run(build, { isHidden: false })
await Promise.all([
  run(checks, { isHidden: true })
    .then(() => built)
    .then(() => run(checksOfConsole, { isHidden: true })),
  built.then(() => run(tests, { isHidden: false })),
])
