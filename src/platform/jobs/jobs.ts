import type { Tx } from '../db/tx.ts'
import type { Engine } from './engine/engine.ts'
import { installationLane, type JobIdentity } from './identity.ts'

/** Enqueues background jobs in the transaction of the caller. A `Worker` runs them. */
export class Jobs {
  readonly #engine: Pick<Engine, 'send' | 'missingSerialKeys'>

  constructor(engine: Pick<Engine, 'send' | 'missingSerialKeys'>) {
    this.#engine = engine
  }

  /** Adds a job. It starts after `tx` has committed and `startAfter` has passed. If `tx` does not commit, there is no job. */
  async enqueue<Payload>(
    tx: Tx,
    identity: JobIdentity<Payload>,
    payload: Payload & object,
    { startAfter }: { startAfter?: Date } = {},
  ): Promise<void> {
    const checked = identity.payload.parse(payload) as Payload & object
    await this.#engine.send(tx, {
      name: identity.name,
      payload: checked,
      lane: identity.orgId(checked) ?? installationLane,
      serialKey: identity.serialKey?.(checked),
      startAfter,
    })
  }

  /**
   * Adds a job for each payload, unless a job of this name with the same serial key waits or runs.
   * @param tx a transaction of the system role, because requests may not read the queue
   */
  async enqueueMissing<Payload>(
    tx: Tx,
    identity: JobIdentity<Payload> & { serialKey(payload: Payload): string },
    payloads: readonly (Payload & object)[],
  ): Promise<void> {
    const wanted = payloads.map((payload) => ({
      lane: identity.orgId(payload) ?? installationLane,
      serialKey: identity.serialKey(payload),
    }))
    const missing = new Set(await this.#engine.missingSerialKeys(tx, identity.name, wanted))
    for (const payload of payloads)
      if (missing.has(identity.serialKey(payload))) await this.enqueue(tx, identity, payload)
  }
}
