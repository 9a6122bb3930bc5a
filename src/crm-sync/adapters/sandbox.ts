import { setTimeout as delay } from 'node:timers/promises'
import { v7 } from 'uuid'
import type { Actor } from '../../platform/actor.ts'
import { anyOf } from '../../platform/db/any-of.ts'
import { JsonColumns } from '../../platform/db/json-columns.ts'
import type { Org } from '../../platform/db/org.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Cursors } from '../../platform/http/cursor.ts'
import type { Pagination } from '../../platform/http/endpoint.ts'
import type { ListQuery } from '../../platform/http/list.ts'
import type { Json } from '../../platform/json.ts'
import { Filter, readPage } from '../../platform/page.ts'
import { readConnection, type StoredConnection } from '../connections.ts'
import { fieldMapOf } from '../field-map.ts'
import { isKept } from '../links.ts'
import type { Adapter, CrmField, Kind, Person, RowOutcome } from './adapter.ts'

/** How long a batch takes that has an address with +slow. */
const slowMs = 4_000

/** A field, with the longest text that it takes, in characters, and all that it may hold; null: anything. */
type SandboxField = CrmField & { maxLength: number | null; options: readonly string[] | null }

/** Takes whatever it is given, but for what these say. */
const limits: Record<string, Partial<SandboxField>> = {
  last_name: { required: true, maxLength: 80 },
  lifecycle_stage: {
    options: ['subscriber', 'lead', 'qualified', 'opportunity', 'customer', 'other'],
  },
}
const names = [
  ...['first_name', 'last_name', 'email', 'phone', 'company', 'job_title', 'city', 'region', 'country'],
  ...['linkedin_url', 'source', 'lifecycle_stage'],
]

const plainField = (name: string): SandboxField => ({
  ...{ name, maxLength: null, options: null, required: false, writable: true },
})
const fields = names.map((name) => ({ ...plainField(name), maxLength: 255, ...limits[name] }))

/**
 * A CRM of our own, and nothing leaves the house: the provider of every key in test mode. Where it stands for another
 * CRM, it has that one's fields, as far as people go into them, and takes whatever comes.
 */
export function sandboxAdapter(org: Org, connection: StoredConnection, mode: Actor['mode']): Adapter {
  const { connection_id: connectionId, provider, field_map: ownMap } = connection
  const fieldsOf = (kind: Kind): SandboxField[] =>
    provider === 'sandbox' ? fields : Object.values(fieldMapOf(provider, kind, ownMap)).map(plainField)
  return {
    batchSize: 200,
    describe: async (kind) => ({ fields: fieldsOf(kind), keyField: 'crosswalk_id' }),
    problems: async () => [],
    async upsert(kind: Kind, people: readonly Person[], signal: AbortSignal): Promise<RowOutcome[]> {
      if (people.some(({ email }) => email?.includes('+slow@'))) await delay(slowMs, undefined, { signal })
      const limited = fieldsOf(kind)
      const refusals = people.map((person) => refusalOf(person, limited))
      const at = new Date()
      const taken = people.filter((_, index) => refusals[index] === null)
      const rows = await org.transact((tx) =>
        tx.rows<{ record_key: string; external_id: string; is_new: boolean }>({
          // Whoever erases somebody holds them first, and then looks here: nobody is put back behind their back.
          text: `
            with there as (
              select contact_id from contact
              where org_id = $1 and contact_id = ${anyOf('$5')} and status <> 'erased' order by contact_id for share
            )
            insert into crm_sandbox_record as r
              (org_id, connection_id, mode, kind, record_key, external_id, values, created_at, updated_at)
            select $1, $2, $3, $4, p.key, p.id, p.values, $8, $8
            from unnest($5::uuid[], $6::uuid[], $7::json[]) as p (key, id, values)
            join there on there.contact_id = p.key where ${isKept}
            on conflict (org_id, connection_id, mode, kind, record_key) do update
            set values = excluded.values, updated_at = excluded.updated_at
            returning record_key, external_id, xmax = 0 as is_new`,
          values: [
            ...[org.orgId, connectionId, mode, kind, taken.map(({ key }) => key), taken.map(() => v7())],
            ...[taken.map(({ values }) => JSON.stringify(values)), at],
          ],
        }),
      )
      const kept = new Map(rows.map((row) => [row.record_key, row]))
      return people.map(({ key }, index) => {
        const message = refusals[index]
        if (message) return { outcome: 'failed', message }
        const row = kept.get(key)
        if (!row) return { outcome: 'failed', message: gone }
        return { outcome: row.is_new ? 'created' : 'updated', externalId: row.external_id }
      })
    },
  }
}

const gone = 'Erased by now, or the connection was deleted'

/** As CRMs say it of a row. */
function refusalOf({ email, values }: Person, fields: readonly SandboxField[]): string | null {
  if (email?.includes('+refused@')) return 'The sandbox refuses addresses with +refused'
  for (const { name, required, maxLength, options } of fields) {
    const value = values[name]
    if (required && (value === undefined || value === null || value === ''))
      return `Required fields are missing: ${name}`
    if (typeof value !== 'string') continue
    if (maxLength !== null && value.length > maxLength)
      return `${name}: data value too large (at most ${maxLength} characters)`
    if (options && !options.includes(value))
      return `${name}: bad value for restricted picklist field: ${value}`
  }
  return null
}

const wire = new JsonColumns('r', {
  external_id: 'uuid',
  kind: 'text',
  mode: 'text',
  record_key: 'uuid',
  values: 'json',
  created_at: 'seconds',
  updated_at: 'seconds',
})

/** What the sandbox holds of a connection, newest first. @throws DomainError not_found */
export async function listSandboxRecords(
  org: Org,
  cursors: Cursors,
  connectionId: string,
  query: ListQuery,
): Promise<{ rows: Json; pagination: Pagination }> {
  await org.read((tx) => readConnection(tx, org.orgId, connectionId))
  const filter = new Filter(org.orgId, 'r').where(connectionId, (p) => sql`r.connection_id = ${p}`)
  const total = sql`select count(*) from crm_sandbox_record r where ${filter.conditions}`
  const list = JSON.stringify(['crm sandbox', connectionId])
  const source = { list, from: sql`crm_sandbox_record r`, id: sql`r.external_id`, wire, filter, total }
  return readPage(org, cursors, source, query)
}
