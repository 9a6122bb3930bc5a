import type { Actor } from '../../platform/actor.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { readSources, type Source } from '../mailboxes/sources.ts'

/** The signatures of one org and mode: one job at a time installs them. */
export type OrgMode = Pick<Actor, 'orgId' | 'mode'>

/** A deployment claimed for its `tries`th try: its pushes up to number `taken`. `source` is null if the mailbox was deleted. */
export type Claimed = { mailboxId: number; taken: number; tries: number; source: Source | null }

/** Longer than any try lasts; after this a claim may be taken over. */
const claimMs = 10 * 60_000

/** Requeues what a dead process was installing. Only the current job of this org and mode may call this. */
export function requeueInterrupted(tx: OrgTx, { orgId, mode }: OrgMode): Promise<number> {
  return tx.run({
    text: `
      update signature_deployment set status = 'queued', try_at = now()
      where org_id = $1 and mode = $2 and asked > done and status in ('compiling', 'installing')`,
    values: [orgId, mode],
  })
}

/**
 * Claims due deployments, single pushes before rollouts, with the current sources of their signatures. Of Gmail mailboxes
 * it claims one at most: a batch installs one after another, and Gmail may be slow.
 * @param interactiveOnly true: only single pushes, no rollout's
 */
export async function claimDue(
  tx: OrgTx,
  { orgId, mode }: OrgMode,
  limit: number,
  interactiveOnly: boolean,
): Promise<Claimed[]> {
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
    values: [orgId, mode, limit, claimMs, interactiveOnly],
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

/** Whether anything is due, including what `claimDue` skips because another transaction has locked it. */
export async function isAnyDue(tx: OrgTx, { orgId, mode }: OrgMode): Promise<boolean> {
  const row = await tx.first({
    text: `
      select 1 from signature_deployment
      where org_id = $1 and mode = $2 and asked > done and try_at <= now() limit 1`,
    values: [orgId, mode],
  })
  return row !== undefined
}

/** Sets the status `installing`, unless another worker has finished or postponed the deployment since. */
export async function markInstalling(
  tx: OrgTx,
  { orgId, mode }: OrgMode,
  mailboxIds: readonly number[],
): Promise<void> {
  await tx.run({
    text: `
      update signature_deployment set status = 'installing'
      where org_id = $1 and mode = $2 and mailbox_id = any ($3::bigint[]) and status = 'compiling'`,
    values: [orgId, mode, mailboxIds],
  })
}
