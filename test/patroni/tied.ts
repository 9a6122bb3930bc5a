import { closeSync, openSync, readFileSync } from 'node:fs'
import { startTiedProcess, type TiedProcess } from '../../src/platform/db/embedded/tied-process.ts'
import { isRoot, nobody } from '../../src/platform/db/embedded/user.ts'

/** The user to run as: PostgreSQL refuses to run as root. */
export const unprivileged = isRoot() ? nobody() : undefined

/** Python needs a UTF-8 locale, and a path for `env`. */
export const environment = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8' }

// The shell of a tied process ignores signals, and its children inherit that.
const answersSignals = '--default-signal=INT,TERM'

/** A program that ends with this process, and writes its output to `log`. */
export async function startProgram(
  command: string[],
  log: string,
  variables: Record<string, string> = {},
): Promise<TiedProcess> {
  const settings = Object.entries({ ...environment, ...variables }).map(([name, value]) => `${name}=${value}`)
  const output = openSync(log, 'a')
  try {
    return await startTiedProcess(
      ['/usr/bin/env', answersSignals, ...settings, ...command],
      unprivileged,
      output,
    )
  } finally {
    closeSync(output)
  }
}

export const endOf = (log: string): string => readFileSync(log, 'utf8').slice(-3_000)
