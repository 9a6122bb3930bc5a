import type { Redis } from 'ioredis'
import type { Log } from '../log.ts'
import { type Ceilings, noCeilings } from './rate-limit.ts'
import { shownRedisAddress } from './redis-address.ts'
import { createRedisClient, type RingReply } from './redis-client.ts'

const defaultAnswerWithinMs = 50
const patienceMs = 2_000
const probeEveryMs = 250
const probeKey = 'crosswalk:limit:probe'

/**
 * The connection of one process to Redis. After one command that fails or is too slow, Redis counts as unreachable.
 * Then a probe runs the same script with a separate key until Redis answers in time.
 */
export class RedisLink {
  readonly #client: Redis
  readonly #log: Log
  readonly #answerWithinMs: number
  #state: 'starting' | 'up' | 'down' | 'closed' = 'starting'
  #fault: unknown = null
  #probing = false
  #probes: NodeJS.Timeout | null = null

  /**
   * Makes a link without connecting; see `start`.
   * @param address in the form that `readRedisAddress` reads
   * @param answerWithinMs the time limit of a command
   */
  static async create(address: string, log: Log, answerWithinMs = defaultAnswerWithinMs): Promise<RedisLink> {
    const client = await createRedisClient(address, patienceMs)
    return new RedisLink(client, log.child({ redis: shownRedisAddress(address) }), answerWithinMs)
  }

  private constructor(client: Redis, log: Log, answerWithinMs: number) {
    this.#client = client
    this.#log = log
    this.#answerWithinMs = answerWithinMs
    client.on('error', (error: Error & { command?: unknown }) => {
      // Delete the command: if the login is refused, the error contains the password.
      delete error.command
      this.#fault = error
    })
    client.on('close', () => this.#noteAway(this.#fault ?? new Error('the connection was closed')))
  }

  get isUp(): boolean {
    return this.#state === 'up'
  }

  /** The reason why Redis is unreachable; null while it answers. */
  get fault(): unknown {
    return this.#fault
  }

  /** Waits at most about 2 s for the connection. Later, it is retried. */
  async start(): Promise<void> {
    await rejectAfter(this.#client.connect(), patienceMs).catch((error) => {
      this.#fault ??= error
    })
    await this.#probe()
    if (!this.isUp) this.#noteAway(this.#fault)
  }

  /**
   * Runs take.lua.
   * @param nowUs microseconds of the caller's own clock; null for the clock of Redis
   * @throws the error that prevented an answer in time
   */
  async take(key: string, ceilings: Ceilings, nowUs: number | null): Promise<RingReply> {
    try {
      return await rejectAfter(this.#send(key, ceilings, nowUs), this.#answerWithinMs)
    } catch (error) {
      this.#noteAway(error)
      throw error
    }
  }

  /** Returns `Redis 7.0.15`, or `Valkey 8.1.3`. Valkey also reports itself as Redis 7.2.4. */
  async version(): Promise<string> {
    const info = await this.#client.info('server')
    const [, name = 'unknown', version = ''] =
      /^(valkey)_version:(\S+)/m.exec(info) ?? /^(redis)_version:(\S+)/m.exec(info) ?? []
    return `${name.charAt(0).toUpperCase()}${name.slice(1)} ${version}`
  }

  close(): void {
    this.#state = 'closed'
    if (this.#probes) clearInterval(this.#probes)
    this.#client.disconnect()
  }

  #send(key: string, { perSecond, perMinute }: Ceilings, nowUs: number | null): Promise<RingReply> {
    return this.#client.takeFromRing(key, perSecond ?? '', perMinute ?? '', nowUs ?? '')
  }

  #noteAway(error: unknown): void {
    this.#fault = error
    if (this.#state === 'down' || this.#state === 'closed') return
    this.#state = 'down'
    this.#log.warn(
      { err: error },
      'Redis is unavailable: until it returns, each process counts rate limits separately',
    )
    this.#probes = setInterval(() => this.#probe(), probeEveryMs).unref()
  }

  #noteBack(): void {
    if (this.#state === 'up' || this.#state === 'closed') return
    this.#state = 'up'
    this.#fault = null
    if (this.#probes) clearInterval(this.#probes)
    this.#log.info('Redis answers: rate limits are shared')
  }

  /** Runs one probe at a time: after a hang, the server would have to answer all of them. */
  async #probe(): Promise<void> {
    // A client that is not ready has already reported why.
    if (this.#probing || this.#client.status !== 'ready') return
    this.#probing = true
    const answer = this.#send(probeKey, noCeilings, null)
    await rejectAfter(answer, this.#answerWithinMs).then(
      () => this.#noteBack(),
      (error) => {
        this.#fault = error
      },
    )
    const done = () => {
      this.#probing = false
    }
    answer.then(done, done)
  }
}

/** Waits up to `ms` for `answer`. An answer that came while this process was busy is in time. */
function rejectAfter<T>(answer: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      // Timers run before the socket events of this turn, so reject after those.
      setImmediate(() => reject(new Error(`no answer within ${ms} ms`)))
    }, ms)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
