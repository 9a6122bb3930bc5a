import { onEventsCommitted } from './wake.ts'

/** Watches for commits of this process that write events of one organization. Call `stop` at the end. */
export class Watch {
  readonly stop: () => void
  #committed = false
  #wake = () => {}

  constructor(orgId: string) {
    this.stop = onEventsCommitted((committedOrgId) => {
      if (committedOrgId !== orgId) return
      this.#committed = true
      this.#wake()
    })
  }

  /** Waits for such a commit, at most `ms`, or until `end` aborts. A commit since the last call ends the wait at once. */
  next(ms: number, end: AbortSignal): Promise<void> {
    if (this.#committed || end.aborted) {
      this.#committed = false
      return Promise.resolve()
    }
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        end.removeEventListener('abort', wake)
        this.#wake = () => {}
        this.#committed = false
        resolve()
      }
      const timer = setTimeout(wake, ms)
      end.addEventListener('abort', wake)
      this.#wake = wake
    })
  }
}
