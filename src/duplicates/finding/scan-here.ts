import { RecordGroups } from './record-groups.ts'
import type { Finder, Found, Given } from './scan-worker.ts'

/** Does without a thread: for so few records that starting one would take longer. */
export class ScanHere implements Finder {
  readonly #groups: RecordGroups
  read = 0
  readonly share = 0

  constructor(given: Given) {
    this.#groups = new RecordGroups({ ...given, threads: 1 })
  }

  async add(page: string): Promise<void> {
    this.read += this.#groups.add(page)
  }

  finish(together: [string, string][]): Promise<Found> {
    return this.#groups.finish(together, () => {})
  }

  async close(): Promise<void> {}
}
