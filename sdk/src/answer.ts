/** The data of an answer, with its headers and request id. */
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

  /** `then` returns a plain Promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  constructor(answered: Promise<Answered<T>>) {
    // The own value of this promise is never used: `then` reads `#answered`. If this promise could reject too, a caller
    // that uses only `withResponse` would get an unhandled rejection.
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
