/** Remembers answers, so that each question is asked once. A question that failed is asked again. */
export class AskOnce<Key, Answer> {
  readonly #asked = new Map<Key, Promise<Answer>>()

  /** Returns the answer to a question. @param ask asks it, if nobody asked before */
  get(key: Key, ask: () => Promise<Answer>): Promise<Answer> {
    const known = this.#asked.get(key)
    if (known) return known
    const asked = ask()
    this.#asked.set(key, asked)
    asked.catch(() => this.#asked.delete(key))
    return asked
  }
}
