/** The data of an answer, with its headers and request id. */
export type Answered<T> = {
  data: T
  response: Response
  requestId: string | null
  /** Whether this is the stored answer of an earlier request with the same idempotency key. */
  replayed: boolean
}

/** The data of an answer. `withResponse` adds its headers and request id. */
export class AnswerPromise<T> extends Promise<T> {
  readonly #answered: Promise<Answered<T>>

  /** `then` returns a plain Promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  constructor(answered: Promise<Answered<T>>) {
    // Pass undefined: `then` reads `#answered`. If a caller used only `withResponse`, a rejection of this promise
    // would be unhandled.
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
