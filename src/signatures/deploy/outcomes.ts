import { type Change, recordEventsBy } from '../../events/record.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { mailboxObjectId } from '../mailboxes/mailboxes.ts'
import type { Outcome } from '../providers/provider.ts'
import type { PushError } from '../schema.ts'
import type { Claimed, OrgMode } from './claims.ts'

type Final = Exclude<Outcome, { outcome: 'later' }>
type Claim = Pick<Claimed, 'mailboxId' | 'taken' | 'tries'>
type Installed = { revision: number; sha256: string }

const errorOf = ({ code, message }: PushError) => JSON.stringify({ code, message })

/**
 * Records how the claimed pushes ended; nothing if another worker has claimed them since. Pushes that were queued during
 * the install stay queued.
 */
export async function recordOutcome(
  tx: OrgTx,
  { orgId, mode }: OrgMode,
  { mailboxId, taken, tries }: Claim,
  final: Final,
  compiled: Installed | null,
): Promise<void> {
  const { outcome } = final
  const error = outcome === 'failed' ? errorOf(final) : null
  const installed = outcome === 'installed' ? compiled : null
  const pushes = await tx.rows<{ push_id: string; api_key_id: string | null }>({
    // An install through another provider withdraws the owner's offer.
    text: `
      with ended as (
        update signature_deployment set done = taken, status = case when asked > taken then 'queued' else $6 end,
          try_at = now(), tries = 0, error = $7, revision = coalesce($8, revision),
          html_sha256 = coalesce($9, html_sha256),
          installed_at = case when $8::integer is null then installed_at else clock_timestamp() end
        where org_id = $1 and mailbox_id = $2 and mode = $3 and taken = $4 and tries = $5 and done < taken
        returning mailbox_id
      ), withdrawn as (
        delete from signature_offer o using ended
        where o.org_id = $1 and o.mailbox_id = $2 and $3 = 'live' and o.revision <= $8
      )
      update signature_push p set outcome = $6, error = $7, revision = $10, finished_at = clock_timestamp()
      from ended
      where p.org_id = $1 and p.mailbox_id = $2 and p.mode = $3 and p.number <= $4 and p.outcome is null
      returning p.push_id, p.api_key_id`,
    values: [
      ...[orgId, mailboxId, mode, taken, tries, outcome, error],
      ...[installed?.revision ?? null, installed?.sha256 ?? null, compiled?.revision ?? null],
    ],
  })
  const last = pushes.at(-1)
  if (!last || outcome === 'manual_pending') return
  const data = { mailbox_id: mailboxId, ...(compiled && { revision: compiled.revision }) }
  const change: Change = { type: `signature.${outcome}`, objectId: mailboxObjectId(mailboxId), data }
  await recordEventsBy(tx, { orgId, mode, apiKeyId: last.api_key_id }, [change])
}

/** Has a mailbox wait for its next try. */
export async function postpone(
  tx: OrgTx,
  { orgId, mode }: OrgMode,
  { mailboxId, taken, tries }: Claim,
  error: PushError,
  until: Date,
): Promise<void> {
  await tx.run({
    text: `
      update signature_deployment set status = 'queued', try_at = $6, error = $7
      where org_id = $1 and mailbox_id = $2 and mode = $3 and taken = $4 and tries = $5`,
    values: [orgId, mailboxId, mode, taken, tries, until, JSON.stringify(error)],
  })
}

/** Fails every unfinished push of this org and mode, with this error. */
export async function failAll(tx: OrgTx, { orgId, mode }: OrgMode, error: PushError): Promise<void> {
  const open = await tx.rows<{ mailbox_id: number; taken: number; tries: number }>({
    text: `
      update signature_deployment set taken = asked
      where org_id = $1 and mode = $2 and asked > done returning mailbox_id, taken, tries`,
    values: [orgId, mode],
  })
  for (const { mailbox_id: mailboxId, ...row } of open)
    await recordOutcome(tx, { orgId, mode }, { mailboxId, ...row }, { outcome: 'failed', ...error }, null)
}
