import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { projectRoot } from '../platform/config.ts'
import type { Log } from '../platform/log.ts'
import { type Asset, readAssets } from './assets.ts'

/** The console of this process, or why there is none. */
export type BuiltConsole =
  | { state: 'ready'; page: string; assets: ReadonlyMap<string, Asset> }
  | { state: 'building' | 'off' }
  | { state: 'failed'; reason: string }

/** Builds the console in another process if its sources changed. Meanwhile, the API answers. */
export class ConsoleBuild {
  readonly #log: Log
  readonly #root: string
  #built: BuiltConsole
  #builder: ChildProcess | null = null
  #isStopped = false

  /**
   * @param isWanted false: this process serves no console
   * @param root the folder that has `scripts/` and `console/`
   */
  constructor(log: Log, isWanted: boolean, root: string = projectRoot) {
    this.#log = log
    this.#root = root
    this.#built = { state: isWanted ? 'building' : 'off' }
  }

  get current(): BuiltConsole {
    return this.#built
  }

  /** Resolves when the console is ready or cannot be built. The API does not wait for this. */
  async start(): Promise<void> {
    if (this.#built.state !== 'building') return
    const startedAt = performance.now()
    const failure = await this.#run()
    if (this.#isStopped) return
    const built = failure === null ? readAssets(join(this.#root, 'console/dist')) : null
    if (built) {
      this.#built = { state: 'ready', ...built }
      this.#log.debug({ seconds: Math.round((performance.now() - startedAt) / 1000) }, 'the console is ready')
      return
    }
    const reason = failure ?? 'console/dist is empty'
    this.#built = { state: 'failed', reason }
    this.#log.warn({ reason }, 'the console could not be built; the API works without it')
  }

  /**
   * Runs the build script. Returns the end of its output if it failed. The script ends when its standard input closes,
   * so that it also ends if this process is killed.
   */
  async #run(): Promise<string | null> {
    const script = join(this.#root, 'scripts/build-console.mjs')
    const builder = spawn(process.execPath, [script, '--until-input-ends'], {
      stdio: ['pipe', 'ignore', 'pipe'],
    })
    this.#builder = builder
    let printed = ''
    builder.stderr.on('data', (piece: Buffer) => {
      printed = (printed + piece).slice(-2_000)
    })
    const failed = once(builder, 'error').then(([error]) => String(error))
    const code = await Promise.race([once(builder, 'close').then(([code]) => code), failed])
    return code === 0 ? null : printed.trim() || `the build ended with ${code}`
  }

  /** Ends the build if it still runs. */
  async stop(): Promise<void> {
    this.#isStopped = true
    const builder = this.#builder
    if (!builder?.pid || builder.exitCode !== null || builder.signalCode !== null) return
    builder.kill()
    await once(builder, 'exit')
  }
}
