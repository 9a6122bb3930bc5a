import { recordEvents } from '../../events/record.ts'
import { lockExclusive } from '../../platform/db/advisory-lock.ts'
import { newId } from '../../platform/db/new-id.ts'
import type { Org } from '../../platform/db/org.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { rawSql, sql } from '../../platform/db/sql.ts'
import { conflict, notFound } from '../../platform/domain-error.ts'
import { requireVersion } from '../../platform/http/if-match.ts'
import { Json } from '../../platform/json.ts'
import { mapInSlices } from '../../platform/slices.ts'
import { definitionsOf } from '../../records/defined-fields/definition.ts'
import { requireValidDefinition } from './check-definition.ts'
import { problemOf } from './problem.ts'
import type { CreateForm, Form, FormDefinition, FormVersion, UpdateForm } from './schema.ts'

/** The list has no pages, so its length is limited. */
const formsMax = 100

/** Versions that were stored before forms could ask for calls lack this member. */
const noCalls = { call_back: null }

type Row = Omit<Form, keyof FormDefinition | 'problem'> & { definition: FormDefinition }

const plainColumns = sql`
  f.form_id, f.name, f.status, f.origins, f.version,
  (select count(*)::int from form_submission s
   where s.org_id = f.org_id and s.form_id = f.form_id and s.status = 'accepted') as submissions,
  floor(extract(epoch from f.created_at))::bigint as created_at,
  floor(extract(epoch from f.updated_at))::bigint as updated_at`
const columns = sql`${plainColumns}, f.definition`

/** The JSON of all forms of the org, newest first. */
export async function listForms(org: Org): Promise<Json> {
  const rows = await org.readRows(sql<StoredText<Row>>`
    select ${plainColumns}, f.definition::text as definition from form f
    where f.org_id = ${org.orgId} order by f.form_id desc`)
  const defined = rows.some(fillsDefinedField) ? await org.readRows(definitionsOf(org.orgId, 'contact')) : []
  const shown = await mapInSlices(org.payerId, rows, (row) => ({
    ...row,
    problem: fillsDefinedField(row)
      ? problemOf((JSON.parse(row.definition) as FormDefinition).fields, defined)
      : null,
  }))
  return jsonList(org, shown)
}

/** A form as answers show it. @throws DomainError not_found */
export async function findForm(tx: OrgTx, formId: string): Promise<Form> {
  return shownOf(tx, await findRow(tx, formId))
}

type VersionRow = Pick<FormVersion, 'version' | 'created_at'> & { definition: FormDefinition }

/** The JSON of the versions of a form, newest first. @throws DomainError not_found */
export async function listFormVersions(org: Org, formId: string): Promise<Json> {
  const rows = await org.readRows(sql<StoredText<VersionRow>>`
    select version, definition::text as definition, floor(extract(epoch from created_at))::bigint as created_at
    from form_version where org_id = ${org.orgId} and form_id = ${formId} order by version desc limit 200`)
  if (rows.length === 0) throw unknownForm()
  return jsonList(org, rows)
}

/** A row whose definition is JSON. It is not parsed: 200 versions may have 6 MB. */
type StoredText<Stored> = Omit<Stored, 'definition'> & { definition: string }

/** Whether a field of the form may fill a defined field. Only the JSON of such forms is parsed. */
const fillsDefinedField = ({ definition }: { definition: string }) => definition.includes('"custom.')

async function jsonList(
  { payerId }: Org,
  rows: readonly StoredText<{ definition: FormDefinition }>[],
): Promise<Json> {
  const texts = await mapInSlices(payerId, rows, ({ definition, ...row }) => {
    // Inside of a text, there would be a backslash before the second quote.
    const others = definition.includes('"call_back":') ? row : { ...row, ...noCalls }
    return `${JSON.stringify(others).slice(0, -1)},${definition.slice(1)}`
  })
  return Json.list(texts)
}

/**
 * Creates a form.
 * @throws ValidationError at ["body", "fields"…]; DomainError conflict if the org has 100 forms
 */
export async function createForm(tx: OrgTx, input: CreateForm): Promise<Form> {
  const { name, status, origins, title = name, ...rest } = input
  const definition: FormDefinition = { title, ...rest }
  await requireValidDefinition(tx, definition)
  await lockExclusive(tx, `forms ${tx.orgId}`)
  const forms = await tx.rows(sql`select from form where org_id = ${tx.orgId}`)
  if (forms.length >= formsMax)
    throw conflict('limit_reached', `An organization can have at most ${formsMax} forms. Delete one first.`)
  const formId = newId()
  await tx.run(sql`
    insert into form (org_id, form_id, name, status, definition, origins)
    values (${tx.orgId}, ${formId}, ${name}, ${status}, ${JSON.stringify(definition)}::json, ${unique(origins)})`)
  await storeVersion(tx, formId)
  await recordEvents(tx, [{ type: 'form.created', objectId: formId }])
  return findForm(tx, formId)
}

