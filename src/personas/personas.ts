import { recordEvents } from '../events/record.ts'
import { JsonColumns } from '../platform/db/json-columns.ts'
import { newId } from '../platform/db/new-id.ts'
import type { Org } from '../platform/db/org.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { joinSql, rawSql, type Sql, sql } from '../platform/db/sql.ts'
import type { Columns } from '../platform/db/tables.ts'
import { timeOf } from '../platform/db/uuid-time.ts'
import { conflict, type DomainError, notFound } from '../platform/domain-error.ts'
import type { Cursors } from '../platform/http/cursor.ts'
import type { Pagination } from '../platform/http/endpoint.ts'
import { requireVersion } from '../platform/http/if-match.ts'
import type { Json } from '../platform/json.ts'
import { Filter, readPage } from '../platform/page.ts'
import type { CreatePersona, Persona, PersonaQuery, UpdatePersona } from './schema.ts'

const wire = new JsonColumns('p', {
  persona_id: 'uuid',
  name: 'text',
  role_title: 'text',
  description: 'text',
  instructions: 'text',
  voice: {
    object: {
      provider_voice_id: 'text',
      language: { sql: 'p.voice_language', kind: 'text' },
      speed: { sql: 'p.voice_speed', kind: 'integer' },
    },
  },
  greeting: 'text',
  status: 'text',
  archived_at: 'seconds',
  version: 'integer',
  created_at: 'seconds',
  updated_at: 'seconds',
})

type Content = Columns<
  'persona',
  | 'name'
  | 'role_title'
  | 'description'
  | 'instructions'
  | 'greeting'
  | 'provider_voice_id'
  | 'voice_language'
  | 'voice_speed'
>
type Column = keyof Content
type PersonaRow = Content &
  Pick<Persona, 'persona_id' | 'status' | 'archived_at' | 'version' | 'created_at' | 'updated_at'>

const emptyContent: Omit<Content, 'name'> = {
  ...{ role_title: null, description: null, instructions: null, greeting: null },
  ...{ provider_voice_id: null, voice_language: null, voice_speed: null },
}
/** The API's name of a field, if it differs from the column's. */
const fieldOf: Partial<Record<Column, string>> = {
  provider_voice_id: 'voice',
  voice_language: 'voice',
  voice_speed: 'voice',
}

/** Returns the org's personas with this status, newest first. Without a status: all that are not archived. */
export function listPersonas(
  org: Org,
  cursors: Cursors,
  query: PersonaQuery,
): Promise<{ rows: Json; pagination: Pagination }> {
  const { status } = query
  const filter = new Filter(org.orgId, 'p')
  if (status === undefined) filter.and(sql`p.status <> 'archived'`)
  else filter.where(status, (parameter) => sql`p.status = ${parameter}`)
  const list = JSON.stringify(['personas', status])
  return readPage(org, cursors, { list, from: sql`persona p`, id: sql`p.persona_id`, wire, filter }, query)
}

/** @throws DomainError not_found */
export async function findPersona(tx: OrgTx, personaId: string): Promise<Persona> {
  return toPersona(await readPersona(tx, selectPersona(tx, personaId)))
}

/** Returns whether the organization has a persona with this id. */
export async function personaExists(tx: OrgTx, personaId: string): Promise<boolean> {
  const found = await tx.first(sql`
    select 1 from persona where org_id = ${tx.orgId} and persona_id = ${personaId}`)
  return found !== undefined
}

/** The error for an id that is not the id of a persona of the organization. */
export const personaNotFound = (): DomainError =>
  notFound('object_not_found', 'No persona of this organization has this id')

/** Creates a persona as a draft. */
export async function createPersona(tx: OrgTx, input: CreatePersona): Promise<Persona> {
  const personaId = newId()
  const { name, role_title, description, instructions, greeting, ...voice } = {
    ...emptyContent,
    name: input.name,
    ...contentOf(input),
  }
  const now = new Date(timeOf(personaId))
  await Promise.all([
    tx.run(sql`
      insert into persona (org_id, persona_id, name, role_title, description, instructions, greeting,
        provider_voice_id, voice_language, voice_speed, created_at, updated_at)
      values (${tx.orgId}, ${personaId}, ${name}, ${role_title}, ${description}, ${instructions}, ${greeting},
        ${voice.provider_voice_id}, ${voice.voice_language}, ${voice.voice_speed}, ${now}, ${now})`),
    recordEvents(tx, [{ type: 'persona.created', objectId: personaId }]),
  ])
  return findPersona(tx, personaId)
}

