import { setTimeout as delay } from 'node:timers/promises'

/**
 * How many pieces of slow work may run beside other work: in total, and for one payer. Each may use a connection of the
 * database.
 */
const [besideMax, besideOfPayerMax] = [6, 2]

/** An organization, and the payer with which its work counts. */
export type Lane = { orgId: string; payer: string }

/** Runs work of organizations one after another. Slow work of one payer does not delay the work of others. */
export class SlowLanes {
  readonly #patienceMs: number
  readonly #running = new Map<string, { payer: string; ended: Promise<void> }>()

  /** @param patienceMs Work that takes longer, for example because it waits for a lock, continues beside the next work. */
  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs
  }

  /** The organizations whose work runs now. */
  get busy(): string[] {
    return [...this.#running.keys()]
  }

  /** The payers whose further work must wait. */
  get busyPayers(): string[] {
    const byPayer = Map.groupBy(this.#running.values(), ({ payer }) => payer)
    return [...byPayer].filter(([, { length }]) => length >= besideOfPayerMax).map(([payer]) => payer)
  }

  /** Runs work, which must not throw. Returns when it has ended, or when its patience is over and other work may begin. */
  async run({ orgId, payer }: Lane, work: () => Promise<void>): Promise<void> {
    const ended = work().finally(() => this.#running.delete(orgId))
    this.#running.set(orgId, { payer, ended })
    const patience = new AbortController()
    await Promise.race([ended, delay(this.#patienceMs, undefined, patience).catch(() => {})])
    patience.abort()
    while (this.#running.size >= besideMax)
      await Promise.race([...this.#running.values()].map((each) => each.ended))
  }

  /** Waits until all work has ended. */
  async end(): Promise<void> {
    await Promise.all([...this.#running.values()].map((each) => each.ended))
  }
}
