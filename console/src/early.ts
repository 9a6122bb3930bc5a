// The first script of a page of an organization. It asks for the session and, if the address is that of a list of people
// or companies, for its first records, while the browser loads the other scripts. It is a file of its own, so that
// it is here first (console/first-files.ts).
import { baseUrl } from './api/base-url.ts'
import type { Early } from './api/early.ts'
import { locale } from './parts/locale.ts'
import { keyOf, pageSize } from './records/early-list.ts'
import { queryOf } from './records/list-query.ts'
import { readListSearch } from './records/list-search.ts'
import { readSearch } from './routing/search-text.ts'

const { pathname, search: text } = window.location
const [, orgId = '', list] = /^\/console\/o\/([\w-]+)\/(people|companies)\/?$/.exec(pathname) ?? []
const credentials = 'same-origin'

/** The body of a successful answer; null: there is none. */
const bodyOf = (asked: Promise<Response>): Promise<unknown> =>
  asked.then((response) => (response.ok ? response.json() : null)).catch(() => null)

function askList(list: string): NonNullable<Early['list']> {
  const search = readSearch(text)
  const mode = search.mode === 'test' ? 'test' : 'live'
  const resource = list === 'people' ? 'contacts' : 'companies'
  const query = queryOf(readListSearch(search))
  const answer = bodyOf(
    fetch(`${baseUrl}/${resource}/search`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-org-id': orgId,
        'x-mode': mode,
        'x-compress': '1',
      },
      body: JSON.stringify({ ...query, limit: pageSize }),
      credentials,
    }),
  )
  const early = { asked: keyOf(orgId, mode, resource, query), answer, answered: undefined as unknown }
  void answer.then((body) => {
    early.answered = body
  })
  return early
}

// If the other scripts ran first, they ask the server (api/early.ts).
if (!window.early) {
  const session = bodyOf(fetch(`${baseUrl}/session`, { credentials })).then(
    (body) => (body as { data: unknown } | null)?.data ?? null,
  )
  window.early = { session, ...(list !== undefined && { list: askList(list) }) }
}

// The first formats of a browser take up to 0.2 s on a slow computer: now, the thread has nothing else to do.
setTimeout(() => {
  new Intl.NumberFormat(locale).format(1)
  new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' }).format(1, 'day')
})
