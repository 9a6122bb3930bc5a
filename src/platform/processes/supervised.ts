import type { Log } from '../log.ts'
import { Channel, type Entry } from './channel.ts'

/** How long a request waits for the counters of the supervisor. */
const answerWithinMs = 1_000
const probeEveryMs = 250
/** The supervisor asks all processes for their metrics, and waits at most 2 s for each. */
const metricsWithinMs = 5_000

/** How many processes serve the API, and how many of them run now. */
export type Running = { wanted: number; running: number }

/** The connection of a process to the supervisor that started it. */
export class Supervised {
  readonly name: string
  readonly #channel: Channel
  readonly #log: Log
  #expose: () => Promise<string> = async () => ''
  #onAllRun: (processes: string) => void = () => {}
  #running: Running = { wanted: 0, running: 0 }
  #isAway = false
  #probes: NodeJS.Timeout | null = null

  /** @param name of this process, such as `api-1` */
  constructor(name: string, log: Log) {
    this.name = name
    this.#log = log
    this.#channel = new Channel(sendToSupervisor, {
      ping: () => true,
      running: (running: Running) => {
        this.#running = running
      },
      expose: () => this.#expose(),
      allRun: (processes: string) => this.#onAllRun(processes),
    })
    process.on('message', (entries: Entry[]) => this.#channel.receive(entries))
    // If the supervisor was killed, nothing reads the log. Writing its last lines at a normal exit would never end.
    process.prependOnceListener('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  }

  get running(): Running {
    return this.#running
  }

  /** Gives the supervisor the metrics of this process. */
  offerMetrics(expose: () => Promise<string>): void {
    this.#expose = expose
  }

  /** Calls `act` once, when all processes run. Its argument says how many there are. */
  onAllRun(act: (processes: string) => void): void {
    this.#onAllRun = act
  }

  /** Tells the supervisor that this process does its work. */
  noteReady(): void {
    this.#channel.tell('ready')
  }

  /** The metrics of all processes. */
  async metricsOfAll(): Promise<string> {
    return String(await this.#channel.ask(metricsWithinMs, 'metrics'))
  }

  /**
   * Asks a counter of the supervisor. After an answer that is late, the supervisor is not asked until it answers a
   * probe.
   * @throws Error if the supervisor does not answer within a second
   */
  readonly ask = async (name: string, args: readonly unknown[]): Promise<unknown> => {
    if (this.#isAway) throw new Error('the supervisor does not answer')
    try {
      return await this.#channel.ask(answerWithinMs, name, ...args)
    } catch (error) {
      this.#noteAway(error)
      throw error
    }
  }

  stop(): void {
    if (this.#probes) clearInterval(this.#probes)
  }

  #noteAway(error: unknown): void {
    if (this.#isAway) return
    this.#isAway = true
    this.#log.warn(
      { err: error },
      'The supervisor does not answer: until it does, each process counts limits separately',
    )
    this.#probes = setInterval(() => void this.#probe(), probeEveryMs).unref()
  }

  async #probe(): Promise<void> {
    const answers = await this.#channel.ask(answerWithinMs, 'ping').catch(() => false)
    if (!answers || !this.#isAway) return
    this.#isAway = false
    if (this.#probes) clearInterval(this.#probes)
    this.#log.info('The supervisor answers: limits count all processes')
  }
}

/** The callback gets the error if the supervisor has ended. Then this process ends, too. */
const sendToSupervisor = (entries: readonly Entry[]) => {
  process.send?.(entries, undefined, undefined, () => {})
}
