import { randomBytes } from 'node:crypto'
import { positionOfNow } from '../events/position.ts'
import { recordEvents } from '../events/record.ts'
import type { Caller } from '../platform/caller.ts'
import { lockExclusive } from '../platform/db/advisory-lock.ts'
import { JsonColumns } from '../platform/db/json-columns.ts'
import { newId } from '../platform/db/new-id.ts'
import type { Org } from '../platform/db/org.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { joinSql, rawSql, sql } from '../platform/db/sql.ts'
import { conflict, forbidden, notFound } from '../platform/domain-error.ts'
import type { Cursors } from '../platform/http/cursor.ts'
import type { Pagination } from '../platform/http/endpoint.ts'
import { requireVersion } from '../platform/http/if-match.ts'
import type { ListQuery } from '../platform/http/list.ts'
import type { Json } from '../platform/json.ts'
import { Filter, readPage } from '../platform/page.ts'
import type { Secrets } from '../platform/secrets/secrets.ts'
import { requireHeaders } from './headers.ts'
import { keyOrgId, setOwnerColumns } from './owner.ts'
import { requireReadable } from './readable.ts'
import type { CreateWebhookEndpoint, UpdateWebhookEndpoint, WebhookEndpoint } from './schema.ts'
import { oldSecretName, secretName } from './secret-names.ts'
import { requireSegment } from './segment.ts'
import { requireUrl } from './url.ts'

const endpointsMax = 50

const wire = new JsonColumns('e', {
  ...{
    endpoint_id: 'uuid',
    url: 'text',
    description: 'text',
    mode: 'text',
    types: 'text[]',
    payload: 'text',
  },
  ...{
    include_clients: 'boolean',
    segment_id: 'uuid',
    max_per_second: 'integer',
    max_in_flight: 'integer',
    headers: 'json',
  },
  ...{ status: 'text', disabled_reason: 'text', failures: 'integer' },
  ...{ last_success_at: 'seconds', last_failure_at: 'seconds', next_probe_at: 'seconds' },
  ...{ disabled_at: 'seconds', old_secret_expires_at: 'seconds', version: 'integer' },
  ...{ created_at: 'seconds', updated_at: 'seconds' },
})

const times = [
  'last_success_at',
  'last_failure_at',
  'next_probe_at',
  'disabled_at',
  'old_secret_expires_at',
  'created_at',
  'updated_at',
]
const seconds = joinSql(times.map((name) => rawSql(`floor(extract(epoch from ${name}))::bigint as ${name}`)))
const columns = sql`
  endpoint_id, url, description, mode, types, payload, include_clients, segment_id, max_per_second, max_in_flight, headers,
  status, disabled_reason, failures, version, ${seconds}`

/** Returns the org's endpoints in the caller's mode, newest first. */
export function listEndpoints(
  org: Org,
  cursors: Cursors,
  query: ListQuery,
): Promise<{ rows: Json; pagination: Pagination }> {
  const { mode } = org.actor
  const filter = new Filter(org.orgId, 'e').and(sql`e.mode = ${mode}`)
  const list = `webhook endpoints ${mode}`
  const from = sql`webhook_endpoint e`
  return readPage(org, cursors, { list, from, id: sql`e.endpoint_id`, wire, filter }, query)
}

/** An endpoint as answers show it. @throws DomainError not_found */
export async function findEndpoint(tx: OrgTx, endpointId: string): Promise<WebhookEndpoint> {
  const row = await tx.first(selectEndpoint(tx, endpointId))
  if (!row) throw endpointNotFound()
  return row
}

// API keys of one mode do not see endpoints of the other.
const selectEndpoint = ({ orgId, actor }: OrgTx, endpointId: string) =>
  sql<WebhookEndpoint>`
    select ${columns} from webhook_endpoint
    where org_id = ${orgId} and endpoint_id = ${endpointId} and mode = ${actor.mode}`

/** The error for an id that is not the id of an endpoint of the organization and mode. */
export const endpointNotFound = () =>
  notFound(
    'object_not_found',
    'No webhook endpoint of this organization has this id. An API key sees only the endpoints of its mode, live or test.',
  )

