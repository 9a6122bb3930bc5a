import { Counts } from '../platform/counts.ts'
import { isStatementTimeout } from '../platform/db/errors.ts'
import { takeTurn } from '../platform/db/turns.ts'
import { invalid, tooMany } from '../platform/domain-error.ts'

/** The maximum number of lists that run or wait at once for one organization in one process. */
const concurrentMax = 2
const running = new Counts()

/**
 * Runs `work`, an expensive list, which keeps a core of PostgreSQL busy for up to 2.5 s at a million records.
 * @param owner `payerId` of the caller, whose limits the request uses
 * @throws DomainError too_many if two lists of the owner already run or wait; invalid if the list takes too long; OrgBusy
 */
export async function limitExpensiveLists<Result>(
  owner: string,
  work: () => Promise<Result>,
): Promise<Result> {
  if (running.of(owner) >= concurrentMax)
    throw tooMany(
      'expensive_query',
      `${concurrentMax} lists of this organization that read many records run already. Wait until one has ended, or send a filter that finds fewer records (docs/reference/api.md).`,
      { retryAfterSeconds: 1 },
    )
  running.add(owner, 1)
  try {
    return await takeTurn(owner, () => refuseTooSlow(work))
  } finally {
    running.add(owner, -1)
  }
}

/** Runs `work`, a list. @throws DomainError invalid if the database stops it because it takes too long */
export async function refuseTooSlow<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw isStatementTimeout(error) ? tooSlow() : error
  }
}

const tooSlow = () =>
  invalid(
    'query_too_slow',
    'The database stopped this list after 15 s. Send fewer conditions, or a filter or longer words that find fewer records (docs/reference/api.md).',
  )
