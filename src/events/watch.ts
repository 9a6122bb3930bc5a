import { onEventsCommitted } from './wake.ts'

/** Watches for commits of this process that wrote events of one organization. Call `stop` at the end. */
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

  /**
   * Waits for such a commit, for `ms` at most, or until `end` aborts. Returns at once if there was one since the last
   * call.
   */
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
