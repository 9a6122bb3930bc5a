import { v7 } from 'uuid'
import { recordEventsBy } from '../events/record.ts'
import type { Actor } from '../platform/actor.ts'
import type { Org } from '../platform/db/org.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { timeOf } from '../platform/db/uuid-time.ts'
import { invalid, isNotFound, notFound } from '../platform/domain-error.ts'
import type { Cursors } from '../platform/http/cursor.ts'
import type { Pagination } from '../platform/http/endpoint.ts'
import { requireVersion } from '../platform/http/if-match.ts'
import { type ListQuery, paginationOf, startOf } from '../platform/http/list.ts'
import type { Secrets } from '../platform/secrets/secrets.ts'
import type { Kind } from './adapters/adapter.ts'
import { credentialsFor, hintsOf } from './credentials.ts'
import { checkFieldMap, type FieldMap } from './field-map.ts'
import { readCredentials, secretOf } from './kept-credentials.ts'
import type { ProviderName } from './providers.ts'
import type { Connection, CreateConnection, UpdateConnection } from './schema.ts'

/** A connection as the database holds it. */
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

/** Which providers' people are Leads first. */
const leadsOf: Record<ProviderName, boolean> = {
  sandbox: true,
  salesforce: true,
  hubspot: true,
  espocrm: true,
}
const titles: Record<ProviderName, string> = {
  ...{ sandbox: 'Sandbox', salesforce: 'Salesforce', hubspot: 'HubSpot', espocrm: 'EspoCRM' },
}
/** What our id's field is called, where nobody said otherwise. */
export const usualKeyField: Record<ProviderName, string> = {
  sandbox: 'crosswalk_id',
  salesforce: 'Crosswalk_Id__c',
  hubspot: 'crosswalk_id',
  espocrm: 'crosswalkId',
}

const columns = `
  connection_id, provider, name, status, error, system, field_map, settings, version,
  floor(extract(epoch from created_at))::bigint as created_at,
  floor(extract(epoch from updated_at))::bigint as updated_at`

export const supportsLeads = ({ provider }: Pick<StoredConnection, 'provider'>): boolean => leadsOf[provider]

/** @throws DomainError invalid if its CRM has nothing of the kind */
export function requireKind({ provider }: Pick<StoredConnection, 'provider'>, kind: Kind): void {
  if (kind === 'contact' || leadsOf[provider]) return
  throw invalid(`${provider} has no Leads: push Contacts instead (POST /integrations/crm-sync/contacts/push)`)
}

/** What jobs have in common that are at one connection, and so are at work one after another. */
export const serialKeyOf = (connectionId: string): string => `crm connection ${connectionId}`

/** The org's connections, newest first. */
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
      tx.rows<StoredConnection>({
        text: `
          select ${columns} from crm_connection
          where org_id = $1 and deleted_at is null and ($2::uuid is null or connection_id < $2)
          order by connection_id desc limit $3 offset $4`,
        values: [org.orgId, start.after, start.limit + 1, start.skip],
      }),
      tx.first<{ total: number }>({
        text: `select count(*)::int as total from crm_connection where org_id = $1 and deleted_at is null`,
        values: [org.orgId],
      }),
    ])
    const shown = found.slice(0, start.limit)
    const rows = await Promise.all(shown.map((each) => show(tx, secrets, org.orgId, each)))
    const page = {
      last: shown.at(-1)?.connection_id ?? null,
      hasNext: found.length > start.limit,
      total: counted!.total,
    }
    return { rows, pagination: paginationOf(cursors, org.orgId, list, start, page) }
  })
}

/** @throws DomainError not_found */
export async function findConnection(
  tx: OrgTx,
  secrets: Secrets,
  orgId: string,
  connectionId: string,
): Promise<Connection> {
  return show(tx, secrets, orgId, await readConnection(tx, orgId, connectionId))
}

/** @param deletedToo what runs may still name one that was deleted @throws DomainError not_found */
export async function readConnection(
  tx: OrgTx,
  orgId: string,
  connectionId: string,
  { lock = '', deletedToo = false }: { lock?: string; deletedToo?: boolean } = {},
): Promise<StoredConnection> {
  const row = await tx.first<StoredConnection>({
    text: `
      select ${columns} from crm_connection
      where org_id = $1 and connection_id = $2 and (deleted_at is null or $3) ${lock}`,
    values: [orgId, connectionId, deletedToo],
  })
  if (!row) throw notFound('No CRM connection of this organization has this id')
  return row
}

/** The connection that a body names. @throws DomainError not_found that names the field */
export async function namedConnection(
  tx: OrgTx,
  orgId: string,
  connectionId: string,
  options: { lock?: string } = {},
): Promise<StoredConnection> {
  try {
    return await readConnection(tx, orgId, connectionId, options)
  } catch (error) {
    throw isNotFound(error) ? notFound(`connection_id: ${error.message}`) : error
  }
}

