import type { SystemScope } from '../../platform/db/system.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { CallbackRequest } from './provider.ts'
import { courseOf, scriptOf } from './simulated-numbers.ts'
import { columns, dialled, type Row, shownAt, signatureHeader } from './simulator.ts'

const lotSize = 32
const deliveriesAtOnce = 8
/** When a callback that could not be delivered is tried again. */
const laterMs = 1_000
/** How long the simulator remembers a call that has ended. */
const rememberedMs = 86_400_000

type Due = Row & { org_id: string }

/** Takes a callback to whoever receives those of the org's simulator; one that throws is sent again a little later. */
export type Deliver = (orgId: string, request: Omit<CallbackRequest, 'url'>) => Promise<unknown>

/** What signs a callback for its org. */
export type Sign = (orgId: string, body: Buffer) => Buffer

/** Sends the callbacks of all simulated calls that are due at a time, and forgets those that ended long ago; how many. */
export async function walkSimulatedCalls(
  scope: SystemScope,
  sign: Sign,
  deliver: Deliver,
  now: number,
): Promise<number> {
  let walked = 0
  for (;;) {
    const count = await scope.transact((tx) => walkLot(tx, sign, deliver, now))
    walked += count
    if (count < lotSize) return walked
  }
}

/** Holds what it walks: what a process that dies did not get done is there for the next one at once. */
async function walkLot(tx: Tx, sign: Sign, deliver: Deliver, now: number): Promise<number> {
  const due = await holdDue(tx, now)
  const waiting = [...due]
  const told: Told[] = []
  const work = async () => {
    for (let row = waiting.shift(); row; row = waiting.shift()) told.push(await tell(row, sign, deliver, now))
  }
  await Promise.all(Array.from({ length: deliveriesAtOnce }, work))
  await note(tx, told)
  return due.length
}

type Told = { orgId: string; simulatedId: string; told: number; dueAt: number | null }

/** Sends all callbacks of a call that are due. */
async function tell(row: Due, sign: Sign, deliver: Deliver, now: number): Promise<Told> {
  const course = courseOf(dialled(row))
  const { callbacks } = scriptOf(row.to_number)
  const isForgotten = row.told >= course.length && course.at(-1)!.at + rememberedMs <= now
  const ids = { orgId: row.org_id, simulatedId: row.simulated_call_id }
  let { told } = row
  while (told < course.length && course[told]!.at <= now) {
    // Behind time, and each again: a receiver has to bear that.
    const sent = callbacks === 'none' ? [] : callbacks === 'disordered' ? [told, told - 1, told] : [told]
    try {
      for (const step of sent) if (step >= 0) await send(row, course[step]!.at, sign, deliver)
    } catch {
      // Its org has no connection left, or nobody has, or this one cannot be moved: others' calls go on.
      return { ...ids, told, dueAt: now + laterMs }
    }
    told++
  }
  const next = course[told]?.at ?? course.at(-1)!.at + rememberedMs
  return { ...ids, told, dueAt: isForgotten ? null : next }
}

/** Sends the callback of what a call is at a time. */
async function send(row: Due, at: number, sign: Sign, deliver: Deliver): Promise<void> {
  const { providerCallId, state, durationSeconds } = shownAt(row, at)
  const body = Buffer.from(
    JSON.stringify({
      ...{ call_id: row.call_id, provider_call_id: providerCallId },
      ...{ state, duration_seconds: durationSeconds },
    }),
  )
  const headers = { [signatureHeader]: sign(row.org_id, body).toString('base64url') }
  await deliver(row.org_id, { headers, body })
}

function holdDue(tx: Tx, now: number): Promise<Due[]> {
  return tx.rows<Due>({
    text: `
      select org_id, ${columns} from simulated_call where due_at <= to_timestamp($1 / 1000.0)
      order by due_at limit $2 for update skip locked`,
    values: [now, lotSize],
  })
}

async function note(tx: Tx, told: readonly Told[]): Promise<void> {
  if (told.length === 0) return
  const [over, going] = [
    told.filter((each) => each.dueAt === null),
    told.filter((each) => each.dueAt !== null),
  ]
  await Promise.all([
    tx.run({
      text: `
          update simulated_call s set told = n.told, due_at = to_timestamp(n.due_ms / 1000.0)
          from unnest($1::uuid[], $2::uuid[], $3::int[], $4::bigint[]) as n (org_id, simulated_call_id, told, due_ms)
          where s.org_id = n.org_id and s.simulated_call_id = n.simulated_call_id`,
      values: [
        going.map((each) => each.orgId),
        going.map((each) => each.simulatedId),
        going.map((each) => each.told),
        going.map((each) => each.dueAt),
      ],
    }),
    tx.run({
      text: `
          delete from simulated_call s using unnest($1::uuid[], $2::uuid[]) as n (org_id, simulated_call_id)
          where s.org_id = n.org_id and s.simulated_call_id = n.simulated_call_id`,
      values: [over.map((each) => each.orgId), over.map((each) => each.simulatedId)],
    }),
  ])
}
