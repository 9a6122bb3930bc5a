import type { Org } from '../../platform/db/org.ts'
import type { RunningJob } from './life.ts'
import { type Settled, settleItems } from './settle.ts'

/** Stores outcomes while others are still to come: all that came meanwhile in one transaction, and one at a time. */
export class Ledger {
  readonly #org: Org
  readonly #job: RunningJob
  readonly #waiting: Settled[] = []
  #storing: Promise<void> | null = null
  #goesOn = true

  constructor(org: Org, job: RunningJob) {
    this.#org = org
    this.#job = job
  }

  /** False once the job was canceled, or something could not be stored. */
  get goesOn(): boolean {
    return this.#goesOn
  }

  add(settled: readonly Settled[]): void {
    this.#waiting.push(...settled)
    if (this.#storing) return
    this.#storing = this.#store()
    // Whoever waits for it hears of it.
    this.#storing.catch(() => {})
  }

  /** Returns once all that was added is stored. @throws what kept it from being stored */
  async stored(): Promise<void> {
    await this.#storing
  }

  async #store(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        const settled = this.#waiting.splice(0)
        const goesOn = await this.#org.transact((tx) => settleItems(tx, this.#job, settled))
        this.#goesOn &&= goesOn
      }
      this.#storing = null
    } catch (error) {
      this.#goesOn = false
      throw error
    }
  }
}
