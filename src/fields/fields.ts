import { recordEvents } from '../events/record.ts'
import { entityTypes } from '../matching/entity-type.ts'
import { lockExclusive } from '../platform/db/advisory-lock.ts'
import { newId } from '../platform/db/new-id.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { moveTo, type OrderedTable, setPositions } from '../platform/db/positions.ts'
import { sql } from '../platform/db/sql.ts'
import type { Columns } from '../platform/db/tables.ts'
import { conflict, notFound } from '../platform/domain-error.ts'
import { refuse } from '../platform/http/fields.ts'
import { requireVersion } from '../platform/http/if-match.ts'
import { detailAt, ValidationError } from '../platform/http/validation.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import { type DefinedFieldType, definitionsLock } from '../records/defined-fields/definition.ts'
import { renameInSegments } from '../segments/rename-options.ts'
import {
  afterFailed,
  countRecordsWith,
  failedRenames,
  forgetConversion,
  requireNoConversion,
  requireNoOldName,
  shownConversion,
  startConversion,
} from './conversions.ts'
import { requireDifferentValues } from './duplicate-values.ts'
import { replaceIndex } from './indexes.ts'
import { hasOptions, optionsFor, renamedOptions, renamesIn } from './options.ts'
import type { CreateField, Field, UpdateField } from './schema.ts'
import { countConvertible, requireFittingValues } from './unfit-values.ts'

/** The fields of each kind of record. The list has no pages, so its length is limited. */
const fieldsMax = 200
/** Each index makes writes slower. */
const indexesMax = 20
/** The characters of all options of a record type: each write of `custom` reads them. */
const optionCharactersMax = 100_000

const ordered: OrderedTable = { table: 'field_definition', id: 'field_id' }

const columns = sql`
  field_id, entity, key, label, description, type, options, position,
  index_id is not null as filterable, is_unique as unique, case when index_id is not null then index_state end as index_state, version,
  floor(extract(epoch from created_at))::bigint as created_at,
  floor(extract(epoch from updated_at))::bigint as updated_at, ${shownConversion} as conversion`

/** Returns the fields by record type, in the order that the org chose. */
export function listFields(tx: OrgTx, entity?: Field['entity']): Promise<Field[]> {
  const ofEntity = entity === undefined ? sql`` : sql`and entity = ${entity}`
  return tx.rows(sql<Field>`
    select ${columns} from field_definition f where org_id = ${tx.orgId} ${ofEntity}
    order by array_position(${entityTypes}::text[], entity::text), position`)
}

/**
 * Defines a field at its position, or at the end.
 * @throws DomainError conflict if the key has a definition, the org has too many fields, an import runs, or records
 * have values that do not fit
 */
export async function createField(tx: OrgTx, jobs: Jobs, input: CreateField): Promise<Field> {
  const { entity, key, label = key, description = '', type, position, existing, unique } = input
  const options = optionsFor(type, input.options)
  const filterable = isIndexed(type, input.filterable || unique, unique)
  const all = await lockFields(tx, entity)
  if (all.some((field) => field.key === key))
    throw conflict(
      'field_exists',
      `This record type already has the field custom.${key}. Change its definition instead.`,
    )
  if (all.length >= fieldsMax)
    throw conflict('limit_reached', `Each record type can have at most ${fieldsMax} defined fields.`)
  if (filterable) requireRoomForIndex(all)
  requireRoomForOptions(all, [], options)
  if (existing === 'refuse') await requireFittingValues(tx, entity, { key, type, options })
  if (unique) await requireDifferentValues(tx, { entity, key, type })
  const fieldId = newId()
  await tx.run(sql`
    insert into field_definition (org_id, field_id, entity, key, label, description, type, options, position)
    values (${tx.orgId}, ${fieldId}, ${entity}, ${key}, ${label}, ${description || null}, ${type}, ${options},
      ${all.length + 1})`)
  await moveTo(tx, ordered, idsOf(all), fieldId, position)
  if (filterable) await replaceIndex(tx, jobs, fieldId, { before: null, isIndexed: true })
  if (unique) await setUnique(tx, fieldId, true)
  if (existing === 'convert') {
    const records = await countConvertible(tx, entity, { key, type, options }, {})
    await startConversion(tx, jobs, fieldId, { renames: {}, records })
  }
  await recordEvents(tx, [{ type: 'field.created', objectId: fieldId }])
  return readField(tx, fieldId)
}