/** @throws ValidationError if the credentials are not the provider's */
export async function createConnection(
  tx: OrgTx,
  secrets: Secrets,
  actor: Actor,
  input: CreateConnection,
): Promise<Connection> {
  const { orgId } = actor
  const { provider } = input
  const credentials = credentialsFor(provider, null, input.credentials)
  if (input.field_map) checkFieldMap(provider, input.field_map)
  const connectionId = v7()
  const system = await freeSystem(tx, orgId, provider)
  const name = input.name ?? titles[provider]
  await Promise.all([
    tx.run({
      text: `
        insert into crm_connection
          (org_id, connection_id, provider, name, system, field_map, settings, created_at, updated_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
      values: [
        ...[orgId, connectionId, provider, name, system, JSON.stringify(input.field_map ?? {})],
        ...[JSON.stringify(input.settings ?? {}), new Date(timeOf(connectionId))],
      ],
    }),
    secrets.put(tx, orgId, secretOf(connectionId), JSON.stringify(credentials)),
    recordEventsBy(tx, actor, [{ type: 'crm_connection.created', objectId: connectionId }]),
  ])
  return findConnection(tx, secrets, orgId, connectionId)
}

/**
 * Changes the fields that are given; new credentials end that it needs attention.
 * @throws DomainError not_found; conflict if `version` is not the current one; ValidationError
 */
export async function changeConnection(
  tx: OrgTx,
  secrets: Secrets,
  actor: Actor,
  connectionId: string,
  input: UpdateConnection,
  version: number | undefined,
): Promise<Connection> {
  const { orgId } = actor
  const before = await readConnection(tx, orgId, connectionId, { lock: 'for no key update' })
  requireVersion('this connection', version, before.version)
  const kept = input.credentials && (await readCredentials(tx, secrets, orgId, connectionId))
  const credentials = input.credentials && credentialsFor(before.provider, kept ?? null, input.credentials)
  if (input.field_map) checkFieldMap(before.provider, input.field_map)
  const after = {
    name: input.name ?? before.name,
    field_map: input.field_map ?? before.field_map,
    settings: { ...before.settings, ...input.settings },
  }
  const fields = (['name', 'field_map', 'settings'] as const).filter(
    (field) => JSON.stringify(after[field]) !== JSON.stringify(before[field]),
  )
  const isNew = JSON.stringify(credentials) !== JSON.stringify(kept)
  const changed = [...fields, ...(isNew ? ['credentials'] : [])]
  if (changed.length > 0) {
    await Promise.all([
      tx.run({
        text: `
          update crm_connection set name = $3, field_map = $4, settings = $5, version = version + 1,
            status = case when $6 then 'ok' else status end,
            error = case when $6 then null else error end, updated_at = clock_timestamp()
          where org_id = $1 and connection_id = $2`,
        values: [
          ...[orgId, connectionId, after.name, JSON.stringify(after.field_map)],
          ...[JSON.stringify(after.settings), isNew],
        ],
      }),
      isNew && secrets.put(tx, orgId, secretOf(connectionId), JSON.stringify(credentials)),
      recordEventsBy(tx, actor, [{ type: 'crm_connection.updated', objectId: connectionId, changed }]),
    ])
  }
  return findConnection(tx, secrets, orgId, connectionId)
}

/** Forgets a connection and its credentials. What is in the CRM stays. */
export async function deleteConnection(
  tx: OrgTx,
  secrets: Secrets,
  actor: Actor,
  connectionId: string,
): Promise<void> {
  const { orgId } = actor
  await readConnection(tx, orgId, connectionId, { lock: 'for update' })
  await Promise.all([
    tx.run({
      text: `
        update crm_connection set deleted_at = clock_timestamp(), system = system || ' ' || connection_id
        where org_id = $1 and connection_id = $2`,
      values: [orgId, connectionId],
    }),
    secrets.forget(tx, orgId, secretOf(connectionId)),
    recordEventsBy(tx, actor, [{ type: 'crm_connection.deleted', objectId: connectionId }]),
  ])
}

/** Notes that a connection works, or why somebody has to see to it; not if it was changed since it was read. */
export async function noteAccess(
  tx: OrgTx,
  orgId: string,
  { connection_id: connectionId, version }: StoredConnection,
  reason: string | null,
): Promise<void> {
  const error = reason === null ? null : JSON.stringify({ code: 'access_refused', message: reason })
  await tx.run({
    text: `
      update crm_connection set status = $3, error = $4
      where org_id = $1 and connection_id = $2 and version = $5
        and (status <> $3 or error::text is distinct from $4::json::text)`,
    values: [orgId, connectionId, reason === null ? 'ok' : 'needs_attention', error, version],
  })
}

async function show(
  tx: OrgTx,
  secrets: Secrets,
  orgId: string,
  { settings, ...stored }: StoredConnection,
): Promise<Connection> {
  const credentials = await readCredentials(tx, secrets, orgId, stored.connection_id)
  return {
    ...stored,
    supports_leads: supportsLeads(stored),
    credentials: hintsOf(credentials ?? {}),
    settings: {
      external_id_field: settings.external_id_field ?? usualKeyField[stored.provider],
      allow_duplicates: settings.allow_duplicates ?? false,
    },
  }
}

/** The provider's name, or for its second connection `salesforce-2`. */
async function freeSystem(tx: OrgTx, orgId: string, provider: ProviderName): Promise<string> {
  // Two that are made at once wait for one another.
  await tx.run({ text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))', values: [`crm ${orgId}`] })
  const taken = await tx.rows<{ system: string }>({
    text: 'select system from crm_connection where org_id = $1 and provider = $2',
    values: [orgId, provider],
  })
  const names = new Set(taken.map(({ system }) => system))
  let name: string = provider
  for (let number = 2; names.has(name); number++) name = `${provider}-${number}`
  return name
}
