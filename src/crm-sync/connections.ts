import { recordEvents } from '../events/record.ts'
import { lockExclusive } from '../platform/db/advisory-lock.ts'
import { newId } from '../platform/db/new-id.ts'
import type { Org } from '../platform/db/org.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { rawSql, type Sql, sql } from '../platform/db/sql.ts'
import { timeOf } from '../platform/db/uuid-time.ts'
import { isNotFound, notFound } from '../platform/domain-error.ts'
import type { Cursors } from '../platform/http/cursor.ts'
import type { Pagination } from '../platform/http/endpoint.ts'
import { requireVersion } from '../platform/http/if-match.ts'
import { type ListQuery, paginationOf, startOf } from '../platform/http/list.ts'
import type { Secrets } from '../platform/secrets/secrets.ts'
import type { Connection, CreateConnection, UpdateConnection } from './connection-schema.ts'
import { credentialsFor, hintsOf } from './credentials.ts'
import { checkDefinedMembers } from './defined-members.ts'
import { checkFieldMap, type FieldMap } from './field-map.ts'
import type { ProviderName } from './providers.ts'
import { readCredentials, secretName } from './stored-credentials.ts'

/** A connection as the database stores it. */
export type StoredConnection = Pick<
  Connection,
  | 'connection_id'
  | 'provider'
  | 'name'
  | 'status'
  | 'error'
  | 'system'
  | 'version'
  | 'created_at'
  | 'updated_at'
> & { field_map: FieldMap; settings: { external_id_field?: string; allow_duplicates?: boolean } }

const titles: Record<ProviderName, string> = {
  ...{ sandbox: 'Sandbox', salesforce: 'Salesforce', hubspot: 'HubSpot', espocrm: 'EspoCRM' },
}

/** The CRM's field for Crosswalk's id. settings.external_id_field can name another one. */
export const defaultKeyField: Record<ProviderName, string> = {
  sandbox: 'crosswalk_id',
  salesforce: 'Crosswalk_Id__c',
  hubspot: 'crosswalk_id',
  espocrm: 'crosswalkId',
}

const columns = rawSql(`
  connection_id, provider, name, status, error, system, field_map, settings, version,
  floor(extract(epoch from created_at))::bigint as created_at,
  floor(extract(epoch from updated_at))::bigint as updated_at`)

/** The serial key of all jobs that use this connection. */
export const serialKeyOf = (connectionId: string): string => `crm connection ${connectionId}`

/** Lists the org's connections, newest first. */
export async function listConnections(
  org: Org,
  cursors: Cursors,
  secrets: Secrets,
  query: ListQuery,
): Promise<{ rows: Connection[]; pagination: Pagination }> {
  const list = 'crm connections'
  const start = startOf(cursors, org.orgId, list, query)
  return org.read(async (tx) => {
    const [found, counted] = await Promise.all([
      tx.rows(sql<StoredConnection>`
        select ${columns} from crm_connection
        where org_id = ${tx.orgId} and deleted_at is null
          and (${start.after}::uuid is null or connection_id < ${start.after}::uuid)
        order by connection_id desc limit ${start.limit + 1} offset ${start.skip}`),
      tx.first(sql<{ total: number }>`
        select count(*)::int as total from crm_connection where org_id = ${tx.orgId} and deleted_at is null`),
    ])
    const shown = found.slice(0, start.limit)
    const rows = await Promise.all(shown.map((each) => show(tx, secrets, each)))
    const page = {
      last: shown.at(-1)?.connection_id ?? null,
      hasNext: found.length > start.limit,
      total: counted?.total ?? 0,
    }
    return { rows, pagination: paginationOf(cursors, org.orgId, list, start, page) }
  })
}

/** A connection as answers show it. @throws DomainError not_found */
export async function findConnection(tx: OrgTx, secrets: Secrets, connectionId: string): Promise<Connection> {
  return show(tx, secrets, await readConnection(tx, connectionId))
}

type ReadOptions = { lock?: Sql; includesDeleted?: boolean }

/**
 * @param includesDeleted true for a running job, whose connection may be deleted
 * @throws DomainError not_found
 */
export async function readConnection(
  tx: OrgTx,
  connectionId: string,
  { lock = sql``, includesDeleted = false }: ReadOptions = {},
): Promise<StoredConnection> {
  const row = await tx.first(sql<StoredConnection>`
    select ${columns} from crm_connection
    where org_id = ${tx.orgId} and connection_id = ${connectionId}
      and (deleted_at is null or ${includesDeleted}) ${lock}`)
  if (!row) throw notFound('object_not_found', 'No CRM connection of this organization has this id')
  return row
}

/**
 * The connection whose id is in a request body.
 * @throws DomainError not_found that names the member of the body
 */
export async function namedConnection(
  tx: OrgTx,
  connectionId: string,
  options: { lock?: Sql } = {},
): Promise<StoredConnection> {
  try {
    return await readConnection(tx, connectionId, options)
  } catch (error) {
    throw isNotFound(error) ? notFound('reference_not_found', `connection_id: ${error.message}`) : error
  }
}

