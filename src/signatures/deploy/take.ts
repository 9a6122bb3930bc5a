import type { Actor } from '../../events/record.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { readSources, type Source } from '../mailboxes/sources.ts'

/** Whose signatures are installed one run at a time. */
export type Lane = Pick<Actor, 'orgId' | 'mode'>

/** A deployment that is being done: its pushes up to number `taken`, for the `tries`th time; null: the mailbox is gone. */
export type Taken = { mailboxId: number; taken: number; tries: number; source: Source | null }

/** Longer than any try takes. */
const tryMs = 10 * 60_000

/** Takes back what a process was at that is no more: nobody but whoever calls is at the lane. */
export function takeBack(tx: Tx, { orgId, mode }: Lane): Promise<number> {
  return tx.run({
    text: `
      update signature_deployment set status = 'queued', try_at = now()
      where org_id = $1 and mode = $2 and asked > done and status in ('compiling', 'installing')`,
    values: [orgId, mode],
  })
}

/**
 * Takes some mailboxes that are due, those first that somebody waits for, with what their signatures are made of now. Of
 * those at another service, which may take its time, at most one: the others are free for whoever has a hand.
 * @param isPrompt true: only what somebody waits for, no rollout's
 */
export async function takeDue(
  tx: Tx,
  { orgId, mode }: Lane,
  limit: number,
  isPrompt: boolean,
): Promise<Taken[]> {
  const rows = await tx.rows<{ mailbox_id: number; taken: number; tries: number }>({
    text: `
      with due as (
        select mailbox_id, in_bulk, try_at from signature_deployment
        where org_id = $1 and mode = $2 and asked > done and try_at <= now() and not (in_bulk and $5)
        order by in_bulk, try_at limit $3 for update skip locked
      ), slow as (
        select due.mailbox_id from due join signature_mailbox m on m.org_id = $1 and m.mailbox_id = due.mailbox_id
        where m.provider = 'gmail' and $2 = 'live' order by due.in_bulk, due.try_at offset 1
      )
      update signature_deployment d
      set taken = d.asked, status = 'compiling', tries = d.tries + 1, try_at = now() + $4 * interval '1 ms'
      from due where d.org_id = $1 and d.mode = $2 and d.mailbox_id = due.mailbox_id
        and not exists (select from slow where slow.mailbox_id = due.mailbox_id)
      returning d.mailbox_id, d.taken, d.tries`,
    values: [orgId, mode, limit, tryMs, isPrompt],
  })
  if (rows.length === 0) return []
  const sources = await readSources(
    tx,
    orgId,
    rows.map((row) => row.mailbox_id),
  )
  const sourceOf = new Map(sources.map((source) => [source.mailboxId, source]))
  return rows.map(({ mailbox_id: mailboxId, taken, tries }) => ({
    ...{ mailboxId, taken, tries },
    source: sourceOf.get(mailboxId) ?? null,
  }))
}

/** Whether anything is due, also what `takeDue` passes over as somebody holds it, who may leave it as it is. */
export async function isAnyDue(tx: Tx, { orgId, mode }: Lane): Promise<boolean> {
  const row = await tx.first({
    text: `
      select 1 from signature_deployment
      where org_id = $1 and mode = $2 and asked > done and try_at <= now() limit 1`,
    values: [orgId, mode],
  })
  return row !== undefined
}

/** Says that these are compiled, and on their way; not of those that another worker has done, or put off, since. */
export async function noteInstalling(
  tx: Tx,
  { orgId, mode }: Lane,
  mailboxIds: readonly number[],
): Promise<void> {
  await tx.run({
    text: `
      update signature_deployment set status = 'installing'
      where org_id = $1 and mode = $2 and mailbox_id = any ($3::bigint[]) and status = 'compiling'`,
    values: [orgId, mode, mailboxIds],
  })
}
