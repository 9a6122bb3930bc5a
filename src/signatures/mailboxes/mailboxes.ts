import { type Change, recordEvents } from '../../events/record.ts'
import { readEmail } from '../../normalize/email.ts'
import { personaExists, personaNotFound } from '../../personas/personas.ts'
import type { Actor } from '../../platform/actor.ts'
import { lockExclusive } from '../../platform/db/advisory-lock.ts'
import { JsonColumns } from '../../platform/db/json-columns.ts'
import type { Org } from '../../platform/db/org.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { rawSql, sql } from '../../platform/db/sql.ts'
import type { Columns } from '../../platform/db/tables.ts'
import { conflict, type DomainError, notFound } from '../../platform/domain-error.ts'
import type { Cursors } from '../../platform/http/cursor.ts'
import type { Pagination } from '../../platform/http/endpoint.ts'
import { requireVersion } from '../../platform/http/if-match.ts'
import type { Json } from '../../platform/json.ts'
import { Filter, readPage } from '../../platform/page.ts'
import type { CreateMailbox, Mailbox, MailboxQuery, UpdateMailbox } from '../mailbox-schema.ts'
import type { PushError } from '../schema.ts'
import { lockTemplate, templateNotFound } from '../templates/templates.ts'

const wire = new JsonColumns('m', {
  mailbox_id: 'integer',
  email: 'text',
  display_name: 'text',
  provider: 'text',
  template_id: 'uuid',
  persona_id: 'uuid',
  fields: 'json',
  version: 'integer',
  deployment: {
    object: {
      mode: { sql: 'shown.mode', kind: 'text' },
      status: { sql: `coalesce(d.status, 'never')`, kind: 'text' },
      revision: { sql: 'd.revision', kind: 'integer' },
      installed_at: { sql: 'd.installed_at', kind: 'seconds' },
      error: { sql: 'd.error', kind: 'json' },
      html_sha256: { sql: 'd.html_sha256', kind: 'text' },
    },
  },
  created_at: 'seconds',
  updated_at: 'seconds',
})

/** The SQL that joins mailboxes with their deployment in one mode. */
const withDeployment = (mode: Actor['mode']) => sql`
  signature_mailbox m cross join (select ${mode}::text as mode) shown left join signature_deployment d
    on d.org_id = m.org_id and d.mailbox_id = m.mailbox_id and d.mode = shown.mode`

/** Lists the org's mailboxes. @throws ValidationError at cursor or page */
export function listMailboxes(
  org: Org,
  cursors: Cursors,
  query: MailboxQuery,
): Promise<{ rows: Json; pagination: Pagination }> {
  const { template_id, provider, email } = query
  const read = email === undefined ? undefined : readEmail(email)
  const filter = new Filter(org.orgId, 'm')
    .where(template_id, (parameter) => sql`m.template_id = ${parameter}`)
    .where(provider, (parameter) => sql`m.provider = ${parameter}`)
    // An invalid address must find nothing: no mailbox has an empty key.
    .where(read && ('key' in read ? read.key : ''), (parameter) => sql`m.email_key = ${parameter}`)
  const total = sql`select count(*) from signature_mailbox m where ${filter.conditions}`
  const list = JSON.stringify(['mailboxes', template_id, provider, email])
  const from = withDeployment(org.actor.mode)
  const source = { list, from, id: sql`m.mailbox_id`, idType: 'bigint' as const, wire, filter, total }
  return readPage(org, cursors, source, query)
}

/** A mailbox with its deployment in the mode of the transaction. @throws DomainError not_found */
export async function findMailbox(tx: OrgTx, mailboxId: number): Promise<Mailbox> {
  const row = await tx.first(sql<Mailbox>`
    select m.mailbox_id, m.email, m.display_name, m.provider, m.template_id, m.persona_id, m.fields, m.version,
      json_build_object('mode', shown.mode, 'status', coalesce(d.status, 'never'), 'revision', d.revision,
        'installed_at', floor(extract(epoch from d.installed_at))::bigint, 'error', d.error,
        'html_sha256', d.html_sha256) as deployment,
      floor(extract(epoch from m.created_at))::bigint as created_at,
      floor(extract(epoch from m.updated_at))::bigint as updated_at
    from ${withDeployment(tx.actor.mode)} where m.org_id = ${tx.orgId} and m.mailbox_id = ${mailboxId}`)
  if (!row) throw mailboxNotFound()
  return row
}

