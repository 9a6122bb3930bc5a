import { setTimeout as delay } from 'node:timers/promises'
import type { Actor } from '../../platform/actor.ts'
import { JsonColumns } from '../../platform/db/json-columns.ts'
import { newId } from '../../platform/db/new-id.ts'
import type { Org } from '../../platform/db/org.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Columns } from '../../platform/db/tables.ts'
import type { Cursors } from '../../platform/http/cursor.ts'
import type { Pagination } from '../../platform/http/endpoint.ts'
import type { ListQuery } from '../../platform/http/list.ts'
import type { Json } from '../../platform/json.ts'
import { Filter, readPage } from '../../platform/page.ts'
import { readConnection, type StoredConnection } from '../connections.ts'
import { fieldMapOf } from '../field-map.ts'
import { connectionExists } from '../links.ts'
import type { Adapter, CrmField, CrmKind, CrmPerson, RowOutcome } from './adapter.ts'

const slowMs = 4_000

/** A field with its limits: the maximum length of a text, and the accepted values. null: no limit. */
type SandboxField = CrmField & { maxLength: number | null; options: readonly string[] | null }

/** The only limits of the sandbox. It accepts any other value. */
const fieldLimits: Record<string, Partial<SandboxField>> = {
  last_name: { required: true, maxLength: 80 },
  lifecycle_stage: {
    options: ['subscriber', 'lead', 'qualified', 'opportunity', 'customer', 'other'],
  },
}
const fieldNames = [
  ...['first_name', 'last_name', 'email', 'phone', 'company', 'job_title', 'city', 'region', 'country'],
  ...['linkedin_url', 'source', 'lifecycle_stage'],
]

const plainField = (name: string): SandboxField => ({
  ...{ name, maxLength: null, options: null, required: false, writable: true },
})
const fields = fieldNames.map((name) => ({ ...plainField(name), maxLength: 255, ...fieldLimits[name] }))

type Options = { org: Org; connection: StoredConnection; mode: Actor['mode'] }
type Upserted = Columns<'crm_sandbox_record', 'record_key' | 'external_id'> & { is_new: boolean }

/**
 * A CRM inside Crosswalk, to which test mode pushes. No data leaves the server. It has the fields that the field map
 * names.
 */
export class SandboxAdapter implements Adapter {
  readonly batchSize = 200
  readonly #org: Org
  readonly #connection: StoredConnection
  readonly #mode: Actor['mode']

  constructor({ org, connection, mode }: Options) {
    this.#org = org
    this.#connection = connection
    this.#mode = mode
  }

  duplicateKeys(): string[] {
    return []
  }

  async describe(kind: CrmKind): Promise<{ fields: CrmField[]; keyField: string }> {
    return { fields: this.#fieldsOf(kind), keyField: 'crosswalk_id' }
  }

  async problems(): Promise<string[]> {
    return []
  }

  async upsert(kind: CrmKind, people: readonly CrmPerson[], signal: AbortSignal): Promise<RowOutcome[]> {
    if (people.some(({ email }) => email?.includes('+slow@'))) await delay(slowMs, undefined, { signal })
    const limited = this.#fieldsOf(kind)
    const refusals = people.map((person) => refusalOf(person, limited))
    const accepted = people.filter((_, index) => refusals[index] === null)
    const rows = await this.#org.transact((tx) => this.#write(tx, kind, accepted))
    const written = new Map(rows.map((row) => [row.record_key, row]))
    return people.map(({ key }, index) => {
      const message = refusals[index]
      if (message) return { outcome: 'failed', message }
      const row = written.get(key)
      if (!row) return { outcome: 'failed', message: deletedMeanwhile }
      return { outcome: row.is_new ? 'created' : 'updated', externalId: row.external_id }
    })
  }

  #fieldsOf(kind: CrmKind): SandboxField[] {
    const { provider, field_map: ownMap } = this.#connection
    return provider === 'sandbox' ? fields : Object.values(fieldMapOf(provider, kind, ownMap)).map(plainField)
  }

  #write(tx: OrgTx, kind: CrmKind, people: readonly CrmPerson[]): Promise<Upserted[]> {
    const { connection_id: connectionId } = this.#connection
    const at = new Date()
    const keys = people.map(({ key }) => key)
    const values = people.map((person) => JSON.stringify(person.values))
    // An erasure locks the contact before it deletes sandbox records. With the same lock here, no record of an erased
    // contact is written.
    return tx.rows(sql<Upserted>`
      with unerased as (
        select contact_id from contact
        where org_id = ${tx.orgId} and contact_id = any((select ${keys}::uuid[])::uuid[]) and status <> 'erased'
        order by contact_id for share
      )
      insert into crm_sandbox_record as r
        (org_id, connection_id, mode, kind, record_key, external_id, values, created_at, updated_at)
      select ${tx.orgId}, ${connectionId}, ${this.#mode}, ${kind}, p.key, p.id, p.values, ${at}, ${at}
      from unnest(${keys}::uuid[], ${keys.map(() => newId())}::uuid[], ${values}::json[]) as p (key, id, values)
      join unerased on unerased.contact_id = p.key where ${connectionExists(tx, connectionId)}
      on conflict (org_id, connection_id, mode, kind, record_key) do update
      set values = excluded.values, updated_at = excluded.updated_at
      returning record_key, external_id, xmax = 0 as is_new`)
  }
}

const deletedMeanwhile = 'The contact was erased, or the connection was deleted'

/** Why the sandbox refuses a person; null if it accepts the person. */
function refusalOf({ email, values }: CrmPerson, fields: readonly SandboxField[]): string | null {
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

/** Returns the sandbox records of a connection, newest first. @throws DomainError not_found */
export async function listSandboxRecords(
  org: Org,
  cursors: Cursors,
  connectionId: string,
  query: ListQuery,
): Promise<{ rows: Json; pagination: Pagination }> {
  await org.read((tx) => readConnection(tx, connectionId))
  const filter = new Filter(org.orgId, 'r').where(connectionId, (p) => sql`r.connection_id = ${p}`)
  const list = JSON.stringify(['crm sandbox', connectionId])
  const source = { list, from: sql`crm_sandbox_record r`, id: sql`r.external_id`, wire, filter }
  return readPage(org, cursors, source, query)
}