/** Locks an endpoint against other changes. @throws DomainError not_found; conflict if `version` is not the current one */
export async function lockEndpoint(
  tx: OrgTx,
  endpointId: string,
  version: number | undefined,
): Promise<WebhookEndpoint> {
  const endpoint = await tx.first(sql<WebhookEndpoint>`${selectEndpoint(tx, endpointId)} for update`)
  if (!endpoint) throw endpointNotFound()
  requireVersion('this webhook endpoint', version, endpoint.version)
  return endpoint
}

/** The fields that determine what is sent, and where to. The key or member that changes one becomes the endpoint's owner. */
const ownedFields = new Set(['url', 'headers', 'types', 'payload', 'include_clients', 'segment_id'])

export type Creation = { caller: Caller; secrets: Secrets; allowPrivate: boolean }

/** A new secret in the form of Standard Webhooks 1.0.0. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/**
 * Creates an endpoint, which gets all later events.
 * @throws ValidationError at url or a header; DomainError forbidden for a type that the caller may not read; conflict
 * if the org has 50 endpoints
 */
export async function createEndpoint(
  tx: OrgTx,
  input: CreateWebhookEndpoint,
  { caller, secrets, allowPrivate }: Creation,
): Promise<WebhookEndpoint & { secret: string }> {
  requireUrl(input.url, allowPrivate)
  requireHeaders(input.headers)
  requireReadable(caller, input.types)
  if (input.include_clients) requireAgency(caller)
  await requireSegment(tx, caller, input)
  await lockExclusive(tx, `webhook endpoints ${tx.orgId}`)
  const count = await tx.rows(sql`select from webhook_endpoint where org_id = ${tx.orgId}`)
  if (count.length >= endpointsMax)
    throw conflict(
      'limit_reached',
      `An organization can have at most ${endpointsMax} webhook endpoints. Delete one, or change one.`,
    )
  const [endpointId, secret] = [newId(), newSecret()]
  await tx.run(sql`
    insert into webhook_endpoint (org_id, endpoint_id, mode, url, description, types, payload, include_clients,
      segment_id, max_per_second, max_in_flight, headers, permissions, api_key_id, member_id, member_org_id,
      key_org_id, created_at, updated_at)
    values (${tx.orgId}, ${endpointId}, ${tx.actor.mode}, ${input.url}, ${input.description}, ${input.types},
      ${input.payload}, ${input.include_clients}, ${input.segment_id}, ${input.max_per_second}, ${input.max_in_flight},
      ${JSON.stringify(input.headers)}::json, ${caller.permissions}, ${caller.apiKeyId}, ${caller.memberId},
      ${caller.memberId === null ? null : caller.homeOrgId}, ${keyOrgId(caller)}, now(), now())`)
  await secrets.put(tx, tx.orgId, secretName(endpointId), secret)
  await movePositionToNow(tx, endpointId)
  await recordEvents(tx, [{ type: 'webhook_endpoint.created', objectId: endpointId }])
  return { ...(await findEndpoint(tx, endpointId)), secret }
}

/**
 * Changes the given fields. A change of what is sent, or where to, makes the caller the endpoint's owner.
 * @throws ValidationError, DomainError forbidden like createEndpoint; not_found; conflict if `version` is not the
 * current one
 */