const changeable = ['label', 'description', 'type', 'options', 'position', 'filterable', 'unique'] as const

/**
 * @throws DomainError not_found; conflict if `version` is not the current one, an import runs, or records have values
 * that do not fit
 */
export async function changeField(
  tx: OrgTx,
  jobs: Jobs,
  fieldId: string,
  input: UpdateField,
  version: number | undefined,
): Promise<Field> {
  const { entity } = await readField(tx, fieldId)
  const all = await lockFields(tx, entity)
  const field = pick(all, fieldId, version)
  const asked = askedFor(field, input, all.length)
  const { type, options, unique } = asked
  const renames = renamesIn(field, input)
  const changed = changeable.filter((name) => JSON.stringify(asked[name]) !== JSON.stringify(field[name]))
  const isIndexAsked = input.filterable === true && field.index_state === 'failed'
  const converts = input.existing === 'convert'
  if (changed.length === 0 && !isIndexAsked && !converts && !renames) return field
  if (converts || changed.includes('type') || changed.includes('options')) requireNoConversion(field)
  const failed = await failedRenames(tx, fieldId)
  requireNoOldName(field, options, failed)
  if (changed.includes('filterable') && asked.filterable) requireRoomForIndex(all)
  requireRoomForOptions(all, field.options, options)
  const narrows = changed.includes('type') || field.options.some((option) => !options.includes(option))
  if (narrows && !renames && input.existing === 'refuse')
    await requireFittingValues(tx, entity, { key: field.key, type, options })
  if (unique && (changed.includes('unique') || changed.includes('type')))
    await requireDifferentValues(tx, { entity, key: field.key, type })
  await moveTo(tx, ordered, idsOf(all), fieldId, asked.position)
  await tx.run(sql`
    update field_definition
    set label = ${asked.label}, description = ${asked.description}, type = ${type}, options = ${options},
      version = version + 1, updated_at = clock_timestamp()
    where org_id = ${tx.orgId} and field_id = ${fieldId}`)
  if (isIndexAsked || changed.includes('filterable') || (asked.filterable && changed.includes('type')))
    await replaceIndex(tx, jobs, fieldId, { before: await indexOf(tx, fieldId), isIndexed: asked.filterable })
  if (changed.includes('unique')) await setUnique(tx, fieldId, unique)
  if (renames) {
    const allRenames = afterFailed(failed, renames)
    const records = await countRecordsWith(tx, field, Object.keys(allRenames))
    await startConversion(tx, jobs, fieldId, { renames: allRenames, records })
    await renameInSegments(tx, jobs, field, renames)
  } else if (converts) {
    const records = await countConvertible(tx, entity, { key: field.key, type, options }, failed)
    await startConversion(tx, jobs, fieldId, { renames: failed, records })
  }
  await recordEvents(tx, [{ type: 'field.updated', objectId: fieldId, changed }])
  return readField(tx, fieldId)
}

/** The definition that a change asks for. @throws ValidationError for a definition that is not valid */
function askedFor(field: Field, input: UpdateField, fields: number) {
  const type = input.type ?? field.type
  const unique = input.unique ?? field.unique
  const renames = renamesIn(field, input)
  const sent = input.options ?? (hasOptions(type) && field.options.length > 0 ? field.options : undefined)
  return {
    label: input.label ?? field.label,
    description: input.description === undefined ? field.description : input.description || null,
    type,
    options: optionsFor(type, renames && sent ? renamedOptions(sent, renames) : sent),
    position: Math.min(input.position ?? field.position, fields),
    filterable: isIndexed(type, input.filterable ?? (unique || field.filterable), unique),
    unique,
  }
}

/**
 * Deletes a definition. Records keep their values, and the member accepts any JSON again.
 * @throws DomainError not_found; conflict if `version` is not the current one, an import runs, or a job converts values
 */
