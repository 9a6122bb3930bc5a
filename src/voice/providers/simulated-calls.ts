import type { NextDue } from '../../platform/db/repeat-after-commits.ts'
import { sql } from '../../platform/db/sql.ts'
import type { SystemScope } from '../../platform/db/system.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { CallbackRequest } from './provider.ts'
import { columns, dialedOf, reportAt, type SimulatedCall, signatureHeader } from './simulated-call.ts'
import { scriptOf, statesOf } from './simulated-numbers.ts'

const callsPerBatch = 32
const deliveriesAtOnce = 8
/** How long after a failure a callback is sent again. */
const retryMs = 1_000
/** How long the simulator keeps an ended call. */
const endedCallsKeptMs = 86_400_000

type DueCall = SimulatedCall & { org_id: string }

/** Delivers a callback of the simulator. If it throws, the callback is repeated later. */
export type Deliver = (request: Omit<CallbackRequest, 'url'>) => Promise<unknown>

export type SignCallback = (orgId: string, body: Buffer) => Buffer

/** Sends all callbacks that are due, and deletes calls that ended long ago. Returns the number of calls. */
export async function sendDueCallbacks(
  scope: SystemScope,
  sign: SignCallback,
  deliver: Deliver,
  now: number,
): Promise<number> {
  let sentCount = 0
  for (;;) {
    const count = await scope.transact((tx) => sendBatch(tx, sign, deliver, now))
    sentCount += count
    if (count < callsPerBatch) return sentCount
  }
}

/** When the next callback is due. */
export const nextDueCallback: NextDue = () => sql`
  select (extract(epoch from min(due_at)) - ${Date.now() / 1_000})::float as seconds from simulated_call`

/** Locks the calls until their progress is stored. If this process dies, another one continues at once. */
async function sendBatch(tx: Tx, sign: SignCallback, deliver: Deliver, now: number): Promise<number> {
  const due = await lockDue(tx, now)
  const waiting = [...due]
  const sent: SentCallbacks[] = []
  const work = async () => {
    for (let call = waiting.shift(); call; call = waiting.shift())
      sent.push(await sendDue(call, sign, deliver, now))
  }
  await Promise.all(Array.from({ length: deliveriesAtOnce }, work))
  await saveSent(tx, sent)
  return due.length
}

/** How many callbacks of a call were sent, and when the next one is due. null: the call is deleted. */
type SentCallbacks = { orgId: string; simulatedId: string; told: number; dueAt: number | null }

/** Sends all callbacks of a call that are due. */
async function sendDue(
  call: DueCall,
  sign: SignCallback,
  deliver: Deliver,
  now: number,
): Promise<SentCallbacks> {
  const course = statesOf(dialedOf(call))
  const { callbacks } = scriptOf(call.to_number)
  const keptUntil = (course.at(-1) ?? course[0]).at + endedCallsKeptMs
  const ids = { orgId: call.org_id, simulatedId: call.simulated_call_id }
  if (call.told >= course.length && keptUntil <= now) return { ...ids, told: call.told, dueAt: null }
  let { told } = call
  for (const [index, { at }] of course.entries()) {
    if (index < told) continue
    if (at > now) break
    const before = course[index - 1]?.at ?? at
    const times = { none: [], ordered: [at], disordered: index > 0 ? [at, before, at] : [at, at] }
    try {
      for (const time of times[callbacks]) await send(call, time, sign, deliver)
    } catch {
      // Continue with all other calls if one org has no free connection, or one call fails.
      return { ...ids, told, dueAt: now + retryMs }
    }
    told++
  }
  return { ...ids, told, dueAt: course[told]?.at ?? keptUntil }
}

/** Sends the callback with the state of a call at a time. */
async function send(call: DueCall, at: number, sign: SignCallback, deliver: Deliver): Promise<void> {
  const { providerCallId, state, durationSeconds } = reportAt(call, at)
  const report = {
    call_id: call.call_id,
    provider_call_id: providerCallId,
    state,
    duration_seconds: durationSeconds,
  }
  const body = Buffer.from(JSON.stringify(report))
  const headers = { [signatureHeader]: sign(call.org_id, body).toString('base64url') }
  await deliver({ orgId: call.org_id, headers, body })
}

const lockDue = (tx: Tx, now: number): Promise<DueCall[]> =>
  tx.rows(sql<DueCall>`
    select org_id, ${columns} from simulated_call where due_at <= to_timestamp(${now} / 1000.0)
    order by due_at limit ${callsPerBatch} for update skip locked`)

async function saveSent(tx: Tx, sent: readonly SentCallbacks[]): Promise<void> {
  if (sent.length === 0) return
  const over = sent.filter((each) => each.dueAt === null)
  const open = sent.filter((each) => each.dueAt !== null)
  const orgIds = (each: readonly SentCallbacks[]) => each.map(({ orgId }) => orgId)
  const ids = (each: readonly SentCallbacks[]) => each.map(({ simulatedId }) => simulatedId)
  await Promise.all([
    tx.run(sql`
      update simulated_call s set told = n.told, due_at = to_timestamp(n.due_ms / 1000.0)
      from unnest(${orgIds(open)}::uuid[], ${ids(open)}::uuid[], ${open.map(({ told }) => told)}::int[],
        ${open.map(({ dueAt }) => dueAt)}::bigint[]) as n (org_id, simulated_call_id, told, due_ms)
      where s.org_id = n.org_id and s.simulated_call_id = n.simulated_call_id`),
    tx.run(sql`
      delete from simulated_call s
      using unnest(${orgIds(over)}::uuid[], ${ids(over)}::uuid[]) as n (org_id, simulated_call_id)
      where s.org_id = n.org_id and s.simulated_call_id = n.simulated_call_id`),
  ])
}
