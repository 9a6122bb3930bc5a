import type { OrgTx } from '../../../platform/db/org-tx.ts'
import { sql } from '../../../platform/db/sql.ts'
import { firstIdAt } from '../../../platform/db/uuid-time.ts'
import type { StepRange } from '../../../platform/http/time-steps.ts'

/** The number of accepted live submissions in one step, of all forms with the name `key`. `at`: when the step begins, in Unix seconds. */
export type SubmissionCount = { key: string; at: number; n: number }

/** An id is made some milliseconds after `created_at`, so read the ids of one more minute. */
const marginSeconds = 60

/** Counts the accepted live submissions of a range by the names of their forms, in each step that has any. */
export function countSubmissions(tx: OrgTx, { first, last, seconds }: StepRange): Promise<SubmissionCount[]> {
  return tx.rows(sql<SubmissionCount>`
    select f.name as key, floor(extract(epoch from s.created_at) / ${seconds}::int)::bigint * ${seconds}::int as at,
      count(*)::int as n
    from form_submission s join form f on f.org_id = s.org_id and f.form_id = s.form_id
    where s.org_id = ${tx.orgId} and s.status = 'accepted' and s.mode = 'live'
      and s.submission_id >= ${firstIdAt(Math.max(0, first - marginSeconds))}::uuid
      and s.submission_id < ${firstIdAt(last + marginSeconds)}::uuid
      and s.created_at >= to_timestamp(${first}::bigint) and s.created_at < to_timestamp(${last}::bigint)
    group by 1, 2`)
}