export async function deleteField(
  tx: OrgTx,
  jobs: Jobs,
  fieldId: string,
  version: number | undefined,
): Promise<void> {
  const { entity } = await readField(tx, fieldId)
  const all = await lockFields(tx, entity)
  const field = pick(all, fieldId, version)
  // The job would stop, and some records would keep the old values.
  requireNoConversion(field)
  await replaceIndex(tx, jobs, fieldId, { before: await indexOf(tx, fieldId), isIndexed: false })
  await forgetConversion(tx, fieldId)
  await tx.run(sql`delete from field_definition where org_id = ${tx.orgId} and field_id = ${fieldId}`)
  const left = idsOf(all).filter((id) => id !== fieldId)
  await setPositions(tx, ordered, left)
  await recordEvents(tx, [{ type: 'field.deleted', objectId: fieldId }])
}

/** @throws DomainError not_found */
export async function readField(tx: OrgTx, fieldId: string): Promise<Field> {
  const field = await tx.first(sql<Field>`
    select ${columns} from field_definition f where org_id = ${tx.orgId} and field_id = ${fieldId}`)
  if (!field) throw unknownField()
  return field
}

const uniqueTypes: readonly DefinedFieldType[] = [
  'text',
  'number',
  'date',
  'datetime',
  'url',
  'email',
  'phone',
]

/** @throws ValidationError if the field should be unique, but has no index or another type */
function isIndexed(type: DefinedFieldType, filterable: boolean, unique: boolean): boolean {
  const at = (name: string, why: string) => new ValidationError([detailAt(['body', name], refuse(why))])
  if (unique && !uniqueTypes.includes(type)) throw at('unique', `a ${type} field cannot be unique`)
  if (unique && !filterable) throw at('filterable', 'a unique field is filterable: send "unique": false, too')
  return filterable
}

async function setUnique(tx: OrgTx, fieldId: string, isUnique: boolean): Promise<void> {
  await tx.run(sql`
    update field_definition set is_unique = ${isUnique} where org_id = ${tx.orgId} and field_id = ${fieldId}`)
}

async function indexOf(tx: OrgTx, fieldId: string): Promise<string | null> {
  const row = await tx.first(sql<Columns<'field_definition', 'index_id'>>`
    select index_id from field_definition where org_id = ${tx.orgId} and field_id = ${fieldId}`)
  return row?.index_id ?? null
}

function requireRoomForIndex(fields: readonly Field[]): void {
  if (fields.filter(({ filterable }) => filterable).length < indexesMax) return
  throw conflict('limit_reached', `At most ${indexesMax} fields of each record type can be filterable.`)
}

/** @throws DomainError conflict if a field with the options `before` gets more options, and all fields then have too many */
function requireRoomForOptions(
  fields: readonly Field[],
  before: readonly string[],
  after: readonly string[],
): void {
  const characters = (options: readonly string[]) => options.join('').length
  const added = characters(after) - characters(before)
  const used = characters(fields.flatMap(({ options }) => options))
  if (added <= 0 || used + added <= optionCharactersMax) return
  throw conflict(
    'limit_reached',
    'The options of all fields of a record type can have at most 100,000 characters together.',
  )
}

/** Returns the fields of a record type in order. Nobody writes `custom` until the transaction ends. */
async function lockFields(tx: OrgTx, entity: Field['entity']): Promise<Field[]> {
  await lockExclusive(tx, definitionsLock(tx.orgId))
  await requireNoImport(tx, entity)
  return listFields(tx, entity)
}

/** An import reads the definitions once, when it starts. */
async function requireNoImport(tx: OrgTx, entity: Field['entity']): Promise<void> {
  const running = await tx.first(sql<{ import_id: string }>`
    select import_id from import
    where org_id = ${tx.orgId} and entity = ${entity} and status in ('queued', 'running', 'reverting') limit 1`)
  if (running)
    throw conflict(
      'import_running',
      `Import ${running.import_id} writes records of this type now. Change the fields when the import has ended.`,
    )
}

function pick(fields: readonly Field[], fieldId: string, version: number | undefined): Field {
  const field = fields.find((each) => each.field_id === fieldId)
  if (!field) throw unknownField()
  requireVersion('this field', version, field.version)
  return field
}

const idsOf = (fields: readonly Field[]) => fields.map((field) => field.field_id)

const unknownField = () => notFound('object_not_found', 'No field of this organization has this id')
