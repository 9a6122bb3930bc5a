import type { OrgTx } from '../../platform/db/org-tx.ts'
import { eraseAnswers } from '../../platform/idempotency/kept-answers.ts'

/**
 * Takes a person out of the calls to numbers of theirs: the numbers, what was told and what providers answered. What
 * bills rest on stays: ids, times, seconds, status. A call that is under way keeps its number until it ends.
 * @param numbers E.164
 * @param shared those of them that somebody else has as well: the number stays, and nothing else does
 */
export async function eraseCalls(
  tx: OrgTx,
  orgId: string,
  numbers: readonly string[],
  shared: ReadonlySet<string>,
): Promise<void> {
  if (numbers.length === 0) return
  const own = numbers.filter((number) => !shared.has(number))
  const erased = await tx.rows<{ call_id: string; ended: boolean }>({
    text: `
      update call set erased = erased or to_number = any($3::text[]),
        to_number = case when ended_at is null or to_number <> all($3::text[]) then to_number end,
        instructions = null, variables = '{}', metadata = '{}', dispatch = null,
        error = case when error is not null then json_build_object('code', error ->> 'code', 'message', '') end
      where org_id = $1 and to_number = any($2::text[])
      returning call_id, ended_at is not null as ended`,
    values: [orgId, numbers, own],
  })
  const ended = erased.filter((call) => call.ended)
  await tx.run({
    // What is held is being told of, and who tells waits for the calls that are held here; it goes within a day.
    text: `
      delete from simulated_call where org_id = $1 and simulated_call_id in (
        select simulated_call_id from simulated_call where org_id = $1 and call_id = any($2::uuid[])
        for update skip locked
      )`,
    values: [orgId, ended.map((call) => call.call_id)],
  })
  await eraseAnswers(
    tx,
    erased.map((call) => call.call_id),
  )
}
