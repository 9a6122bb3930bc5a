import { queryWords, searchWords } from '../normalize/words.ts'
import { Turns } from '../platform/db/turns.ts'
import type { RecordType, StoredColumns } from './record-type.ts'

/** Prefixes every lexeme with a part of the org id, so that the full-text index never mixes the words of two orgs. */
const lexemePrefix = (orgId: string) => `${orgId.slice(-8)}:`

const quoted = (lexeme: string) => `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

/** The tsvector literal of a record's searchable text. */
export function searchVector(orgId: string, type: RecordType, state: StoredColumns): string {
  const prefix = lexemePrefix(orgId)
  return searchWords(type.searchable(state))
    .map((word) => quoted(prefix + word))
    .join(' ')
}

/** The tsquery for `q`. It finds records that have, for each word of `q`, a word that begins with it. null if `q` has no word. */
export function searchQuery(orgId: string, q: string): string | null {
  const prefix = lexemePrefix(orgId)
  const words = queryWords(q).map((word) => `${quoted(prefix + word)}:*`)
  return words.length > 0 ? words.join(' & ') : null
}

const searches = new Turns({ max: 1, waitMs: 10_000, waitingMax: 32 })

/**
 * Runs one search at a time for each organization in this process. A search for one letter in 60,000 contacts keeps a
 * core of PostgreSQL busy for 0.1 s. Several at once would leave no core to other organizations.
 * @param owner the organization that pays for the request
 * @throws OrgBusy if too many searches of the owner wait, or one waits too long
 */
export function inSearchTurn<Result>(owner: string, search: () => Promise<Result>): Promise<Result> {
  return searches.run(owner, search)
}
