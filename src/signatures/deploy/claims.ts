import type { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Columns } from '../../platform/db/tables.ts'
import { readSources, type SignatureSource } from '../mailboxes/sources.ts'

// Each organization and mode has one job at a time that installs signatures. Each function here works on the
// deployments of the transaction's organization and mode.

/**
 * A claimed deployment at try `tries`, with all pushes up to number `taken`. `source` is null if the mailbox was
 * deleted.
 */
export type Claimed = { mailboxId: number; taken: number; tries: number; source: SignatureSource | null }

/** After this time, longer than any try, another worker may claim the deployment. */
const claimMs = 10 * 60_000

/**
 * Requeues deployments whose process died during the install. Only the current job of the org and mode may call this.
 */
export function requeueInterrupted(tx: OrgTx): Promise<number> {
  return tx.run(sql`
    update signature_deployment set status = 'queued', try_at = now()
    where org_id = ${tx.orgId} and mode = ${tx.actor.mode} and asked > done
      and status in ('compiling', 'installing')`)
}

/**
 * Claims due deployments with the current sources of their signatures, single pushes before rollouts. Claims at most
 * one Gmail mailbox, because Gmail can be slow and a batch installs one by one.
 * @param interactiveOnly true: claim single pushes only
 */
export async function claimDue(tx: OrgTx, limit: number, interactiveOnly: boolean): Promise<Claimed[]> {
  const { orgId, mode } = tx.actor
  const rows = await tx.rows(sql<Columns<'signature_deployment', 'mailbox_id' | 'taken' | 'tries'>>`
    with due as (
      select mailbox_id, in_bulk, try_at from signature_deployment
      where org_id = ${orgId} and mode = ${mode} and asked > done and try_at <= now()
        and not (in_bulk and ${interactiveOnly})
      order by in_bulk, try_at limit ${limit} for update skip locked
    ), slow as (
      select due.mailbox_id
      from due join signature_mailbox m on m.org_id = ${orgId} and m.mailbox_id = due.mailbox_id
      where m.provider = 'gmail' and ${mode} = 'live' order by due.in_bulk, due.try_at offset 1
    )
    update signature_deployment d
    set taken = d.asked, status = 'compiling', tries = d.tries + 1,
      try_at = now() + ${claimMs} * interval '1 ms'
    from due where d.org_id = ${orgId} and d.mode = ${mode} and d.mailbox_id = due.mailbox_id
      and not exists (select from slow where slow.mailbox_id = due.mailbox_id)
    returning d.mailbox_id, d.taken, d.tries`)
  if (rows.length === 0) return []
  const sources = await readSources(
    tx,
    rows.map((row) => row.mailbox_id),
  )
  const sourceOf = new Map(sources.map((source) => [source.mailboxId, source]))
  return rows.map(({ mailbox_id: mailboxId, taken, tries }) => {
    return { mailboxId, taken, tries, source: sourceOf.get(mailboxId) ?? null }
  })
}

/** Returns whether a deployment is due, even one that `claimDue` skips because another transaction has locked it. */
export async function isAnyDue(tx: OrgTx): Promise<boolean> {
  const row = await tx.first(sql`
    select 1 from signature_deployment
    where org_id = ${tx.orgId} and mode = ${tx.actor.mode} and asked > done and try_at <= now() limit 1`)
  return row !== undefined
}

/** Sets the status `installing`, unless another worker has finished or postponed the deployment since. */
export async function markInstalling(tx: OrgTx, mailboxIds: readonly number[]): Promise<void> {
  await tx.run(sql`
    update signature_deployment set status = 'installing'
    where org_id = ${tx.orgId} and mode = ${tx.actor.mode} and mailbox_id = any (${mailboxIds}::bigint[])
      and status = 'compiling'`)
}