/** Changes the given fields. @throws DomainError not_found; conflict if the persona is archived, or `version` is not the current one */
export async function changePersona(
  tx: OrgTx,
  personaId: string,
  input: UpdatePersona,
  version: number | undefined,
): Promise<Persona> {
  const before = await lockPersona(tx, personaId, version)
  if (before.status === 'archived') throw restoreFirst(personaId)
  const content = contentOf(input)
  const columns = (Object.keys(content) as Column[]).filter((column) => content[column] !== before[column])
  if (columns.length === 0) return toPersona(before)
  const changed = [...new Set(columns.map((column) => fieldOf[column] ?? column))]
  await Promise.all([
    update(tx, personaId, joinSql(columns.map((column) => sql`${rawSql(column)} = ${content[column]}`))),
    recordEvents(tx, [{ type: 'persona.updated', objectId: personaId, changed }]),
  ])
  return findPersona(tx, personaId)
}

const moveClauses = {
  archived: sql`status = 'archived', status_before = status, archived_at = clock_timestamp()`,
  restored: sql`status = status_before, status_before = null, archived_at = null`,
  activated: sql`status = 'active'`,
}

/** For each move, whether a persona with this status already has the resulting status. */
const hasNoEffect: Record<keyof typeof moveClauses, (status: Persona['status']) => boolean> = {
  archived: (status) => status === 'archived',
  restored: (status) => status !== 'archived',
  activated: (status) => status === 'active',
}

/**
 * Changes the status of a persona. Repeating the call has no effect.
 * @throws DomainError not_found; conflict if `version` is not the current one, or the persona to activate is archived
 */
export async function movePersona(
  tx: OrgTx,
  personaId: string,
  move: keyof typeof moveClauses,
  version: number | undefined,
): Promise<Persona> {
  const before = await lockPersona(tx, personaId, version)
  if (hasNoEffect[move](before.status)) return toPersona(before)
  if (move === 'activated' && before.status === 'archived') throw restoreFirst(personaId)
  await Promise.all([
    update(tx, personaId, moveClauses[move]),
    recordEvents(tx, [{ type: `persona.${move}`, objectId: personaId }]),
  ])
  return findPersona(tx, personaId)
}

const update = (tx: OrgTx, personaId: string, assignments: Sql) =>
  tx.run(sql`
    update persona set ${assignments}, version = version + 1, updated_at = clock_timestamp()
    where org_id = ${tx.orgId} and persona_id = ${personaId}`)

/** Locks a persona until the transaction ends. @throws DomainError not_found; conflict if `version` is not the current one */
async function lockPersona(tx: OrgTx, personaId: string, version: number | undefined): Promise<PersonaRow> {
  const persona = await readPersona(tx, sql<PersonaRow>`${selectPersona(tx, personaId)} for no key update`)
  requireVersion('this persona', version, persona.version)
  return persona
}

const selectPersona = ({ orgId }: OrgTx, personaId: string) => sql<PersonaRow>`
  select persona_id, status, name, role_title, description, instructions, greeting,
    provider_voice_id, voice_language, voice_speed, version,
    floor(extract(epoch from archived_at))::bigint as archived_at,
    floor(extract(epoch from created_at))::bigint as created_at,
    floor(extract(epoch from updated_at))::bigint as updated_at
  from persona where org_id = ${orgId} and persona_id = ${personaId}`

async function readPersona(tx: OrgTx, selected: Sql<PersonaRow>): Promise<PersonaRow> {
  const row = await tx.first(selected)
  if (!row) throw personaNotFound()
  return row
}

/** Returns the columns that the request sets. Empty text clears a column. */
function contentOf({ voice, ...texts }: UpdatePersona): Partial<Content> {
  const { provider_voice_id, language: voice_language, speed: voice_speed } = voice ?? {}
  const sent = {
    ...texts,
    ...(voice === null
      ? { provider_voice_id: null, voice_language: null, voice_speed: null }
      : { provider_voice_id, voice_language, voice_speed }),
  }
  const given = Object.entries(sent).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given.map(([column, value]) => [column, value === '' ? null : value]))
}

function toPersona(row: PersonaRow): Persona {
  const { provider_voice_id, voice_language: language, voice_speed: speed, ...rest } = row
  return { ...rest, voice: { provider_voice_id, language, speed } }
}

const restoreFirst = (personaId: string) =>
  conflict(
    'record_archived',
    `This persona is archived. Restore it first (POST /personas/${personaId}/restore).`,
  )
