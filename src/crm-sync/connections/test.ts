import type { Actor } from '../../events/record.ts'
import type { Context } from '../../platform/context.ts'
import type { Org } from '../../platform/db/org.ts'
import { badGateway } from '../../platform/http/problem.ts'
import { AccessRefused, type Adapter, type Kind, Unavailable, Unusable } from '../adapters/adapter.ts'
import { openAdapter } from '../adapters/adapters.ts'
import { fieldMapOf } from '../field-map.ts'
import type { ConnectionTest } from '../schema.ts'
import { noteAccess, readConnection, type StoredConnection, supportsLeads } from './connections.ts'

type Report = ConnectionTest['contact']

/**
 * Asks the CRM whether a push would work: credentials, objects, our id's field, and every field that would be sent. Notes
 * what it says of the credentials.
 * @throws Problem 404; 502 if the CRM cannot be asked
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
    const contact = await reportOf(adapter, connection, 'contact')
    const lead = supportsLeads(connection) ? await reportOf(adapter, connection, 'lead') : null
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

async function reportOf(adapter: Adapter, connection: StoredConnection, kind: Kind): Promise<Report> {
  const map = fieldMapOf(connection.provider, kind, connection.field_map)
  try {
    const [{ fields, keyField }, problems] = [await adapter.describe(kind), await adapter.problems(kind)]
    const known = new Map(fields.map((field) => [field.name, field]))
    const unfit = Object.entries(map).flatMap(([ours, theirs]) => {
      const field = known.get(theirs)
      if (field?.writable) return []
      const why = field ? 'may not be written' : 'is not there'
      return [
        `Their field ${theirs}, where ${ours} goes, ${why}: change field_map, or set "${ours}": null in it.`,
      ]
    })
    const sent = new Set([...Object.values(map), keyField])
    const open = fields.filter(({ name, required }) => required && !sent.has(name))
    const needed = open.map(
      ({ name }) => `Their field ${name} is required, and nothing goes there: add it to field_map.`,
    )
    const all = [...problems, ...unfit, ...needed]
    return { works: all.length === 0, problems: all, field_map: map }
  } catch (error) {
    if (!(error instanceof Unusable)) throw error
    return { works: false, problems: [error.message], field_map: map }
  }
}
