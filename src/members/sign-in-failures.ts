import { hash } from 'node:crypto'
import { sql } from '../platform/db/sql.ts'
import type { SystemScope } from '../platform/db/system.ts'
import type { Tx } from '../platform/db/tx.ts'
import { tooMany } from '../platform/domain-error.ts'

const freeFailures = 5
const waitMaxSeconds = 900

/** Addresses without an account are counted too, so that the count reveals nothing. */
const hashOf = (emailKey: string) => hash('sha256', emailKey, 'buffer')

// SQL of the wait, which doubles with each failure. It never locks a person out.
const waitOf = sql`make_interval(secs => case when f.failures < ${freeFailures} then 0
  else least(${waitMaxSeconds}, power(2, least(f.failures, 30) - ${freeFailures} + 1)) end)`

/**
 * Counts an attempt as a failure before the password is checked: parallel guesses could avoid the wait otherwise.
 * @throws DomainError too_many while the address must wait
 */
export async function countSignInAttempt(scope: SystemScope, emailKey: string): Promise<void> {
  const key = hashOf(emailKey)
  await scope.transact(async (tx) => {
    const counted = await tx.run(sql`
      insert into sign_in_failure as f (email_hash, failures, failed_at) values (${key}, 1, clock_timestamp())
      on conflict (email_hash) do update
      set failures = case when f.failed_at < now() - interval '1 day' then 1 else f.failures + 1 end,
        failed_at = clock_timestamp()
      where f.failed_at + ${waitOf} <= clock_timestamp()`)
    if (counted > 0) return
    const left = await tx.first(sql<{ seconds: number }>`
      select ceil(extract(epoch from f.failed_at + ${waitOf} - clock_timestamp()))::int as seconds
      from sign_in_failure f where email_hash = ${key}`)
    const retryAfterSeconds = Math.max(1, left?.seconds ?? 1)
    throw tooMany(
      'sign_in_wait',
      `There were several failed sign-ins with this e-mail address; try again in ${retryAfterSeconds} s`,
      { retryAfterSeconds },
    )
  })
}

/** Deletes the failures of an address after a sign-in. */
export async function clearFailures(tx: Tx, emailKey: string): Promise<void> {
  await tx.run(sql`delete from sign_in_failure where email_hash = ${hashOf(emailKey)}`)
}
