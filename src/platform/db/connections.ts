import type { Pool, PoolClient } from 'pg'
import { isOpen } from './silence.ts'

type Waiting = PromiseWithResolvers<PoolClient>

/**
 * The connections that open at once. Each costs PostgreSQL 50 to 90 ms of a processor until its first statements are
 * planned. If a crowd opened 13 of them at once, all work would wait for a second, although the open connections become
 * free every few milliseconds.
 */
const openingMax = 2

/**
 * Hands out the connections of a pool. Work that finds none free opens one, if there is room, and takes the first one
 * that becomes free. (pg's pool makes work wait for the connection that it opens: up to half a second on busy cores,
 * even if other connections become free.)
 */
export class Connections {
  readonly #pool: Pool
  readonly #waitMs: number
  readonly #waiting = new Set<Waiting>()
  #opening = 0

  /** @param waitMs the time that work waits for a connection */
  constructor(pool: Pool, waitMs: number) {
    this.#pool = pool
    this.#waitMs = waitMs
  }

  /** The numbers of open connections, of idle connections, and of work that waits for a connection. */
  get counts(): { open: number; idle: number; waiting: number } {
    const { totalCount: open, idleCount: idle, waitingCount } = this.#pool
    return { open, idle, waiting: waitingCount + this.#waiting.size }
  }

  /**
   * Returns a connection, which must be given back.
   * @throws the error of pg if none could be opened, or none became free in time
   */
  take(): Promise<PoolClient> {
    const { idleCount, waitingCount } = this.#pool
    if (idleCount > waitingCount) return this.#pool.connect()
    const waiting = Promise.withResolvers<PoolClient>()
    this.#waiting.add(waiting)
    const late = setTimeout(() => this.#refuse(waiting, tooLate()), this.#waitMs)
    this.#openFor(waiting)
    return waiting.promise.finally(() => clearTimeout(late))
  }

  /** @param isUsable false: the connection is closed */
  giveBack(client: PoolClient, isUsable: boolean): void {
    if (isUsable && isOpen(client)) return void this.#offer(client)
    client.release(true)
    this.#openForFirst()
  }

  /** Closes all connections when they are given back. */
  end(): Promise<void> {
    return this.#pool.end()
  }

  #openFor(waiting: Waiting): void {
    const { totalCount, options } = this.#pool
    if (totalCount >= options.max || this.#opening >= openingMax) return
    this.#opening++
    this.#pool
      .connect()
      .finally(() => this.#opening--)
      .then(
        (client) => this.#offer(client),
        (error) => this.#refuse(waiting, error),
      )
      .finally(() => this.#openForFirst())
  }

  /**
   * Opens a connection for the first work that waits. That work opened none itself if there was no room, or if other
   * connections were being opened.
   */
  #openForFirst(): void {
    const [first] = this.#waiting
    if (first) this.#openFor(first)
  }

  #offer(client: PoolClient): void {
    const [first] = this.#waiting
    if (first) {
      this.#waiting.delete(first)
      first.resolve(client)
    } else client.release()
  }

  #refuse(waiting: Waiting, error: Error): void {
    this.#waiting.delete(waiting)
    waiting.reject(error)
  }
}

/** The error of pg's pool, which `isConnectionTimeout` recognizes. */
const tooLate = () => new Error('timeout exceeded when trying to connect')
