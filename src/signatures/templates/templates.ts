import { recordEvents } from '../../events/record.ts'
import { JsonColumns } from '../../platform/db/json-columns.ts'
import { newId } from '../../platform/db/new-id.ts'
import type { Org } from '../../platform/db/org.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { rawSql, sql } from '../../platform/db/sql.ts'
import { timeOf } from '../../platform/db/uuid-time.ts'
import { conflict, type DomainError, notFound } from '../../platform/domain-error.ts'
import type { Cursors } from '../../platform/http/cursor.ts'
import type { Pagination } from '../../platform/http/endpoint.ts'
import { refuse } from '../../platform/http/fields.ts'
import { requireVersion } from '../../platform/http/if-match.ts'
import type { ListQuery } from '../../platform/http/list.ts'
import { detailAt, ValidationError } from '../../platform/http/validation.ts'
import type { Json } from '../../platform/json.ts'
import { Filter, readPage } from '../../platform/page.ts'
import { TemplateFault } from '../compile/compile.ts'
import { checkAside } from '../compile/compiler.ts'
import type { CreateTemplate, Template, UpdateTemplate } from '../schema.ts'

const mailboxes = `(
  select count(*) from signature_mailbox m where m.org_id = t.org_id and m.template_id = t.template_id
)`

const wire = new JsonColumns('t', {
  template_id: 'uuid',
  name: 'text',
  html: 'text',
  text: 'text',
  mailboxes: { sql: mailboxes, kind: 'integer' },
  version: 'integer',
  created_at: 'seconds',
  updated_at: 'seconds',
})

/** Lists the org's templates, newest first. */
export function listTemplates(
  org: Org,
  cursors: Cursors,
  query: ListQuery,
): Promise<{ rows: Json; pagination: Pagination }> {
  const filter = new Filter(org.orgId, 't')
  const source = { list: 'signature templates', from: sql`signature_template t`, id: sql`t.template_id` }
  return readPage(org, cursors, { ...source, wire, filter }, query)
}

/** A template with the number of its mailboxes. @throws DomainError not_found */
export async function findTemplate(tx: OrgTx, templateId: string): Promise<Template> {
  const row = await tx.first(sql<Template>`
    select template_id, name, html, text, ${rawSql(mailboxes)} as mailboxes, version,
      floor(extract(epoch from created_at))::bigint as created_at,
      floor(extract(epoch from updated_at))::bigint as updated_at
    from signature_template t where org_id = ${tx.orgId} and template_id = ${templateId}`)
  if (!row) throw templateNotFound()
  return row
}

/** Stores a checked template. */
export async function createTemplate(tx: OrgTx, input: CreateTemplate): Promise<Template> {
  const { name, html } = input
  const text = input.text || null
  const templateId = newId()
  const createdAt = new Date(timeOf(templateId))
  await Promise.all([
    tx.run(sql`
      insert into signature_template (org_id, template_id, name, html, text, created_at, updated_at)
      values (${tx.orgId}, ${templateId}, ${name}, ${html}, ${text}, ${createdAt}, ${createdAt})`),
    recordEvents(tx, [{ type: 'signature_template.created', objectId: templateId }]),
  ])
  return findTemplate(tx, templateId)
}

/**
 * Changes the given fields, which are checked. A change of more than the name also raises the versions of the mailboxes.
 * @throws DomainError not_found; conflict if `version` is not the current one
 */
export async function changeTemplate(
  tx: OrgTx,
  templateId: string,
  input: UpdateTemplate,
  version: number | undefined,
): Promise<Template> {
  const before = await lockTemplate(tx, templateId, 'for no key update')
  if (!before) throw templateNotFound()
  requireVersion('this template', version, before.version)
  const after = {
    name: input.name ?? before.name,
    html: input.html ?? before.html,
    text: input.text === undefined ? before.text : input.text || null,
  }
  const changed = (['name', 'html', 'text'] as const).filter((field) => after[field] !== before[field])
  if (changed.length === 0) return findTemplate(tx, templateId)
  await Promise.all([
    tx.run(sql`
      update signature_template
      set name = ${after.name}, html = ${after.html}, text = ${after.text}, version = version + 1,
        updated_at = clock_timestamp()
      where org_id = ${tx.orgId} and template_id = ${templateId}`),
    changed.some((field) => field !== 'name') &&
      tx.run(sql`
        update signature_mailbox set version = version + 1
        where org_id = ${tx.orgId} and template_id = ${templateId}`),
    recordEvents(tx, [{ type: 'signature_template.updated', objectId: templateId, changed }]),
  ])
  return findTemplate(tx, templateId)
}

/** Deletes a template. @throws DomainError not_found; conflict while mailboxes use it */
export async function deleteTemplate(tx: OrgTx, templateId: string): Promise<void> {
  if (!(await lockTemplate(tx, templateId, 'for update'))) throw templateNotFound()
  const { mailboxes: users } = await findTemplate(tx, templateId)
  if (users > 0) {
    throw conflict(
      'template_in_use',
      `${users === 1 ? '1 mailbox uses' : `${users} mailboxes use`} this template. Give them another one first (GET /signatures/mailboxes?template_id=${templateId}).`,
    )
  }
  await tx.run(sql`delete from signature_template where org_id = ${tx.orgId} and template_id = ${templateId}`)
  await recordEvents(tx, [{ type: 'signature_template.deleted', objectId: templateId }])
}

type LockedTemplate = Pick<Template, 'name' | 'html' | 'text' | 'version'>

/** Locks a template, and returns it; null if there is none. */
export async function lockTemplate(
  tx: OrgTx,
  templateId: string,
  lock: 'for share' | 'for no key update' | 'for update',
): Promise<LockedTemplate | null> {
  const template = await tx.first(sql<LockedTemplate>`
    select name, html, text, version from signature_template
    where org_id = ${tx.orgId} and template_id = ${templateId} ${rawSql(lock)}`)
  return template ?? null
}

/**
 * Requires that the parts of a template can be read. Call it before the transaction, which would keep a connection.
 * @param owner Caller.payerId
 * @throws ValidationError that says what is wrong with the template, and in which line
 */
export const requireTemplate = (
  owner: string,
  { html = '', text }: Pick<UpdateTemplate, 'html' | 'text'>,
): Promise<void> => refuseFaults(() => checkAside(owner, { html, text: text || null }))

/** Runs `work`, and refuses a request whose template has a fault. @throws ValidationError with the part of the fault */
export async function refuseFaults<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof TemplateFault)) throw error
    throw new ValidationError([detailAt(['body', error.part], refuse(error.placed))])
  }
}

/** The error for an id that is not the id of a template of the organization. */
export const templateNotFound = (): DomainError =>
  notFound('object_not_found', 'No signature template of this organization has this id')
