import type { z } from 'zod'
import type { Cursors } from './cursor.ts'
import type { Pagination } from './endpoint.ts'
import { integer, refuse, text } from './fields.ts'
import { detailAt, ValidationError } from './validation.ts'

/** Only this many rows can be reached by page number. Later rows need the cursor, whose cost does not grow. */
const pageReachRows = 10_000

/** The query members of a list whose pages have at most `limitMax` items. */
export const listQueryUpTo = (limitMax: number) => ({
  limit: integer({ min: 1, max: limitMax })
    .default(25)
    .describe(
      'The maximum number of items in a page. A page may have fewer items, because it ends after 4 MiB.',
    ),
  cursor: text({ max: 1024 })
    .optional()
    .describe('The `next_cursor` of the previous page. Keep the filters the same.'),
  page: integer({ min: 1 })
    .optional()
    .describe(
      `The number of the page, from 1; use it instead of a cursor. It reaches only the first ${pageReachRows.toLocaleString('en')} items.`,
    ),
})

export const listQuery = listQueryUpTo(100)

/** A text to filter by. Empty text is refused, because it would match nothing or everything. */
export function filterText(max: number, trim: true | 'end' = true): z.ZodType<string | undefined> {
  return text({ min: 1, max, trim }).optional()
}

export type ListQuery = z.output<z.ZodObject<typeof listQuery>>

/** Whether a page begins after so many rows that reading and dropping them takes time. */
export const isDeepPage = ({ page = 1, limit }: Pick<ListQuery, 'page' | 'limit'>): boolean =>
  (page - 1) * limit > 1_000

/**
 * The start of a page: after an id, or after a number of rows. Read one row more than `limit` to see whether there is
 * a next page.
 */
export type Start = { limit: number; page: number; after: string | null; skip: number }

const cursorOrPage = refuse('send cursor or page, not both')

/**
 * Finds where the page for `query` starts.
 * @param list names the list and its filters
 * @param at the part of the request that contains `query`
 * @throws ValidationError at cursor or page
 */
export function startOf(
  cursors: Cursors,
  orgId: string,
  list: string,
  query: ListQuery,
  at: 'query' | 'body' = 'query',
): Start {
  const { limit } = query
  if (query.cursor !== undefined) {
    if (query.page !== undefined) throw new ValidationError([detailAt([at, 'page'], cursorOrPage)])
    const { after, page } = cursors.open(orgId, list, query.cursor, at)
    return { limit, page, after, skip: 0 }
  }
  const page = query.page ?? 1
  if (page * limit > pageReachRows) {
    const refusal = refuse(
      `page ${page} is beyond the first ${pageReachRows} items; use a cursor instead (next_cursor of the previous page)`,
    )
    throw new ValidationError([detailAt([at, 'page'], refusal)])
  }
  return { limit, page, after: null, skip: (page - 1) * limit }
}

/**
 * Refuses a page with too many bytes that was requested by number. It cannot be shortened: the next page number would
 * skip the rest.
 */
export const oversizedPage = (at: 'query' | 'body', page: number): ValidationError =>
  new ValidationError([
    detailAt(
      [at, 'page'],
      refuse(
        `the items of page ${page} have more than 4 MiB; send a smaller limit, or use a cursor (next_cursor of the previous page)`,
      ),
    ),
  ])

/**
 * The `pagination` of a page.
 * @param last the id of the page's last row
 * @param hasNext whether there is another row
 */
export function paginationOf(
  cursors: Cursors,
  orgId: string,
  list: string,
  start: Start,
  page: { last: string | null; hasNext: boolean; total: number },
): Pagination {
  return {
    has_next: page.hasNext,
    limit: start.limit,
    next_cursor:
      page.hasNext && page.last
        ? cursors.seal(orgId, list, { after: page.last, page: start.page + 1 })
        : null,
    page: start.page,
    total: page.total,
  }
}
