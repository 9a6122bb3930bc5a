import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../log.ts'
import { Channel, type Entry, type Handlers } from './channel.ts'
import { joinMetrics } from './join-metrics.ts'
import { passLines } from './log-lines.ts'

const pingEveryMs = 5_000
/** A process is replaced after this many pings in a row without an answer. */
const pingsMissedMax = 6
const exposeWithinMs = 2_000
/** A process that lived shorter than this is replaced after a second, so that a failing start repeats slowly. */
const shortLifeMs = 10_000
const restartAfterMs = 1_000

const upMetric = 'crosswalk_process_up'
const restartsMetric = 'crosswalk_process_restarts_total'

/** What a process does, and the settings that only it gets. */
export type Part = { name: string; servesApi: boolean; env: Record<string, string> }

type Member = {
  part: Part
  worker: Worker
  channel: Channel
  isReady: boolean
  missed: number
  since: number
}

export type SupervisorOptions = {
  log: Log
  /** What processes may ask for. */
  handlers: Handlers
  writeLog: (line: string) => void
  /** Called if a process ends before it was ready for the first time. */
  onFailedStart: () => void
}

/**
 * Starts processes that share one port, and replaces each one that ends. This process accepts the connections, and
 * hands them to the processes in turn.
 */
export class Supervisor {
  readonly #log: Log
  readonly #options: SupervisorOptions
  readonly #members = new Map<string, Member>()
  readonly #pings: NodeJS.Timeout
  #parts: Part[] = []
  #restarts = 0
  #isStopping = false
  #hasStarted = false

  constructor(options: SupervisorOptions) {
    this.#options = options
    this.#log = options.log
    cluster.schedulingPolicy = cluster.SCHED_RR
    cluster.setupPrimary({ stdio: ['ignore', 'inherit', 'pipe', 'ipc'] })
    this.#pings = setInterval(() => this.#pingAll(), pingEveryMs).unref()
  }

  /** Starts processes, and waits until all are ready. */
  async start(parts: readonly Part[]): Promise<void> {
    this.#parts = [...this.#parts, ...parts]
    await Promise.all(parts.map((part) => this.#begin(part)))
  }

  /** Tells the processes that all were started. @param processes says how many there are */
  noteAllRun(processes: string): void {
    this.#hasStarted = true
    for (const { channel } of this.#members.values()) channel.tell('allRun', processes)
  }

  /** Sends `signal` to all processes, and waits until they have ended. */
  async stop(signal: NodeJS.Signals): Promise<void> {
    this.#isStopping = true
    clearInterval(this.#pings)
    const ends = [...this.#members.values()].map(async ({ worker }) => {
      worker.process.kill(signal)
      await once(worker.process, 'close')
    })
    await Promise.all(ends)
  }

  /** Resolves when the process is ready, even if another one had to be started in its place. */
  #begin(part: Part): Promise<void> {
    return new Promise((resolve) => {
      const worker = cluster.fork({ ...part.env, CROSSWALK_PROCESS: part.name })
      const member: Member = {
        ...{ part, worker, isReady: false, missed: 0, since: performance.now() },
        channel: new Channel((entries) => this.#sendTo(worker, entries), {
          ...this.#options.handlers,
          ping: () => true,
          ready: () => {
            member.isReady = true
            this.#announce()
            resolve()
          },
          metrics: () => this.#metricsOfAll(),
        }),
      }
      this.#members.set(part.name, member)
      if (worker.process.stderr) passLines(worker.process.stderr, this.#options.writeLog)
      worker.on('message', (entries: Entry[]) => member.channel.receive(entries))
      // After `close`, all lines of its log are read.
      worker.process.on('close', (code, signal) => {
        this.#members.delete(part.name)
        this.#announce()
        if (!this.#isStopping) void this.#replace(member, signal ?? `status ${code}`).then(resolve)
      })
    })
  }

  #sendTo(worker: Worker, entries: readonly Entry[]): void {
    // A process that was just killed counts as connected until the supervisor notices its end. The callback then gets the
    // error, and ignores it.
    if (worker.isConnected()) worker.send(entries as Entry[], () => {})
  }

  async #replace({ part, isReady, since, worker }: Member, how: string): Promise<void> {
    if (!isReady && !this.#hasStarted) {
      this.#log.error({ process: part.name }, `The process ${part.name} ended with ${how} during the start`)
      return this.#options.onFailedStart()
    }
    this.#restarts++
    this.#log.error(
      { process: part.name, pid: worker.process.pid },
      `The process ${part.name} ended with ${how}: another one is started`,
    )
    if (performance.now() - since < shortLifeMs) await delay(restartAfterMs)
    if (!this.#isStopping) await this.#begin(part)
  }

  /** Tells all processes how many serve the API. */
  #announce(): void {
    const serving = [...this.#members.values()].filter(({ part, isReady }) => part.servesApi && isReady)
    const wanted = this.#parts.filter(({ servesApi }) => servesApi).length
    for (const { channel } of this.#members.values())
      channel.tell('running', { wanted, running: serving.length })
  }

  #pingAll(): void {
    for (const member of this.#members.values()) {
      if (!member.isReady) continue
      if (member.missed >= pingsMissedMax) {
        this.#log.error({ process: member.part.name }, `The process ${member.part.name} hangs, and is killed`)
        member.worker.process.kill('SIGKILL')
        continue
      }
      // Counts pings, not time: after the machine was frozen, the process may answer first.
      member.missed++
      member.channel.ask(pingEveryMs * pingsMissedMax, 'ping').then(
        () => {
          member.missed = 0
        },
        () => {},
      )
    }
  }

  async #metricsOfAll(): Promise<string> {
    // Keep the names with the texts: a process may end, and another one may start, before all have answered.
    const texts = new Map(
      await Promise.all(
        [...this.#members.values()].map(async ({ part, channel }) => {
          const text = await channel.ask(exposeWithinMs, 'expose').then(String, () => '')
          return [part.name, text] as const
        }),
      ),
    )
    return joinMetrics([...texts.values(), this.#ownMetrics(texts)])
  }

  /** @param texts by the name of the process; empty: the process did not answer */
  #ownMetrics(texts: ReadonlyMap<string, string>): string {
    const ups = this.#parts.map(({ name }) => `${upMetric}{process="${name}"} ${texts.get(name) ? 1 : 0}`)
    return [
      `# HELP ${upMetric} 1 if the process answered this request for metrics, otherwise 0.`,
      `# TYPE ${upMetric} gauge`,
      ...ups,
      '',
      `# HELP ${restartsMetric} How often a process ended and was replaced.`,
      `# TYPE ${restartsMetric} counter`,
      `${restartsMetric} ${this.#restarts}`,
    ].join('\n')
  }
}
