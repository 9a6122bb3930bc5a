import { type Change, recordEvents } from '../../events/record.ts'
import { systemOf } from '../../platform/actor.ts'
import { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Columns } from '../../platform/db/tables.ts'
import { authorOf } from '../../platform/jobs/actor-payload.ts'
import { mailboxObjectId } from '../mailboxes/mailboxes.ts'
import type { PushOutcome } from '../providers/provider.ts'
import type { PushError } from '../schema.ts'
import type { Claimed } from './claims.ts'

type FinalOutcome = Exclude<PushOutcome, { outcome: 'later' }>
type Claim = Pick<Claimed, 'mailboxId' | 'taken' | 'tries'>
type InstalledRevision = { revision: number; sha256: string }

const errorOf = ({ code, message }: PushError) => JSON.stringify({ code, message })

/**
 * Records how the claimed pushes ended, unless another worker has claimed them since. Pushes that were queued during
 * the install stay queued.
 */
export async function recordOutcome(
  tx: OrgTx,
  { mailboxId, taken, tries }: Claim,
  final: FinalOutcome,
  compiled: InstalledRevision | null,
): Promise<void> {
  const { orgId, mode } = tx.actor
  const { outcome } = final
  const error = outcome === 'failed' ? errorOf(final) : null
  const installed = outcome === 'installed' ? compiled : null
  const revision = installed?.revision ?? null
  // After an install through another provider, the offer to the owner is withdrawn.
  const pushes = await tx.rows(sql<
    Columns<'signature_push', 'number' | 'api_key_id' | 'member_id' | 'connected_app_id'>
  >`
    with ended as (
      update signature_deployment
      set done = taken, status = case when asked > taken then 'queued' else ${outcome} end, try_at = now(),
        tries = 0, error = ${error}, revision = coalesce(${revision}, revision),
        html_sha256 = coalesce(${installed?.sha256 ?? null}, html_sha256),
        installed_at = case when ${revision}::integer is null then installed_at else clock_timestamp() end
      where org_id = ${orgId} and mailbox_id = ${mailboxId} and mode = ${mode} and taken = ${taken}
        and tries = ${tries} and done < taken
      returning mailbox_id
    ), withdrawn as (
      delete from signature_offer o using ended
      where o.org_id = ${orgId} and o.mailbox_id = ${mailboxId} and ${mode} = 'live' and o.revision <= ${revision}
    )
    update signature_push p
    set outcome = ${outcome}, error = ${error}, revision = ${compiled?.revision ?? null},
      finished_at = clock_timestamp()
    from ended
    where p.org_id = ${orgId} and p.mailbox_id = ${mailboxId} and p.mode = ${mode} and p.number <= ${taken}
      and p.outcome is null
    returning p.number, p.api_key_id, p.member_id, p.connected_app_id`)
  const last = pushes.sort((a, b) => a.number - b.number).at(-1)
  if (!last || outcome === 'manual_pending') return
  const data = { mailbox_id: mailboxId, ...(compiled && { revision: compiled.revision }) }
  const change: Change = { type: `signature.${outcome}`, objectId: mailboxObjectId(mailboxId), data }
  // The event names the API key, or the member and app, that requested the last push. The job has none of them.
  const author = { ...systemOf(orgId), ...authorOf({ ...last, mode }) }
  await recordEvents(new OrgTx(tx, author), [change])
}

/** Postpones the install of a mailbox until its next try. */
export async function postpone(
  tx: OrgTx,
  { mailboxId, taken, tries }: Claim,
  error: PushError,
  until: Date,
): Promise<void> {
  await tx.run(sql`
    update signature_deployment set status = 'queued', try_at = ${until}, error = ${JSON.stringify(error)}
    where org_id = ${tx.orgId} and mailbox_id = ${mailboxId} and mode = ${tx.actor.mode} and taken = ${taken}
      and tries = ${tries}`)
}

/** Ends every unfinished push of the transaction's organization and mode with this error. */
export async function failAll(tx: OrgTx, error: PushError): Promise<void> {
  const open = await tx.rows(sql<Columns<'signature_deployment', 'mailbox_id' | 'taken' | 'tries'>>`
    update signature_deployment set taken = asked
    where org_id = ${tx.orgId} and mode = ${tx.actor.mode} and asked > done
    returning mailbox_id, taken, tries`)
  for (const { mailbox_id: mailboxId, ...row } of open)
    await recordOutcome(tx, { mailboxId, ...row }, { outcome: 'failed', ...error }, null)
}
