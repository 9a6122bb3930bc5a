import type { Actor } from '../../platform/actor.ts'
import type { Context } from '../../platform/context.ts'
import type { Org } from '../../platform/db/org.ts'
import { badGateway } from '../../platform/domain-error.ts'
import { AccessRefused, type Adapter, type Kind, Unavailable, Unusable } from '../adapters/adapter.ts'
import { openAdapter } from '../adapters/adapters.ts'
import { noteAccess, readConnection, type StoredConnection, supportsLeads } from '../connections.ts'
import { fieldMapOf, unfitFields } from '../field-map.ts'
import type { ConnectionTest } from '../schema.ts'

type Report = ConnectionTest['contact']

/**
 * Asks the CRM whether a push would work: credentials, objects, our id's field, and every field that would be sent. Notes
 * what it says of the credentials.
 * @throws DomainError not_found; bad_gateway if the CRM cannot be asked
 */
export async function testConnection(
  context: Context,
  org: Org,
  { mode }: Pick<Actor, 'mode'>,
  connectionId: string,
): Promise<ConnectionTest> {
  const connection = await org.read((tx) => readConnection(tx, org.orgId, connectionId))
  try {
    const adapter = await openAdapter(context, org, connection, mode)
    const [contact, lead] = await reportsOf(adapter, connection)
    // The sandbox says nothing of the credentials.
    if (mode === 'live') await org.transact((tx) => noteAccess(tx, org.orgId, connection, null))
    return { connection_id: connectionId, works: contact.works || lead?.works === true, lead, contact }
  } catch (error) {
    if (error instanceof Unavailable) throw badGateway(error.message)
    if (!(error instanceof AccessRefused)) throw error
    const { message } = error
    await org.transact((tx) => noteAccess(tx, org.orgId, connection, message))
    const refused: Report = { works: false, problems: [message], field_map: {} }
    return {
      connection_id: connectionId,
      works: false,
      lead: supportsLeads(connection) ? refused : null,
      contact: refused,
    }
  }
}

/**
 * Reports each kind for itself.
 * @throws Unavailable if the CRM answers for no kind
 */
async function reportsOf(adapter: Adapter, connection: StoredConnection): Promise<[Report, Report | null]> {
  const contact = await reportOrAway(adapter, connection, 'contact')
  const lead = supportsLeads(connection) ? await reportOrAway(adapter, connection, 'lead') : null
  if (contact.away && (lead === null || lead.away)) throw contact.away
  return [contact.report, lead?.report ?? null]
}

async function reportOrAway(
  adapter: Adapter,
  connection: StoredConnection,
  kind: Kind,
): Promise<{ report: Report; away?: Unavailable }> {
  try {
    return { report: await reportOf(adapter, connection, kind) }
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
    const map = fieldMapOf(connection.provider, kind, connection.field_map)
    return { report: { works: false, problems: [error.message], field_map: map }, away: error }
  }
}

async function reportOf(adapter: Adapter, connection: StoredConnection, kind: Kind): Promise<Report> {
  const map = fieldMapOf(connection.provider, kind, connection.field_map)
  try {
    const [{ fields, keyField }, problems] = [await adapter.describe(kind), await adapter.problems(kind)]
    const sent = new Set([...Object.values(map), keyField])
    const open = fields.filter(({ name, required }) => required && !sent.has(name))
    const needed = open.map(
      ({ name }) => `Their field ${name} is required, and nothing goes there: add it to field_map.`,
    )
    const all = [...problems, ...unfitFields(fields, map), ...needed]
    return { works: all.length === 0, problems: all, field_map: map }
  } catch (error) {
    if (!(error instanceof Unusable)) throw error
    return { works: false, problems: [error.message], field_map: map }
  }
}
