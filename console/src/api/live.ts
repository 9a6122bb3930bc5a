const quickMs = 1_000
const calmMs = 5_000
const slowMs = 15_000

/**
 * When the data of a query began to change. Stored outside of the function, because a page makes new functions each
 * time it is rendered.
 */
const began = new WeakMap<object, number>()

/**
 * For `refetchInterval`: polls after 1 s while the data changes, after 5 s if it has changed for 30 s, and after 15 s
 * if it has changed for 5 minutes. React Query pauses while the page is hidden.
 * @param idleMs the interval while nothing changes; false: no polling
 */
export function liveInterval<Data>(isMoving: (data: Data) => boolean, idleMs: number | false = slowMs) {
  return (query: { state: { data: Data | undefined } }): number | false => {
    const { data } = query.state
    if (data === undefined || !isMoving(data)) {
      began.delete(query)
      return idleMs
    }
    const since = began.get(query) ?? Date.now()
    began.set(query, since)
    const age = Date.now() - since
    return age < 30_000 ? quickMs : age < 300_000 ? calmMs : slowMs
  }
}
