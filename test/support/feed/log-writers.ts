import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { newId } from '../../../src/platform/db/new-id.ts'

const objectCount = 40

/**
 * Writers that insert events into an organization's log, each over its own connection. Transactions are slow, of
 * random length, and a tenth roll back. Each object has a lock, so that its versions increase in the order of
 * commits. 16 writers commit about 1,500 events a second: many more would keep the reader busy for minutes after a slow
 * start of its server.
 */
export class LogWriters {
  url: string
  readonly #orgId: string
  readonly #objects = Array.from({ length: objectCount }, newId)
  readonly #versions = new Map<string, number>()
  #running: Promise<unknown> = Promise.resolve()
  #stopping = false
  /** How many events PostgreSQL acknowledged as committed. */
  committed = 0

  constructor(url: string, orgId: string) {
    this.url = url
    this.#orgId = orgId
  }

  start(count: number): void {
    this.#stopping = false
    this.#running = Promise.all(Array.from({ length: count }, () => this.#work()))
  }

  async stop(): Promise<void> {
    this.#stopping = true
    await this.#running
  }

  async #work(): Promise<void> {
    while (!this.#stopping) {
      const client = new Client({ connectionString: this.url })
      client.on('error', () => {})
      try {
        await client.connect()
        while (!this.#stopping) await this.#transaction(client)
      } catch {
        // PostgreSQL was killed, or is starting.
        await delay(20)
      } finally {
        await client.end().catch(() => {})
      }
    }
  }

  async #transaction(client: Client): Promise<void> {
    const count = 1 + Math.floor(Math.random() * 20)
    await client.query('begin')
    await this.#insert(client, Array.from({ length: count }, newId), null)
    await delay(Math.random() * 200)
    const objectId = this.#objects[Math.floor(Math.random() * objectCount)]!
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [objectId])
    const version = (this.#versions.get(objectId) ?? 0) + 1
    this.#versions.set(objectId, version)
    await this.#insert(client, [objectId], version)
    if (Math.random() < 0.1) {
      await client.query('rollback')
      return
    }
    await client.query('commit')
    this.committed += count + 1
  }

  async #insert(client: Client, objectIds: string[], version: number | null): Promise<void> {
    await client.query(
      `insert into event (org_id, event_id, type, object_id, mode, data, created_at)
       select $1, e.event_id, 'contact.updated', e.object_id, 'live', jsonb_build_object('version', $4::int), now()
       from unnest($2::uuid[], $3::uuid[]) as e (event_id, object_id)`,
      [this.#orgId, objectIds.map(() => newId()), objectIds, version],
    )
  }
}