const changeable = [
  ...(['name', 'status', 'title', 'description', 'fields', 'consent', 'call_back', 'submit_label'] as const),
  ...(['thank_you', 'origins'] as const),
] as const

/**
 * Changes the given fields, and stores the new version.
 * @throws ValidationError at ["body", "fields"…]; DomainError not_found; conflict if `version` is not the current one
 */
export async function changeForm(
  tx: OrgTx,
  formId: string,
  input: UpdateForm,
  version: number | undefined,
): Promise<Form> {
  const before = await shownOf(tx, await findRow(tx, formId, 'for update of f'))
  requireVersion('this form', version, before.version)
  const sent = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
  const after: Form = { ...before, ...sent }
  after.origins = unique(after.origins)
  const changed = changeable.filter((each) => JSON.stringify(after[each]) !== JSON.stringify(before[each]))
  if (changed.length === 0) return before
  const definition = definitionOf(after)
  // A form can be archived even if a defined field that it fills was deleted meanwhile.
  const isLater = changed.includes('status') && after.status === 'live'
  if (isLater || (['fields', 'consent', 'call_back'] as const).some((each) => changed.includes(each)))
    await requireValidDefinition(tx, definition)
  await tx.run(sql`
    update form
    set name = ${after.name}, status = ${after.status}, definition = ${JSON.stringify(definition)}::json,
      origins = ${after.origins}, version = version + 1, updated_at = clock_timestamp()
    where org_id = ${tx.orgId} and form_id = ${formId}`)
  await storeVersion(tx, formId)
  await recordEvents(tx, [{ type: 'form.updated', objectId: formId, changed }])
  return findForm(tx, formId)
}

/**
 * Deletes a form that has no submissions.
 * @throws DomainError not_found; conflict if it has submissions, or if `version` is not the current one
 */
export async function deleteForm(tx: OrgTx, formId: string, version: number | undefined): Promise<void> {
  const { version: current } = await findRow(tx, formId, 'for update of f')
  requireVersion('this form', version, current)
  const submitted = await tx.first(sql`
    select from form_submission where org_id = ${tx.orgId} and form_id = ${formId} limit 1`)
  if (submitted)
    throw conflict(
      'form_has_submissions',
      'This form has submissions. Archive it instead: send "status": "archived".',
    )
  await tx.run(sql`delete from form_version where org_id = ${tx.orgId} and form_id = ${formId}`)
  await tx.run(sql`delete from form where org_id = ${tx.orgId} and form_id = ${formId}`)
  await recordEvents(tx, [{ type: 'form.deleted', objectId: formId }])
}

async function findRow(tx: OrgTx, formId: string, lock: 'for update of f' | '' = ''): Promise<Row> {
  const row = await tx.first(sql<Row>`
    select ${columns} from form f where f.org_id = ${tx.orgId} and f.form_id = ${formId} ${rawSql(lock)}`)
  if (!row) throw unknownForm()
  return row
}

const storeVersion = (tx: OrgTx, formId: string) =>
  tx.run(sql`
    insert into form_version (org_id, form_id, version, definition)
    select org_id, form_id, version, definition from form where org_id = ${tx.orgId} and form_id = ${formId}`)

async function shownOf(tx: OrgTx, { definition, ...row }: Row): Promise<Form> {
  const { fields } = definition
  const isDefined = fields.some(({ maps_to: mapsTo }) => mapsTo?.startsWith('custom.'))
  const defined = isDefined ? await tx.rows(definitionsOf(tx.orgId, 'contact')) : []
  return { ...row, problem: problemOf(fields, defined), ...noCalls, ...definition }
}

const definitionOf = (form: Form): FormDefinition => {
  const { title, description, fields, consent, call_back, submit_label, thank_you } = form
  return { title, description, fields, consent, call_back, submit_label, thank_you }
}

/** The error for an id that is not the id of a form of the organization. */
export const unknownForm = () => notFound('object_not_found', 'No form of this organization has this id')

const unique = <Item>(items: readonly Item[]): Item[] => [...new Set(items)]
