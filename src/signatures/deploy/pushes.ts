import { recordEvents } from '../../events/record.ts'
import type { Context } from '../../platform/context.ts'
import { JsonColumns, type TextRow } from '../../platform/db/json-columns.ts'
import { newId } from '../../platform/db/new-id.ts'
import type { Org } from '../../platform/db/org.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { rawSql, sql, withTextRows } from '../../platform/db/sql.ts'
import { timeOf } from '../../platform/db/uuid-time.ts'
import { notFound } from '../../platform/domain-error.ts'
import type { Pagination } from '../../platform/http/endpoint.ts'
import { requireVersion } from '../../platform/http/if-match.ts'
import { Json } from '../../platform/json.ts'
import { Filter, readPage } from '../../platform/page.ts'
import { lockMailbox, mailboxEvent } from '../mailboxes/mailboxes.ts'
import { noTemplateError } from '../mailboxes/previews.ts'
import { offersUrl } from '../manual/offers.ts'
import type { PushQuery, QueuedPush } from '../push-schema.ts'
import { installSignatures } from './install-signatures.ts'

/**
 * SQL of the status: an unfinished push has the status of its deployment. A push that is not part of the current try is
 * queued.
 */
export const pushStatus = `coalesce(p.outcome, case when p.number <= d.taken then d.status else 'queued' end)`

/** The SQL that joins pushes with their deployments. */
export const pushesFromClause = `
  signature_push p left join signature_deployment d
    on d.org_id = p.org_id and d.mailbox_id = p.mailbox_id and d.mode = p.mode`

/** SQL of pushes with their offers. `url` is the start of the address of each offer. */
const withOffers = (url: string) => sql`${rawSql(pushesFromClause)}
  cross join (select ${url}::text as url) offers left join signature_offer o
    on o.org_id = p.org_id and o.mailbox_id = p.mailbox_id and o.confirmed_at is null and p.number = d.done`

const wire = new JsonColumns('p', {
  push_id: 'uuid',
  mailbox_id: 'integer',
  mode: 'text',
  status: { sql: pushStatus, kind: 'text' },
  version: 'integer',
  revision: 'integer',
  rollout_id: 'uuid',
  error: { sql: `coalesce(p.error, case when p.outcome is null then d.error end)`, kind: 'json' },
  install_url: {
    sql: `case when p.outcome = 'manual_pending' then offers.url || o.offer_id::text end`,
    kind: 'text',
  },
  queued_at: { sql: 'p.created_at', kind: 'seconds' },
  finished_at: 'seconds',
})

/** Lists the org's pushes, newest first. */
export function listPushes(
  org: Org,
  context: Context,
  query: PushQuery,
): Promise<{ rows: Json; pagination: Pagination }> {
  const { mailbox_id, rollout_id, status } = query
  const filter = new Filter(org.orgId, 'p')
  filter
    .where(mailbox_id, (parameter) => sql`p.mailbox_id = ${parameter}`)
    .where(rollout_id, (parameter) => sql`p.rollout_id = ${parameter}`)
    .where(status, (parameter) => sql`${rawSql(pushStatus)} = ${parameter}`)
  const total = sql`select count(*) from ${rawSql(status === undefined ? 'signature_push p' : pushesFromClause)} where ${filter.conditions}`
  const list = JSON.stringify(['signature pushes', mailbox_id, rollout_id, status])
  return readPage(
    org,
    context.cursors,
    { list, from: withOffers(offersUrl(context, org.orgId)), id: sql`p.push_id`, wire, filter, total },
    query,
  )
}

/** Returns a push as answers show it. @throws DomainError not_found */
export async function findPush(tx: OrgTx, context: Context, pushId: string): Promise<Json> {
  const found = sql<TextRow>`
    select ${wire.columns} from ${withOffers(offersUrl(context, tx.orgId))}
    where p.org_id = ${tx.orgId} and p.push_id = ${pushId}`
  const row = await tx.first(withTextRows(found))
  if (!row) throw notFound('object_not_found', 'No push of this organization has this id')
  return new Json(wire.object(row, 0))
}

/**
 * Queues a push of a mailbox, and its job. The push installs this version or a newer one.
 * @throws DomainError not_found; conflict if `version` is not the current one, or the mailbox has no template
 */
export async function pushMailbox(
  tx: OrgTx,
  { jobs }: Context,
  mailboxId: number,
  version: number,
): Promise<QueuedPush> {
  const { orgId, mode } = tx.actor
  const mailbox = await lockMailbox(tx, mailboxId)
  requireVersion('this mailbox', version, mailbox.version, { named: 'The push names' })
  if (mailbox.template_id === null) throw noTemplateError(mailboxId)
  const pushId = newId()
  const pushed = { mailboxId, pushId, version }
  await Promise.all([
    queuePushes(tx, [pushed], null),
    recordEvents(tx, [
      { ...mailboxEvent('pushed', mailboxId), data: { mailbox_id: mailboxId, version, push_id: pushId } },
    ]),
    jobs.enqueue(tx, installSignatures, { org_id: orgId, mode }),
  ])
  const queuedAt = Math.floor(timeOf(pushId) / 1000)
  return { mailbox_id: mailboxId, version, push_id: pushId, status: 'queued', queued_at: queuedAt }
}

export type NewPush = { mailboxId: number; pushId: string; version: number }

/** Queues pushes, each after earlier pushes of its mailbox. Single pushes come before pushes of rollouts. */
export async function queuePushes(
  tx: OrgTx,
  newPushes: readonly NewPush[],
  rolloutId: string | null,
): Promise<void> {
  const { orgId, mode, apiKeyId, memberId, connectedAppId = null } = tx.actor
  const mailboxIds = newPushes.map(({ mailboxId }) => mailboxId)
  const pushIds = newPushes.map(({ pushId }) => pushId)
  const versions = newPushes.map(({ version }) => version)
  await tx.run(sql`
    with wanted as (
      select * from unnest(${mailboxIds}::bigint[], ${pushIds}::uuid[], ${versions}::integer[],
        ${pushIds.map(timeOf)}::bigint[]) as w (mailbox_id, push_id, version, created_ms)
    ), asked as (
      insert into signature_deployment as d (org_id, mailbox_id, mode, status, asked, in_bulk, try_at)
      select ${orgId}, mailbox_id, ${mode}, 'queued', 1, ${rolloutId !== null}, now()
      from wanted order by mailbox_id
      on conflict (org_id, mailbox_id, mode) do update set
        asked = d.asked + 1,
        in_bulk = case when d.asked > d.taken then d.in_bulk and excluded.in_bulk else excluded.in_bulk end,
        status = case when d.taken > d.done then d.status else 'queued' end,
        error = case when d.taken > d.done then d.error end,
        tries = case when d.taken > d.done then d.tries else 0 end,
        try_at = case when d.taken > d.done then d.try_at else now() end
      returning d.mailbox_id, d.asked
    )
    insert into signature_push (org_id, push_id, mailbox_id, mode, version, number, rollout_id, api_key_id, member_id,
      connected_app_id, created_at)
    select ${orgId}, w.push_id, w.mailbox_id, ${mode}, w.version, a.asked, ${rolloutId}, ${apiKeyId}, ${memberId},
      ${connectedAppId}, to_timestamp(w.created_ms / 1000.0)
    from wanted w join asked a using (mailbox_id)`)
}
