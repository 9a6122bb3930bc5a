/** A message has the entries of one turn of the event loop: one message for each request would cost more. */
export type Entry =
  | readonly ['ask', id: number, name: string, args: readonly unknown[]]
  | readonly ['answer', id: number, value: unknown]
  | readonly ['failed', id: number, reason: string]

/** The functions that the other end may call, by name. Arguments and results are JSON. */
export type Handlers = Readonly<Record<string, (...args: never[]) => unknown>>

type Asked = { resolve(value: unknown): void; reject(error: Error): void; timer: NodeJS.Timeout }

/** One end of a connection between two processes. Each end calls functions of the other end. */
export class Channel {
  readonly #send: (entries: readonly Entry[]) => void
  readonly #handlers: Handlers
  readonly #asked = new Map<number, Asked>()
  #outgoing: Entry[] = []
  #lastId = 0

  constructor(send: (entries: readonly Entry[]) => void, handlers: Handlers) {
    this.#send = send
    this.#handlers = handlers
  }

  /**
   * Calls a function of the other end.
   * @throws Error if there is no answer within `withinMs`, or the function fails
   */
  ask(withinMs: number, name: string, ...args: readonly unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId
      const timer = setTimeout(() => {
        // Timers run before the messages of this turn, so reject after those.
        setImmediate(() => {
          if (this.#asked.delete(id)) reject(new Error(`no answer within ${withinMs} ms`))
        })
      }, withinMs)
      this.#asked.set(id, { resolve, reject, timer })
      this.#queue(['ask', id, name, args])
    })
  }

  /** Calls a function of the other end, without waiting for it. */
  tell(name: string, ...args: readonly unknown[]): void {
    this.#queue(['ask', 0, name, args])
  }

  receive(entries: readonly Entry[]): void {
    for (const entry of entries) {
      if (entry[0] === 'ask') this.#answer(entry)
      else this.#settle(entry)
    }
  }

  #settle([kind, id, value]: Exclude<Entry, readonly ['ask', ...unknown[]]>): void {
    const asked = this.#asked.get(id)
    if (!asked) return
    this.#asked.delete(id)
    clearTimeout(asked.timer)
    if (kind === 'answer') asked.resolve(value)
    else asked.reject(new Error(value))
  }

  #answer([, id, name, args]: Extract<Entry, readonly ['ask', ...unknown[]]>): void {
    const fail = (error: unknown) => {
      if (id !== 0) this.#queue(['failed', id, error instanceof Error ? error.message : String(error)])
    }
    const done = (value: unknown) => {
      if (id !== 0) this.#queue(['answer', id, value])
    }
    try {
      const value = this.#handlers[name]?.(...(args as never[]))
      if (value instanceof Promise) value.then(done, fail)
      else done(value)
    } catch (error) {
      fail(error)
    }
  }

  #queue(entry: Entry): void {
    this.#outgoing.push(entry)
    if (this.#outgoing.length > 1) return
    setImmediate(() => {
      const entries = this.#outgoing
      this.#outgoing = []
      this.#send(entries)
    })
  }
}
