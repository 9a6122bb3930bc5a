import { type EventType, nounOf } from '../events/catalog.ts'
import type { WantedTypes } from '../events/position.ts'
import { typesOf } from '../events/type-patterns.ts'
import type { Caller } from '../platform/caller.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { sql } from '../platform/db/sql.ts'
import type { Columns } from '../platform/db/tables.ts'
import { notFound } from '../platform/domain-error.ts'
import { refuse } from '../platform/http/fields.ts'
import { detailAt, ValidationError } from '../platform/http/validation.ts'
import { disable } from './disable.ts'
import { requireReadable } from './readable.ts'
import type { WebhookEndpoint } from './schema.ts'

/** The segment whose records an endpoint gets events of. */
export type EndpointSegment = { readonly segmentId: string; readonly entity: string }

type Asked = Pick<WebhookEndpoint, 'segment_id' | 'types' | 'include_clients'>

/**
 * Requires that an endpoint can use its segment, which nobody deletes before `tx` ends.
 * @throws DomainError not_found; forbidden if the caller may not read its records; ValidationError if the endpoint
 * would never get an event, or if it gets the events of clients
 */
export async function requireSegment(
  tx: OrgTx,
  caller: Caller,
  { segment_id: segmentId, types, include_clients: includesClients }: Asked,
): Promise<void> {
  if (segmentId === null) return
  const found = await tx.first(sql<Columns<'segment', 'entity'>>`
    select entity from segment where org_id = ${tx.orgId} and segment_id = ${segmentId} for key share`)
  if (!found) throw notFound('reference_not_found', 'segment_id: no segment of this organization has this id')
  const { entity } = found
  requireReadable(caller, [`${entity}.*`])
  if (includesClients)
    throw refusedSegment('a segment has only your own records: set include_clients to false, or leave it out')
  if (typesOf(types)?.every((type) => nounOf(type) !== entity))
    throw refusedSegment(`a segment of the type ${entity} needs a type such as ${entity}.*`)
}

const refusedSegment = (text: string) => new ValidationError([detailAt(['body', 'segment_id'], refuse(text))])

/** Returns the wanted types of records of the segment. */
export function typesOfSegment(
  { live, test }: WantedTypes,
  { entity }: EndpointSegment,
  all: readonly EventType[],
): WantedTypes {
  const of = (types: readonly EventType[] | null) => (types ?? all).filter((type) => nounOf(type) === entity)
  return { live: of(live), test: of(test) }
}

/**
 * Disables an endpoint whose segment has a filter that is not valid any more, unless a request has changed the endpoint
 * since `version`: it may have another segment now.
 */
export const disableWithInvalidSegment = (tx: OrgTx, endpointId: string, version: number): Promise<void> =>
  disable(tx, endpointId, 'segment_invalid', sql`e.version = ${version}`)
