import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectRoot } from '../../src/platform/config.ts'
import { compiled } from './run/compiled.ts'

export type Environment = Record<string, string | undefined>

export type Ended = { code: number | null; stdout: string; stderr: string }

/** A Crosswalk process, and its output so far. */
export class Child {
  readonly process: ChildProcess
  readonly ended: Promise<Ended>
  stdout = ''
  stderr = ''

  constructor(script: string, args: string[], env: Environment) {
    this.process = spawn(process.execPath, [join(projectRoot, script), ...args], {
      cwd: projectRoot,
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: compiled, ...env },
    })
    this.process.stdout!.setEncoding('utf8').on('data', (text) => {
      this.stdout += text
    })
    this.process.stderr!.setEncoding('utf8').on('data', (text) => {
      this.stderr += text
    })
    // A command may end without having read all of its input.
    this.process.stdin!.on('error', () => {})
    this.ended = once(this.process, 'close').then(([code]) => {
      children.delete(this)
      return { code, stdout: this.stdout, stderr: this.stderr }
    })
    children.add(this)
  }

  kill(signal: NodeJS.Signals): void {
    this.process.kill(signal)
  }

  /** Waits until the output matches `pattern`, and returns the match. @throws if the process ends before */
  async says(pattern: RegExp): Promise<string[]> {
    for (;;) {
      const found = pattern.exec(this.stdout) ?? pattern.exec(this.stderr)
      if (found) return [...found]
      if (!children.has(this)) throw new Error(`It never said ${pattern}:\n${this.stdout}\n${this.stderr}`)
      const { stdout, stderr } = this.process
      await Promise.race([once(stdout!, 'data'), once(stderr!, 'data'), this.ended])
    }
  }
}

const children = new Set<Child>()
let playground: string | null = null
let folders = 0

function inPlayground(name: string): string {
  playground ??= mkdtempSync(join(tmpdir(), 'crosswalk-test-'))
  // PostgreSQL's user may enter this folder, because the embedded databases are inside and are deleted with
  // it.
  chmodSync(playground, 0o711)
  return join(playground, name)
}

/** A DATA_DIR that does not exist yet. */
export const newDataDir = () => inPlayground(`data-${++folders}`)

/** A file of the tests. */
export const fileNamed = (name: string) => inPlayground(name)

/** Starts a server; `port` 0. */
export const startServer = (env: Environment) => new Child('src/main.ts', [], { PORT: '0', ...env })

/** Runs an operator's command to its end. */
export async function command(args: string, env: Environment, input = ''): Promise<Ended> {
  const child = new Child(
    'src/cli.ts',
    args.split(' ').filter((arg) => arg !== ''),
    env,
  )
  child.process.stdin!.end(input)
  return child.ended
}

/** Ends every process that is left, and removes all files. For `afterAll`. */
export async function cleanUp(): Promise<void> {
  for (const child of children) child.kill('SIGKILL')
  await Promise.all([...children].map(({ ended }) => ended))
  if (playground === null) return
  const left = playground
  playground = null
  rmSync(left, { recursive: true, force: true, maxRetries: 20 })
}
