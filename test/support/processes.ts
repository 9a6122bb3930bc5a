import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectRoot } from '../../src/platform/config.ts'
import { compiled } from './run/compiled.ts'

export type Environment = Record<string, string | undefined>

export type Ended = { code: number | null; stdout: string; stderr: string }

export class Child {
  readonly process: ChildProcess
  readonly ended: Promise<Ended>
  stdout = ''
  stderr = ''

  constructor(script: string, args: string[], env: Environment) {
    this.process = spawn(process.execPath, [join(projectRoot, script), ...args], {
      cwd: projectRoot,
      // CONSOLE=0 by default, because each server would build the console.
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: compiled, CONSOLE: '0', ...env },
    })
    this.process.stdout!.setEncoding('utf8').on('data', (text) => {
      this.stdout += text
    })
    this.process.stderr!.setEncoding('utf8').on('data', (text) => {
      this.stderr += text
    })
    // Ignore errors: a command may end before it has read its input.
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

  /**
   * Waits for output that matches.
   * @throws Error if the process ends before
   */
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
  // PostgreSQL's user must enter the folder, which also contains databases.
  chmodSync(playground, 0o711)
  return join(playground, name)
}

/** The path of a new DATA_DIR, which does not exist yet. */
export const newDataDir = () => inPlayground(`data-${++folders}`)

export const fileNamed = (name: string) => inPlayground(name)

export const startServer = (env: Environment) => new Child('src/main.ts', [], { PORT: '0', ...env })

export async function command(args: string, env: Environment, input = ''): Promise<Ended> {
  const child = new Child(
    'src/cli.ts',
    args.split(' ').filter((arg) => arg !== ''),
    env,
  )
  child.process.stdin!.end(input)
  return child.ended
}

/** Ends all child processes and deletes their files. Call it in `afterAll`. */
export async function cleanUp(): Promise<void> {
  for (const child of children) child.kill('SIGKILL')
  await Promise.all([...children].map(({ ended }) => ended))
  if (playground === null) return
  const left = playground
  playground = null
  rmSync(left, { recursive: true, force: true, maxRetries: 20 })
}
