import type { Tx } from '../db/tx.ts'
import type { Engine, NewJob } from './engine/engine.ts'
import { installationLane, type JobIdentity } from './identity.ts'
import { withTraceparent } from './traced-payload.ts'

/** Enqueues background jobs in the transaction of the caller. A `Worker` runs them. */
export class Jobs {
  readonly #engine: Pick<Engine, 'send' | 'missingSerialKeys'>

  constructor(engine: Pick<Engine, 'send' | 'missingSerialKeys'>) {
    this.#engine = engine
  }

  /** Adds a job, which starts after the commit of `tx` and after `startAfter`. */
  async enqueue<Payload>(
    tx: Tx,
    identity: JobIdentity<Payload>,
    payload: Payload & object,
    { startAfter }: { startAfter?: Date } = {},
  ): Promise<void> {
    await this.#engine.send(tx, identity.name, [newJob(identity, payload, startAfter)])
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
    const added = payloads.filter((payload) => missing.has(identity.serialKey(payload)))
    if (added.length > 0)
      await this.#engine.send(
        tx,
        identity.name,
        added.map((payload) => newJob(identity, payload)),
      )
  }
}

function newJob<Payload>(
  { payload: schema, orgId, serialKey }: JobIdentity<Payload>,
  payload: Payload & object,
  startAfter?: Date,
): NewJob {
  const checked = schema.parse(payload) as Payload & object
  return {
    payload: withTraceparent(checked),
    lane: orgId(checked) ?? installationLane,
    serialKey: serialKey?.(checked),
    startAfter,
  }
}
