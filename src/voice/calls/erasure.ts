import type { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'
import { eraseAnswers } from '../../platform/idempotency/stored-answers.ts'

/**
 * Erases a person's number, texts and provider answers from calls. For bills, ids, times, seconds and status are
 * kept. A running call keeps its number until it ends.
 * @param numbers E.164
 * @param shared numbers that another contact or a company also has. They are kept, and only the texts are erased
 */
export async function eraseCalls(
  tx: OrgTx,
  numbers: readonly string[],
  shared: ReadonlySet<string>,
): Promise<void> {
  if (numbers.length === 0) return
  const own = numbers.filter((number) => !shared.has(number))
  const erased = await tx.rows(sql<{ call_id: string; ended: boolean }>`
    update call set erased = erased or to_number = any(${own}::text[]),
      to_number = case when ended_at is null or to_number <> all(${own}::text[]) then to_number end,
      instructions = null, variables = '{}', metadata = '{}', dispatch = null,
      error = case when error is not null then json_build_object('code', error ->> 'code', 'message', '') end
    where org_id = ${tx.orgId} and to_number = any(${numbers}::text[])
    returning call_id, ended_at is not null as ended`)
  const ended = erased.filter((call) => call.ended).map((call) => call.call_id)
  // Skip locked rows: the simulator has locked them, and waits for calls that are locked here. It deletes these rows
  // within a day.
  await tx.run(sql`
    delete from simulated_call where org_id = ${tx.orgId} and simulated_call_id in (
      select simulated_call_id from simulated_call where org_id = ${tx.orgId} and call_id = any(${ended}::uuid[])
      for update skip locked
    )`)
  const callIds = erased.map((call) => call.call_id)
  await eraseAnswers(tx, callIds)
}
