import type { Actor } from '../../platform/actor.ts'
import type { Context } from '../../platform/context.ts'
import type { Org } from '../../platform/db/org.ts'
import { badGateway } from '../../platform/domain-error.ts'
import { cutText } from '../../platform/outbound/answers.ts'
import { AccessRefused, type Adapter, type CrmKind, CrmSetupError, Unavailable } from '../adapters/adapter.ts'
import { openAdapter } from '../adapters/adapters.ts'
import type { ConnectionTest } from '../connection-schema.ts'
import { readConnection, type StoredConnection, saveAccess } from '../connections.ts'
import { type MemberTypes, readMemberTypes } from '../defined-members.ts'
import { fieldMapOf, fieldMapProblems } from '../field-map.ts'

type KindReport = ConnectionTest['contact']

/** How many problems a report shows at most: a CRM may require any number of fields. */
const problemsMax = 100

/**
 * Asks the CRM whether a push would work: credentials, objects, the field for Crosswalk's id, and every field of the
 * map. Stores whether the CRM accepts the credentials.
 * @throws DomainError not_found; bad_gateway if the CRM cannot be asked
 */
export async function testConnection(
  context: Context,
  org: Org,
  { mode }: Pick<Actor, 'mode'>,
  connectionId: string,
): Promise<ConnectionTest> {
  const connection = await org.read((tx) => readConnection(tx, connectionId))
  const types = await org.read(readMemberTypes)
  try {
    const adapter = await openAdapter(context, org, connection, mode)
    const [contact, lead] = await reportsOf(adapter, connection, types)
    const works = contact.works || lead.works
    // In test mode, the sandbox answered, which proves nothing about the credentials.
    if (mode === 'live' && works) await org.transact((tx) => saveAccess(tx, connection, null))
    return { connection_id: connectionId, works, lead, contact }
  } catch (error) {
    if (error instanceof Unavailable) throw badGateway('crm_unavailable', cutText(error.message))
    if (!(error instanceof AccessRefused)) throw error
    const message = cutText(error.message)
    await org.transact((tx) => saveAccess(tx, connection, message))
    const refused: KindReport = { works: false, problems: [message], field_map: {} }
    return { connection_id: connectionId, works: false, lead: refused, contact: refused }
  }
}

/**
 * Reports each kind on its own.
 * @throws Unavailable if the CRM answers for no kind
 */
async function reportsOf(
  adapter: Adapter,
  connection: StoredConnection,
  types: MemberTypes,
): Promise<[KindReport, KindReport]> {
  // At once: a CRM that does not answer must not let a client wait for two timeouts.
  const [contact, lead] = await Promise.all([
    reportOrUnavailable(adapter, connection, types, 'contact'),
    reportOrUnavailable(adapter, connection, types, 'lead'),
  ])
  if (contact.unavailable && lead.unavailable) throw contact.unavailable
  return [contact.report, lead.report]
}

async function reportOrUnavailable(
  adapter: Adapter,
  connection: StoredConnection,
  types: MemberTypes,
  kind: CrmKind,
): Promise<{ report: KindReport; unavailable?: Unavailable }> {
  try {
    return { report: await reportOf(adapter, connection, types, kind) }
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
    const map = fieldMapOf(connection.provider, kind, connection.field_map)
    return {
      report: { works: false, problems: [cutText(error.message)], field_map: map },
      unavailable: error,
    }
  }
}

async function reportOf(
  adapter: Adapter,
  connection: StoredConnection,
  types: MemberTypes,
  kind: CrmKind,
): Promise<KindReport> {
  const map = fieldMapOf(connection.provider, kind, connection.field_map)
  try {
    const [{ fields, keyField }, problems] = [await adapter.describe(kind), await adapter.problems(kind)]
    const sent = new Set([...Object.values(map), keyField])
    const unmapped = fields.filter(({ name, required }) => required && !sent.has(name))
    const needed = unmapped.map(
      ({ name }) =>
        `The CRM requires the field ${name}, and no field of a person goes there: add it to the fields of the connection (field_map).`,
    )
    const all = [...problems, ...fieldMapProblems(fields, map, types), ...needed]
    const shown = all.slice(0, problemsMax).map(cutText)
    return { works: all.length === 0, problems: shown, field_map: map }
  } catch (error) {
    if (!(error instanceof CrmSetupError)) throw error
    return { works: false, problems: [cutText(error.message)], field_map: map }
  }
}
