import type { EventType } from '../../events/catalog.ts'
import { lockExclusive } from '../../platform/db/advisory-lock.ts'
import { JsonColumns } from '../../platform/db/json-columns.ts'
import { newId } from '../../platform/db/new-id.ts'
import type { Org } from '../../platform/db/org.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'
import { conflict, notFound } from '../../platform/domain-error.ts'
import type { Cursors } from '../../platform/http/cursor.ts'
import type { Pagination } from '../../platform/http/endpoint.ts'
import { refuse } from '../../platform/http/fields.ts'
import type { ListQuery } from '../../platform/http/list.ts'
import { detailAt, ValidationError } from '../../platform/http/validation.ts'
import type { Json } from '../../platform/json.ts'
import { Filter, readPage } from '../../platform/page.ts'
import { isWantedType, readAllowedTypes } from '../delivery/endpoint.ts'
import { findEndpoint, lockEndpoint } from '../endpoints.ts'
import type { ReplayRequest, WebhookReplay } from '../schema.ts'

const runningMax = 5
const runningOfOrgMax = 20
/** How many replays of an organization are stored, running or ended. Ended ones are deleted after 7 days. */
const storedMax = 1_000
const resendsMax = 500

const columns = sql`
  replay_id, endpoint_id, floor(extract(epoch from from_time))::bigint as "from",
  floor(extract(epoch from to_time))::bigint as "to", types, failed_only, status, sent,
  floor(extract(epoch from created_at))::bigint as created_at,
  floor(extract(epoch from finished_at))::bigint as finished_at`

const wire = new JsonColumns('r', {
  replay_id: 'uuid',
  endpoint_id: 'uuid',
  from: { sql: 'r.from_time', kind: 'seconds' },
  to: { sql: 'r.to_time', kind: 'seconds' },
  types: 'text[]',
  failed_only: 'boolean',
  status: 'text',
  sent: 'integer',
  created_at: 'seconds',
  finished_at: 'seconds',
})

/** Returns the replays of an endpoint, newest first. */
export function listReplays(
  org: Org,
  cursors: Cursors,
  endpointId: string,
  query: ListQuery,
): Promise<{ rows: Json; pagination: Pagination }> {
  const filter = new Filter(org.orgId, 'r').and(sql`r.endpoint_id = ${endpointId}::uuid`)
  const list = `webhook replays ${endpointId}`
  const from = sql`webhook_replay r`
  return readPage(org, cursors, { list, from, id: sql`r.replay_id`, wire, filter }, query)
}

/**
 * Requests that an endpoint gets the events of a period again.
 * @throws ValidationError at from; DomainError not_found; conflict if the endpoint is disabled, or the endpoint or
 * organization has too many replays
 */
export async function requestReplay(
  tx: OrgTx,
  endpointId: string,
  { from, to, types, failed_only: failedOnly }: ReplayRequest,
): Promise<WebhookReplay> {
  await requireEnabled(tx, endpointId)
  const until = to ?? Math.ceil(Date.now() / 1000)
  if (from > until)
    throw new ValidationError([detailAt(['body', 'from'], refuse('`from` must not be after `to`'))])
  await requireRoom(tx, endpointId)
  const replayId = newId()
  await tx.run(sql`
    insert into webhook_replay (org_id, replay_id, endpoint_id, from_time, to_time, types, failed_only, created_at)
    values (${tx.orgId}, ${replayId}, ${endpointId}, to_timestamp(${from}), to_timestamp(${until}), ${types ?? null},
      ${failedOnly}, now())`)
  return findReplay(tx, replayId)
}

/** @throws DomainError conflict if the endpoint or the organization has too many replays */
async function requireRoom(tx: OrgTx, endpointId: string): Promise<void> {
  await lockExclusive(tx, `webhook replays ${tx.orgId}`)
  const counts = await tx.first(sql<{ stored: number; running: number; own: number }>`
    select count(*)::int as stored, (count(*) filter (where status = 'running'))::int as running,
      (count(*) filter (where status = 'running' and endpoint_id = ${endpointId}))::int as own
    from webhook_replay where org_id = ${tx.orgId}`)
  const { stored = 0, running = 0, own = 0 } = counts ?? {}
  if (own >= runningMax)
    throw conflict(
      'limit_reached',
      `An endpoint can have at most ${runningMax} running replays. Wait until one is finished, or cancel one.`,
    )
  if (running >= runningOfOrgMax)
    throw conflict(
      'limit_reached',
      `An organization can have at most ${runningOfOrgMax} running replays. Wait until one is finished, or cancel one.`,
    )
  if (stored >= storedMax)
    throw conflict(
      'limit_reached',
      `An organization can have at most ${storedMax} replays in 7 days. Request one replay of a longer period.`,
    )
}