/**
 * Adds a mailbox.
 * @throws DomainError not_found if there is no such template or persona; conflict if the org already has this address
 */
export async function createMailbox(tx: OrgTx, input: CreateMailbox): Promise<Mailbox> {
  await requireReferences(tx, input)
  const { email, display_name, provider = 'sandbox', template_id = null, persona_id = null } = input
  const fields = JSON.stringify(mergeFields({}, input.fields))
  await lockExclusive(tx, addressLock(tx.orgId, email))
  const inserted = await tx.first(sql<Columns<'signature_mailbox', 'mailbox_id'>>`
    insert into signature_mailbox (org_id, email, email_key, display_name, provider, template_id, persona_id, fields)
    values (${tx.orgId}, ${email}, ${addressKey(email)}, ${display_name || null}, ${provider}, ${template_id},
      ${persona_id}, ${fields})
    on conflict (org_id, email_key) do nothing returning mailbox_id`)
  if (!inserted) throw addressUsed(email)
  await recordEvents(tx, [mailboxEvent('created', inserted.mailbox_id)])
  return findMailbox(tx, inserted.mailbox_id)
}

const contentNames = ['email', 'display_name', 'provider', 'template_id', 'persona_id', 'fields'] as const
type Content = Pick<Mailbox, (typeof contentNames)[number]>

/**
 * Changes the given fields.
 * @throws DomainError not_found; conflict if `version` is not the current one, or another mailbox
 * has the address
 */
export async function changeMailbox(
  tx: OrgTx,
  mailboxId: number,
  input: UpdateMailbox,
  version: number | undefined,
): Promise<Mailbox> {
  // Lock the template before the mailbox, as a change of the template does: another order could deadlock.
  await requireReferences(tx, input)
  const before = await lockMailbox(tx, mailboxId)
  requireVersion('this mailbox', version, before.version)
  const { display_name: name, fields, ...rest } = input
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
  const after: Content = {
    ...before,
    ...given,
    display_name: name === undefined ? before.display_name : name || null,
    fields: mergeFields(before.fields, fields),
  }
  const changed = contentNames.filter((each) => !isSame(after[each], before[each]))
  if (changed.length === 0) return findMailbox(tx, mailboxId)
  if (changed.includes('email')) {
    await lockExclusive(tx, addressLock(tx.orgId, after.email))
    if (await isUsed(tx, mailboxId, after.email)) throw addressUsed(after.email)
  }
  await Promise.all([
    tx.run(sql`
      update signature_mailbox
      set email = ${after.email}, email_key = ${addressKey(after.email)}, display_name = ${after.display_name},
        provider = ${after.provider}, template_id = ${after.template_id}, persona_id = ${after.persona_id},
        fields = ${JSON.stringify(after.fields)}, version = version + 1, updated_at = clock_timestamp()
      where org_id = ${tx.orgId} and mailbox_id = ${mailboxId}`),
    recordEvents(tx, [{ ...mailboxEvent('updated', mailboxId), changed }]),
  ])
  return findMailbox(tx, mailboxId)
}

/** Why the pushes of a deleted mailbox failed. */
export const mailboxDeleted: PushError = { code: 'mailbox_deleted', message: 'The mailbox was deleted' }

/**
 * Deletes a mailbox. The signature at its provider is kept.
 * @throws DomainError not_found
 */
