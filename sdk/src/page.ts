import { type Answered, AnswerPromise } from './answer.ts'
import { CrosswalkError } from './errors.ts'
import type { Pagination } from './generated/types.ts'

/** A part of a list. */
export type Page<T> = { data: T[]; pagination: Pagination }

/** Await it to get the first page, or iterate over all items. `pages()` iterates over pages. */
export class PagePromise<T> extends AnswerPromise<Page<T>> implements AsyncIterable<T> {
  readonly #next: (cursor: string) => Promise<Answered<Page<T>>>

  /** @param next requests the page after a cursor */
  constructor(first: Promise<Answered<Page<T>>>, next: (cursor: string) => Promise<Answered<Page<T>>>) {
    super(first)
    this.#next = next
  }

  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    let page: Page<T> = await this
    for (let cursor: unknown; ; ) {
      yield page
      const { has_next, next_cursor } = page.pagination
      if (!has_next || next_cursor === null) return
      // The loop would never end.
      if (typeof next_cursor !== 'string' || next_cursor === cursor)
        throw new CrosswalkError('The server sent no new cursor: check baseUrl.')
      cursor = next_cursor
      page = (await this.#next(next_cursor)).data
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { data } of this.pages()) yield* data
  }
}
