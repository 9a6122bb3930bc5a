/** An answer with what surrounds it. */
export type Answered<T> = {
  data: T
  response: Response
  requestId: string | null
  /** True if this is the stored answer of an earlier request with the same idempotency key. */
  replayed: boolean
}

/** The promise of an answer. `withResponse` gives the headers and the request id as well. */
export class AnswerPromise<T> extends Promise<T> {
  readonly #answered: Promise<Answered<T>>

  /** Promises that `then` makes are plain ones. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  constructor(answered: Promise<Answered<T>>) {
    // `then` asks `#answered`: a promise of its own would be an unhandled rejection beside `withResponse`.
    super((resolve) => resolve(undefined as T))
    this.#answered = answered
  }

  withResponse(): Promise<Answered<T>> {
    return this.#answered
  }

  // biome-ignore lint/suspicious/noThenProperty: this is a promise
  override then<A = T, B = never>(
    onDone?: ((value: T) => A | PromiseLike<A>) | null,
    onError?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#answered.then(({ data }) => data).then(onDone, onError)
  }
}