export async function changeEndpoint(
  tx: OrgTx,
  endpointId: string,
  input: UpdateWebhookEndpoint,
  { caller, allowPrivate, version }: Omit<Creation, 'secrets'> & { version: number | undefined },
): Promise<WebhookEndpoint> {
  const endpoint = await lockEndpoint(tx, endpointId, version)
  const given = Object.entries(input).filter(([, value]) => value !== undefined)
  const next: WebhookEndpoint = { ...endpoint, ...Object.fromEntries(given) }
  const fields = given.map(([field]) => field as keyof UpdateWebhookEndpoint)
  const changed = fields.filter((field) => JSON.stringify(next[field]) !== JSON.stringify(endpoint[field]))
  if (changed.length === 0) return endpoint
  if (changed.includes('url')) requireUrl(next.url, allowPrivate)
  if (changed.includes('headers')) requireHeaders(next.headers)
  if (input.include_clients && !endpoint.include_clients) requireAgency(caller)
  // The endpoint then shows only what the caller may read. Otherwise a caller could read more through another key's
  // endpoint.
  const isReassigned = changed.some((field) => ownedFields.has(field))
  const owner = isReassigned ? sql`${setOwnerColumns(caller)},` : sql``
  if (isReassigned) requireReadable(caller, next.types)
  if (isReassigned) await requireSegment(tx, caller, next)
  await tx.run(sql`
    update webhook_endpoint
    set ${owner} url = ${next.url}, description = ${next.description}, types = ${next.types}, payload = ${next.payload},
      include_clients = ${next.include_clients}, segment_id = ${next.segment_id}, max_per_second = ${next.max_per_second},
      max_in_flight = ${next.max_in_flight}, headers = ${JSON.stringify(next.headers)}::json,
      version = version + 1, updated_at = now()
    where org_id = ${tx.orgId} and endpoint_id = ${endpointId}`)
  if (changed.includes('include_clients')) await placeClients(tx, endpointId, next.include_clients)
  await recordEvents(tx, [{ type: 'webhook_endpoint.updated', objectId: endpointId, changed }])
  return findEndpoint(tx, endpointId)
}

/** Deletes an endpoint with its secrets, attempts, retries and replays. @throws DomainError not_found */
export async function deleteEndpoint(tx: OrgTx, secrets: Secrets, endpointId: string): Promise<void> {
  const deleted = await tx.run(sql`
    delete from webhook_endpoint
    where org_id = ${tx.orgId} and endpoint_id = ${endpointId} and mode = ${tx.actor.mode}`)
  if (deleted === 0) throw endpointNotFound()
  await secrets.forget(tx, tx.orgId, secretName(endpointId))
  await secrets.forget(tx, tx.orgId, oldSecretName(endpointId))
  await recordEvents(tx, [{ type: 'webhook_endpoint.deleted', objectId: endpointId }])
}

/** @throws DomainError forbidden */
export function requireAgency({ reachesClients, orgId, homeOrgId }: Caller): void {
  if (!reachesClients || orgId !== homeOrgId)
    throw forbidden(
      'agency_key_required',
      'include_clients needs an agency key that acts on its own organization: use one, or leave include_clients out',
    )
}

/** Moves an endpoint past all events that are committed now, in each event log that it reads. */
export async function movePositionToNow(tx: OrgTx, endpointId: string): Promise<void> {
  // A snapshot is valid for the whole database, so the same position fits the logs of all organizations.
  const position = JSON.stringify(await positionOfNow(tx))
  await tx.run(sql`
    insert into webhook_position (org_id, endpoint_id, source_org_id, position)
    select e.org_id, e.endpoint_id, s.source_org_id, ${position}::json
    from webhook_endpoint e cross join lateral (
      select e.org_id as source_org_id
      union all
      select client_org_id from agency_client where agency_org_id = e.org_id and e.include_clients
    ) as s
    where e.org_id = ${tx.orgId} and e.endpoint_id = ${endpointId}
    on conflict (org_id, endpoint_id, source_org_id) do update set position = excluded.position`)
}

/** Adds the positions in the logs of clients, or removes them with the retries of their events. */
async function placeClients(tx: OrgTx, endpointId: string, included: boolean): Promise<void> {
  if (!included) {
    await tx.run(sql`
      delete from webhook_position
      where org_id = ${tx.orgId} and endpoint_id = ${endpointId} and source_org_id <> ${tx.orgId}`)
    await tx.run(sql`
      delete from webhook_retry
      where org_id = ${tx.orgId} and endpoint_id = ${endpointId} and source_org_id <> ${tx.orgId}`)
    return
  }
  const position = JSON.stringify(await positionOfNow(tx))
  await tx.run(sql`
    insert into webhook_position (org_id, endpoint_id, source_org_id, position)
    select ${tx.orgId}, ${endpointId}, client_org_id, ${position}::json
    from agency_client where agency_org_id = ${tx.orgId}
    on conflict do nothing`)
}
