import { isStatementTimeout } from '../../platform/db/errors.ts'
import { FairLimiter } from '../../platform/db/fair-limiter.ts'
import type { Org } from '../../platform/db/org.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { takeTurn } from '../../platform/db/turns.ts'
import { invalid } from '../../platform/domain-error.ts'

/** A report of many days reads the visits or keys of each day, which keeps a core of PostgreSQL busy for seconds. */
const limiter = new FairLimiter({ max: 2, waitMs: 10_000 })

/**
 * Runs `read`, which reads a report.
 * @param owner `payerId` of the caller: two of its reports run at once. While this process also serves other
 * organizations, they take turns with other long reads of the organization
 * @throws OrgBusy; DomainError invalid if the database stopped it
 */
export function limitReports<Result>(
  owner: string,
  org: Org,
  read: (tx: OrgTx) => Promise<Result>,
): Promise<Result> {
  return limiter.run(owner, () => takeTurn(owner, () => org.read(read).catch(tooSlow)))
}

function tooSlow(error: unknown): never {
  if (!isStatementTimeout(error)) throw error
  throw invalid(
    'query_too_slow',
    'The database stopped this report after 15 s. Choose a shorter period with `from` and `to`.',
  )
}