/** A replay as answers show it. @throws DomainError not_found */
export async function findReplay(tx: OrgTx, replayId: string): Promise<WebhookReplay> {
  const replay = await tx.first(sql<WebhookReplay>`
    select ${columns} from webhook_replay
    where org_id = ${tx.orgId} and replay_id = ${replayId}`)
  if (!replay) throw notFound('object_not_found', 'No replay of this organization has this id')
  // API keys of one mode do not see endpoints of the other.
  await findEndpoint(tx, replay.endpoint_id)
  return replay
}

/**
 * Cancels a running replay. Repeating the call has no effect.
 * @throws DomainError not_found
 */
export async function cancelReplay(tx: OrgTx, replayId: string): Promise<WebhookReplay> {
  await findReplay(tx, replayId)
  await tx.run(sql`
    update webhook_replay set status = 'canceled', finished_at = now()
    where org_id = ${tx.orgId} and replay_id = ${replayId} and status = 'running'`)
  return findReplay(tx, replayId)
}

/**
 * Requests that an endpoint gets one event again, at once.
 * @throws DomainError not_found if there is no such endpoint, if the event is in no log that it reads, or if it may
 * not get the event; conflict if the endpoint is disabled, or 500 resends already wait
 */
export async function requestResend(tx: OrgTx, endpointId: string, eventId: string): Promise<void> {
  await requireEnabled(tx, endpointId)
  const source = await findSource(tx, endpointId, eventId)
  if (!source || !isWantedType(await readAllowedTypes(tx, endpointId), source))
    throw notFound(
      'object_not_found',
      'The organization has no event with this id that the endpoint may get, and the endpoint got no such event in the last 7 days',
    )
  await lockExclusive(tx, `webhook resends ${tx.orgId}`)
  const waiting = await tx.rows(sql`
    select from webhook_retry
    where org_id = ${tx.orgId} and kind = 'resend' and (endpoint_id, event_id) <> (${endpointId}, ${eventId})
    limit ${resendsMax}`)
  if (waiting.length >= resendsMax)
    throw conflict(
      'limit_reached',
      `${resendsMax} events of the organization wait to be sent again. Wait until some are sent, or request a replay.`,
    )
  await tx.run(sql`
    insert into webhook_retry (org_id, endpoint_id, event_id, source_org_id, kind, tries, next_at)
    values (${tx.orgId}, ${endpointId}, ${eventId}, ${source.source_org_id}, 'resend', 0, now())
    on conflict (org_id, endpoint_id, event_id) do update set next_at = now(), tries = 0, kind = 'resend'`)
}

type EventSource = { source_org_id: string; type: EventType; mode: 'live' | 'test' }

/** Returns the log that contains an event: one that the endpoint received, or one of its own organization. */
function findSource(tx: OrgTx, endpointId: string, eventId: string): Promise<EventSource | undefined> {
  // An endpoint's attempts are about events of its mode.
  return tx.first(sql<EventSource>`
    select a.source_org_id, a.type, ${tx.actor.mode}::text as mode from webhook_attempt a
    join webhook_position p on p.org_id = a.org_id and p.endpoint_id = a.endpoint_id
      and p.source_org_id = a.source_org_id
    where a.org_id = ${tx.orgId} and a.endpoint_id = ${endpointId} and a.event_id = ${eventId}
    union all
    select org_id, type, mode from event where org_id = ${tx.orgId} and event_id = ${eventId}
    limit 1`)
}

async function requireEnabled(tx: OrgTx, endpointId: string): Promise<void> {
  const { status } = await lockEndpoint(tx, endpointId, undefined)
  if (status === 'disabled')
    throw conflict(
      'endpoint_disabled',
      `This webhook endpoint is disabled. Enable it first (POST /webhooks/endpoints/${endpointId}/enable).`,
    )
}
