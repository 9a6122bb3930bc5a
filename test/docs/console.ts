import { type ChildProcess, spawn } from 'node:child_process'
import { on } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { compiled } from '../support/run/compiled.ts'

export type ConsoleStep = { command: string; printed: string }

/** The steps of a console block: each line with `$` begins a command, and indented lines continue it. */
export function stepsOf(block: string): ConsoleStep[] {
  return block
    .split(/^\$ /m)
    .filter((step) => step.trim() !== '')
    .map((step) => {
      const end = /\n(?! )/.exec(step)
      const at = end ? end.index : step.length
      return { command: step.slice(0, at), printed: step.slice(at).trim() }
    })
}

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const shortened = '[0-9a-f]{8}-…(?:-[0-9a-f]+)?'

/**
 * Makes a pattern of a printed output. Spaces do not count. `…`, a time and a duration match any text. A printed id,
 * also a shortened one, matches any id, and each occurrence must match the same one. `names` lists the printed ids in
 * the order of the groups.
 */
function patternOf(printed: string): { pattern: RegExp; names: string[] } {
  const text = printed
    .replaceAll(/(?<=_at": ?)\d+/g, '…')
    .replaceAll(/\d+\.\d s\b/g, '…')
    .replaceAll(/\s+/g, '')
  const literal = (part: string) => part.split('…').map(RegExp.escape).join('.*?')
  const names: string[] = []
  let pattern = ''
  let from = 0
  for (const { 0: id, index } of text.matchAll(new RegExp(`${uuid}|${shortened}`, 'g'))) {
    const known = names.indexOf(id)
    pattern += literal(text.slice(from, index)) + (known < 0 ? `(${uuid})` : `\\${known + 1}`)
    if (known < 0) names.push(id)
    from = index + id.length
  }
  return { pattern: new RegExp(`^${pattern}${literal(text.slice(from))}$`, 's'), names }
}

/** Runs commands of the docs in a shell. Real ids replace the printed ones. */
export class DocsShell {
  readonly #shell: ChildProcess
  readonly #lines: AsyncIterator<string[]>
  readonly #ids = new Map<string, string>()

  constructor(folder: string, env: Record<string, string>) {
    this.#shell = spawn('bash', ['--norc'], {
      cwd: folder,
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: compiled, CONSOLE: '0', ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    this.#shell.stdout!.setEncoding('utf8')
    this.#lines = on(this.#shell.stdout!, 'data', { close: ['end'] })[Symbol.asyncIterator]()
  }

  /** The output of `command`. @throws Error if its status is not 0 */
  async run(command: string): Promise<string> {
    let own = command.replaceAll(/\bcurl /g, 'curl -sS ')
    for (const [printed, got] of this.#ids) own = own.replaceAll(printed, got)
    this.#shell.stdin!.write(`${own}\nprintf '\\n<end %s>' $?\n`)
    let shown = ''
    for (;;) {
      const end = /\n<end (\d+)>$/.exec(shown)
      if (end) {
        if (end[1] !== '0') throw new Error(`${own}\nended with ${end[1]}:\n${shown}`)
        return shown.slice(0, end.index).trim()
      }
      const { value, done } = await this.#lines.next()
      if (done) throw new Error(`The shell has ended:\n${shown}`)
      shown += value[0]
    }
  }

  accepts(shown: string, printed: string): boolean {
    const { pattern, names } = patternOf(printed)
    const match = pattern.exec(shown.replaceAll(/\s+/g, ''))
    if (match) for (const [index, name] of names.entries()) this.#ids.set(name, match[index + 1]!)
    return match !== null
  }

  /**
   * Runs a step. If it only reads, repeats it for up to a minute until its output is as printed.
   * @throws Error if the output differs
   */
  async take({ command, printed }: ConsoleStep): Promise<void> {
    const looks = /\bcurl /.test(command) && !/ (-X|-d) /.test(command)
    const deadline = Date.now() + 60_000
    for (;;) {
      const shown = await this.run(command)
      if (this.accepts(shown, printed)) return
      if (!looks || Date.now() > deadline) {
        throw new Error(`${command}\nshows\n${shown}\nand not, as the docs say,\n${printed}`)
      }
      // Pause, so that the commands stay within the rate limit.
      await pause(250)
    }
  }

  close(): void {
    this.#shell.stdin!.end()
  }
}
