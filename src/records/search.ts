import { queryParts, searchWords } from '../normalize/words.ts'
import { FairLimiter } from '../platform/db/fair-limiter.ts'
import { takeTurn } from '../platform/db/turns.ts'
import type { RecordType, StoredColumns } from './record-type.ts'

/** Each lexeme starts with a part of the org id, so that the full-text index never mixes two orgs. */
const lexemePrefix = (orgId: string) => `${orgId.slice(-8)}:`

const quoted = (lexeme: string) => `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

/** The search text of a record as a `tsvector`. Each word begins with a prefix of its organization. */
export function searchVector(orgId: string, type: RecordType, state: StoredColumns): string {
  const prefix = lexemePrefix(orgId)
  return searchWords(type.searchable(state))
    .map((word) => quoted(prefix + word))
    .join(' ')
}

/** Finds records that match each part of `q`. null if `q` has no word. */
export function searchQuery(orgId: string, q: string): string | null {
  const prefix = lexemePrefix(orgId)
  const start = (word: string) => `${quoted(prefix + word)}:*`
  const parts = queryParts(q).map(({ words, whole }) => {
    const all = words.map(start).join(' & ')
    return whole === null ? all : `(${all} | ${start(whole)})`
  })
  return parts.length > 0 ? parts.join(' & ') : null
}

const searches = new FairLimiter({ max: 1, waitMs: 10_000, waitingMax: 32 })

/**
 * Each organization has one running search per process. A search for one letter in 60,000 contacts uses a core of
 * PostgreSQL for 0.1 s.
 * @param owner `payerId` of the caller, whose limits the request uses
 * @throws OrgBusy if too many searches of the owner wait, or one waits too long
 */
export function limitSearches<Result>(owner: string, search: () => Promise<Result>): Promise<Result> {
  return searches.run(owner, () => takeTurn(owner, search))
}