/** @throws ValidationError if the provider needs other credentials */
export async function createConnection(
  tx: OrgTx,
  secrets: Secrets,
  input: CreateConnection,
): Promise<Connection> {
  const { provider, field_map: fieldMap = {}, settings = {}, name = titles[provider] } = input
  const credentials = credentialsFor(provider, null, input.credentials)
  checkFieldMap(provider, fieldMap)
  await checkDefinedMembers(tx, fieldMap)
  const connectionId = newId()
  const system = await unusedSystemName(tx, provider)
  const createdAt = new Date(timeOf(connectionId))
  await Promise.all([
    tx.run(sql`
      insert into crm_connection
        (org_id, connection_id, provider, name, system, field_map, settings, created_at, updated_at)
      values (${tx.orgId}, ${connectionId}, ${provider}, ${name}, ${system}, ${JSON.stringify(fieldMap)},
        ${JSON.stringify(settings)}, ${createdAt}, ${createdAt})`),
    secrets.put(tx, tx.orgId, secretName(connectionId), JSON.stringify(credentials)),
    recordEvents(tx, [{ type: 'crm_connection.created', objectId: connectionId }]),
  ])
  return findConnection(tx, secrets, connectionId)
}

/**
 * Changes the given fields. New credentials set the status back to `ok`.
 * @throws DomainError not_found; conflict if `version` is not the current one; ValidationError
 */
export async function changeConnection(
  tx: OrgTx,
  secrets: Secrets,
  connectionId: string,
  input: UpdateConnection,
  version: number | undefined,
): Promise<Connection> {
  const before = await readConnection(tx, connectionId, { lock: sql`for no key update` })
  requireVersion('this connection', version, before.version)
  const stored = input.credentials && (await readCredentials(tx, secrets, connectionId))
  const credentials = input.credentials && credentialsFor(before.provider, stored ?? null, input.credentials)
  if (input.field_map) {
    checkFieldMap(before.provider, input.field_map)
    await checkDefinedMembers(tx, input.field_map)
  }
  const after = {
    name: input.name ?? before.name,
    field_map: input.field_map ?? before.field_map,
    settings: { ...before.settings, ...input.settings },
  }
  const fields = (['name', 'field_map', 'settings'] as const).filter(
    (field) => JSON.stringify(after[field]) !== JSON.stringify(before[field]),
  )
  const isNew = JSON.stringify(credentials) !== JSON.stringify(stored)
  const changed = [...fields, ...(isNew ? ['credentials'] : [])]
  if (changed.length > 0) {
    await Promise.all([
      tx.run(sql`
        update crm_connection
        set name = ${after.name}, field_map = ${JSON.stringify(after.field_map)},
          settings = ${JSON.stringify(after.settings)}, version = version + 1,
          status = case when ${isNew} then 'ok' else status end,
          error = case when ${isNew} then null else error end, updated_at = clock_timestamp()
        where org_id = ${tx.orgId} and connection_id = ${connectionId}`),
      isNew && secrets.put(tx, tx.orgId, secretName(connectionId), JSON.stringify(credentials)),
      recordEvents(tx, [{ type: 'crm_connection.updated', objectId: connectionId, changed }]),
    ])
  }
  return findConnection(tx, secrets, connectionId)
}

/** Deletes a connection and its credentials. Records in the CRM are kept. */
export async function deleteConnection(tx: OrgTx, secrets: Secrets, connectionId: string): Promise<void> {
  await readConnection(tx, connectionId, { lock: sql`for update` })
  await Promise.all([
    tx.run(sql`
      update crm_connection set deleted_at = clock_timestamp(), system = system || ' ' || connection_id
      where org_id = ${tx.orgId} and connection_id = ${connectionId}`),
    secrets.forget(tx, tx.orgId, secretName(connectionId)),
    recordEvents(tx, [{ type: 'crm_connection.deleted', objectId: connectionId }]),
  ])
}

/**
 * Stores whether the CRM accepts the credentials, unless the connection has changed since it was read.
 * @param reason why the CRM refuses them; null if it accepts them
 */
export async function saveAccess(
  tx: OrgTx,
  { connection_id: connectionId, version }: StoredConnection,
  reason: string | null,
): Promise<void> {
  const status = reason === null ? 'ok' : 'needs_attention'
  const error = reason === null ? null : JSON.stringify({ code: 'access_refused', message: reason })
  await tx.run(sql`
    update crm_connection set status = ${status}, error = ${error}
    where org_id = ${tx.orgId} and connection_id = ${connectionId} and version = ${version}
      and (status <> ${status} or error::text is distinct from ${error}::json::text)`)
}

async function show(
  tx: OrgTx,
  secrets: Secrets,
  { settings, ...stored }: StoredConnection,
): Promise<Connection> {
  const credentials = await readCredentials(tx, secrets, stored.connection_id)
  return {
    ...stored,
    supports_leads: true,
    credentials: hintsOf(credentials ?? {}),
    settings: {
      external_id_field: settings.external_id_field ?? defaultKeyField[stored.provider],
      allow_duplicates: settings.allow_duplicates ?? false,
    },
  }
}

/** Returns the name of the provider. A second connection gets a name such as `salesforce-2`. */
async function unusedSystemName(tx: OrgTx, provider: ProviderName): Promise<string> {
  // Lock first: two concurrent requests would choose the same name.
  await lockExclusive(tx, `crm connections ${tx.orgId}`)
  const taken = await tx.rows(sql<Pick<Connection, 'system'>>`
    select system from crm_connection where org_id = ${tx.orgId} and provider = ${provider}`)
  const names = new Set(taken.map(({ system }) => system))
  let name: string = provider
  for (let number = 2; names.has(name); number++) name = `${provider}-${number}`
  return name
}
