import { type EventType, eventTypes } from '../../events/catalog.ts'
import type { WantedTypes } from '../../events/position.ts'
import { mayRead } from '../../events/readable.ts'
import { isSimulated, typesOf } from '../../events/type-patterns.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Columns } from '../../platform/db/tables.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'
import { joinOwner, type OwnerRow, ownerColumns, rightsOf } from '../owner.ts'
import { oldSecretName, secretName } from '../secret-names.ts'
import { type EndpointSegment, typesOfSegment } from '../segment.ts'
import type { Health } from './evaluate-batch.ts'
import { healthOf } from './health.ts'
import { secretBytes } from './sign.ts'

/** What a delivery needs to know about an endpoint. */
export type DeliveryEndpoint = {
  readonly endpointId: string
  /** Each change by a request increments the version; deliveries do not. */
  readonly version: number
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly secrets: readonly Buffer[]
  readonly payload: 'full' | 'thin'
  readonly permissions: readonly string[] | null
  /** Whether the owner of the endpoint is a member who has left, or a key of a former agency. */
  readonly isOrphan: boolean
  readonly segment: EndpointSegment | null
  readonly wanted: WantedTypes
  /** The types that the endpoint may get, even types that it does not want. */
  readonly allowed: WantedTypes
  readonly maxInFlight: number
  readonly maxPerSecond: number | null
  readonly health: Health
}

type Row = Columns<
  'webhook_endpoint',
  | 'mode'
  | 'url'
  | 'types'
  | 'payload'
  | 'max_per_second'
  | 'max_in_flight'
  | 'headers'
  | 'status'
  | 'disabled_reason'
  | 'failures'
  | 'refusals'
  | 'first_failure_at'
  | 'last_failure_at'
  | 'next_probe_at'
  | 'old_secret_expires_at'
  | 'version'
> &
  OwnerRow & { segment_id: string | null; segment_entity: string | null }

/** Reads an endpoint with its secrets; null if it was deleted. */
export async function readEndpoint(
  tx: OrgTx,
  secrets: Pick<Secrets, 'open'>,
  endpointId: string,
): Promise<DeliveryEndpoint | null> {
  const open = (name: string) => secrets.open(tx, tx.orgId, name)
  const [row, current, old] = await Promise.all([
    tx.first(sql<Row>`
      select e.mode, e.url, e.types, e.payload, e.max_per_second, e.max_in_flight, e.headers, e.status,
        e.disabled_reason, e.failures, e.refusals, e.first_failure_at, e.last_failure_at, e.next_probe_at,
        e.old_secret_expires_at, e.version, e.segment_id, s.entity as segment_entity, ${ownerColumns}
      from webhook_endpoint e
      left join segment s on s.org_id = e.org_id and s.segment_id = e.segment_id
      ${joinOwner} where e.org_id = ${tx.orgId} and e.endpoint_id = ${endpointId}`),
    open(secretName(endpointId)),
    open(oldSecretName(endpointId)),
  ])
  if (!row) return null
  const isOldValid = row.old_secret_expires_at !== null && row.old_secret_expires_at.getTime() > Date.now()
  const rights = rightsOf(row)
  const permissions = rights ? rights.permissions : []
  const segment =
    row.segment_id !== null && row.segment_entity !== null
      ? { segmentId: row.segment_id, entity: row.segment_entity }
      : null
  const wanted = wantedTypesOf(row.mode, row.types)
  const valid = [current, isOldValid ? old : null].filter((secret) => secret !== null)
  return {
    endpointId,
    version: row.version,
    url: new URL(row.url),
    headers: row.headers as Record<string, string>,
    secrets: valid.map(secretBytes),
    payload: row.payload as DeliveryEndpoint['payload'],
    permissions,
    isOrphan: rights === null,
    segment,
    wanted: readableOnly(segment ? typesOfSegment(wanted, segment, eventTypes) : wanted, permissions),
    allowed: readableOnly(wantedTypesOf(row.mode, ['*']), permissions),
    maxInFlight: row.max_in_flight,
    maxPerSecond: row.max_per_second,
    health: healthOf(row),
  }
}

/**
 * Prevents the deletion of the endpoint until `tx` ends. Returns its version; null if it was deleted. The commit of `tx`
 * does not wait for the disk: if the database crashes, the events of the last second are sent again.
 */
export async function lockAgainstDeletion(tx: OrgTx, endpointId: string): Promise<number | null> {
  const found = await tx.first(sql<{ version: number }>`
    select version, set_config('synchronous_commit', 'off', true) from webhook_endpoint
    where org_id = ${tx.orgId} and endpoint_id = ${endpointId} for key share`)
  return found?.version ?? null
}

/** Returns the types that an existing endpoint may get now, even types that it does not want. */
export async function readAllowedTypes(tx: OrgTx, endpointId: string): Promise<WantedTypes> {
  const row = await tx.first(sql<OwnerRow & { mode: string }>`
    select e.mode, ${ownerColumns} from webhook_endpoint e ${joinOwner}
    where e.org_id = ${tx.orgId} and e.endpoint_id = ${endpointId}`)
  const rights = row ? rightsOf(row) : null
  return readableOnly(wantedTypesOf(row?.mode ?? 'live', ['*']), rights ? rights.permissions : [])
}

/** Returns whether an event is of a type that is wanted. */
export function isWantedType(
  wanted: WantedTypes,
  { mode, type }: { mode: 'live' | 'test'; type: EventType },
): boolean {
  return wanted[mode]?.includes(type) ?? true
}

/** Returns the types of events whose objects may be read with the permissions. */
function readableOnly(wanted: WantedTypes, permissions: readonly string[] | null): WantedTypes {
  if (permissions === null) return wanted
  const of = (types: readonly EventType[] | null) =>
    (types ?? eventTypes).filter((type) => mayRead(permissions, type))
  return { live: of(wanted.live), test: of(wanted.test) }
}

/**
 * The types that an endpoint gets. A live endpoint also gets changes by test API keys, because both modes change the
 * same records. It gets no simulated calls, pushes and installs. A test endpoint gets only events of test API keys.
 */
function wantedTypesOf(mode: string, patterns: readonly string[]): WantedTypes {
  const types = typesOf(patterns)
  if (mode === 'test') return { live: [], test: types }
  return { live: types, test: (types ?? eventTypes).filter((type) => !isSimulated(type)) }
}