export async function deleteMailbox(tx: OrgTx, mailboxId: number): Promise<void> {
  const { orgId } = tx
  await lockMailbox(tx, mailboxId, 'for update')
  const from = (table: string) =>
    tx.run(sql`delete from ${rawSql(table)} where org_id = ${orgId} and mailbox_id = ${mailboxId}`)
  // Lock in the order of installs: two transactions could deadlock otherwise.
  await Promise.all([
    ...['signature_deployment', 'signature_offer'].map(from),
    tx.run(sql`
      update signature_push
      set outcome = 'failed', error = ${JSON.stringify(mailboxDeleted)}, finished_at = clock_timestamp()
      where org_id = ${orgId} and mailbox_id = ${mailboxId} and outcome is null`),
    ...['sandbox_signature', 'signature_mailbox'].map(from),
    recordEvents(tx, [mailboxEvent('deleted', mailboxId)]),
  ])
}

type LockedMailbox = Content & { version: number }

/** Locks a mailbox until the transaction ends. @throws DomainError not_found */
export async function lockMailbox(
  tx: OrgTx,
  mailboxId: number,
  lock: 'for no key update' | 'for update' = 'for no key update',
): Promise<LockedMailbox> {
  const mailbox = await tx.first(sql<LockedMailbox>`
    select ${rawSql(contentNames.join(', '))}, version from signature_mailbox
    where org_id = ${tx.orgId} and mailbox_id = ${mailboxId} ${rawSql(lock)}`)
  if (!mailbox) throw mailboxNotFound()
  return mailbox
}

/** The error for an id that is not the id of a mailbox of the organization. */
export const mailboxNotFound = (): DomainError =>
  notFound('object_not_found', 'No mailbox of this organization has this id')
const addressUsed = (email: string) =>
  conflict(
    'mailbox_exists',
    `This organization already has a mailbox ${email} (GET /signatures/mailboxes?email=${encodeURIComponent(email)})`,
  )

function addressKey(email: string): string {
  const read = readEmail(email)
  return 'key' in read ? read.key : email
}

/** The lock of an address. No other transaction can give the address to a mailbox meanwhile. */
const addressLock = (orgId: string, email: string) => `mailbox ${orgId} ${addressKey(email)}`

async function isUsed(tx: OrgTx, mailboxId: number, email: string): Promise<boolean> {
  const other = await tx.first(sql`
    select 1 from signature_mailbox
    where org_id = ${tx.orgId} and email_key = ${addressKey(email)} and mailbox_id <> ${mailboxId}`)
  return other !== undefined
}

/** Locks the template and checks the persona. @throws DomainError not_found that names the field */
async function requireReferences(
  tx: OrgTx,
  { template_id, persona_id }: Pick<UpdateMailbox, 'template_id' | 'persona_id'>,
): Promise<void> {
  const [template, hasPersona] = await Promise.all([
    template_id ? lockTemplate(tx, template_id, 'for share') : null,
    persona_id ? personaExists(tx, persona_id) : false,
  ])
  if (template_id && !template)
    throw notFound('reference_not_found', `template_id: ${templateNotFound().message}`)
  if (persona_id && !hasPersona)
    throw notFound('reference_not_found', `persona_id: ${personaNotFound().message}`)
}

function mergeFields(before: Record<string, string>, sent: UpdateMailbox['fields']): Record<string, string> {
  if (sent === undefined) return before
  const merged = Object.entries({ ...(sent === null ? {} : before), ...sent })
  return Object.fromEntries(merged.filter((entry): entry is [string, string] => Boolean(entry[1])))
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/**
 * Returns the id of a mailbox in events. Events need a UUID: version 8 (RFC 9562, section 5.8), with the mailbox's
 * number at its end.
 */
export const mailboxObjectId = (mailboxId: number): string =>
  `00000000-0000-8000-8000-${mailboxId.toString(16).padStart(12, '0')}`

/** The id of a mailbox from the object id of its events; the reverse of `mailboxObjectId`. */
export const mailboxIdOf = (objectId: string): number => Number.parseInt(objectId.slice(-12), 16)

/** An event of a mailbox: `mailbox.<what>`. */
export const mailboxEvent = (
  what: 'created' | 'updated' | 'deleted' | 'pushed',
  mailboxId: number,
): Change => ({
  type: `mailbox.${what}`,
  objectId: mailboxObjectId(mailboxId),
  data: { mailbox_id: mailboxId },
})
