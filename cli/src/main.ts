#!/usr/bin/env node
import { version } from './generated/version.ts'

/** The first Ctrl-C stops the work of the command, and a second one ends the process. */
async function main(argv: string[]): Promise<void> {
  const { run } = await import('./run.ts')
  const { env, stdin, stdout, stderr } = process
  const stop = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.on(name, () => (stop.signal.aborted ? process.exit(130) : stop.abort()))
  stderr.on('error', () => process.exit(1))
  stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    // The reader of the pipe has ended, as in `crosswalk contacts list | head -1`.
    if (code === 'EPIPE') process.exit(0)
    stderr.write(`crosswalk: The result cannot be written: ${message}\n`, () => process.exit(1))
  })
  process.exitCode = await run(argv, { env, stdin, stdout, stderr, signal: stop.signal })
  // An open terminal would keep the process alive.
  stdin.unref?.()
}

const argv = process.argv.slice(2)
if (argv[0] === '--version' || argv[0] === '-V') process.stdout.write(`crosswalk ${version}\n`)
else await main(argv)
