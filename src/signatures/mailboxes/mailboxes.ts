import { type Change, recordEventsBy } from '../../events/record.ts'
import { readEmail } from '../../normalise/email.ts'
import { personaExists, personaNotFound } from '../../personas/personas.ts'
import type { Actor } from '../../platform/actor.ts'
import { lockExclusive } from '../../platform/db/advisory-lock.ts'
import { JsonColumns } from '../../platform/db/json-columns.ts'
import type { Org } from '../../platform/db/org.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { Filter, readPage } from '../../platform/db/page.ts'
import { sql } from '../../platform/db/sql.ts'
import { conflict, type DomainError, notFound } from '../../platform/domain-error.ts'
import type { Cursors } from '../../platform/http/cursor.ts'
import type { Pagination } from '../../platform/http/endpoint.ts'
import { requireVersion } from '../../platform/http/if-match.ts'
import type { Json } from '../../platform/json.ts'
import type {
  CreateMailbox,
  Mailbox,
  MailboxQuery,
  ProviderName,
  PushError,
  UpdateMailbox,
} from '../schema.ts'
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

/** Mailboxes with their deployment in one mode. */
const withDeployment = (mode: Actor['mode']) => sql`
  signature_mailbox m cross join (select ${mode}::text as mode) shown left join signature_deployment d
    on d.org_id = m.org_id and d.mailbox_id = m.mailbox_id and d.mode = shown.mode`

/** The org's mailboxes, newest first, with their deployment in this mode. */
export function listMailboxes(
  org: Org,
  cursors: Cursors,
  mode: Actor['mode'],
  query: MailboxQuery,
): Promise<{ rows: Json; pagination: Pagination }> {
  const { template_id, provider, email } = query
  const read = email === undefined ? undefined : readEmail(email)
  const filter = new Filter(org.orgId, 'm')
    .where(template_id, (parameter) => sql`m.template_id = ${parameter}`)
    .where(provider, (parameter) => sql`m.provider = ${parameter}`)
    // No mailbox has an empty key: an invalid address finds none.
    .where(read && ('key' in read ? read.key : ''), (parameter) => sql`m.email_key = ${parameter}`)
  const total = sql`select count(*) from signature_mailbox m where ${filter.conditions}`
  const list = JSON.stringify(['mailboxes', template_id, provider, email])
  const from = withDeployment(mode)
  const source = { list, from, id: sql`m.mailbox_id`, idType: 'bigint' as const, wire, filter, total }
  return readPage(org, cursors, source, query)
}

/** @throws DomainError not_found */
export async function findMailbox(
  tx: OrgTx,
  { orgId, mode }: Pick<Actor, 'orgId' | 'mode'>,
  mailboxId: number,
): Promise<Mailbox> {
  const row = await tx.first(sql<Mailbox>`
      select m.mailbox_id, m.email, m.display_name, m.provider, m.template_id, m.persona_id, m.fields, m.version,
        json_build_object('mode', shown.mode, 'status', coalesce(d.status, 'never'), 'revision', d.revision,
          'installed_at', floor(extract(epoch from d.installed_at))::bigint, 'error', d.error,
          'html_sha256', d.html_sha256) as deployment,
        floor(extract(epoch from m.created_at))::bigint as created_at,
        floor(extract(epoch from m.updated_at))::bigint as updated_at
      from ${withDeployment(mode)} where m.org_id = ${orgId} and m.mailbox_id = ${mailboxId}`)
  if (!row) throw mailboxNotFound()
  return row
}

/** @throws DomainError not_found if there is no such template or persona; conflict if the org has this address already */
export async function createMailbox(tx: OrgTx, actor: Actor, input: CreateMailbox): Promise<Mailbox> {
  const { orgId } = actor
  await requireReferences(tx, orgId, input)
  await lockExclusive(tx, addressLock(orgId, input.email))
  const inserted = await tx.first<{ mailbox_id: number }>({
    text: `
      insert into signature_mailbox (org_id, email, email_key, display_name, provider, template_id, persona_id, fields)
      values ($1, $2, $3, $4, $5, $6, $7, $8)
      on conflict (org_id, email_key) do nothing returning mailbox_id`,
    values: [
      orgId,
      input.email,
      keyOf(input.email),
      input.display_name || null,
      input.provider ?? 'sandbox',
      input.template_id ?? null,
      input.persona_id ?? null,
      JSON.stringify(mergeFields({}, input.fields)),
    ],
  })
  if (!inserted) throw addressUsed(input.email)
  await recordEventsBy(tx, actor, [mailboxEvent('created', inserted.mailbox_id)])
  return findMailbox(tx, actor, inserted.mailbox_id)
}

/** The columns that an update can set. */
type Content = {
  email: string
  display_name: string | null
  provider: ProviderName
  template_id: string | null
  persona_id: string | null
  fields: Record<string, string>
}

/**
 * Changes the given fields.
 * @throws DomainError not_found; conflict if `version` is not the current one, or the org has the address already
 */
export async function changeMailbox(
  tx: OrgTx,
  actor: Actor,
  mailboxId: number,
  input: UpdateMailbox,
  version: number | undefined,
): Promise<Mailbox> {
  const { orgId } = actor
  // Lock the template before the mailbox, as changing a template does: two transactions would deadlock otherwise.
  await requireReferences(tx, orgId, input)
  const before = await lockMailbox(tx, orgId, mailboxId)
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
  if (changed.length === 0) return findMailbox(tx, actor, mailboxId)
  if (changed.includes('email')) {
    await lockExclusive(tx, addressLock(orgId, after.email))
    if (await isUsed(tx, orgId, mailboxId, after.email)) throw addressUsed(after.email)
  }
  await Promise.all([
    tx.run({
      text: `
        update signature_mailbox set email = $3, email_key = $4, display_name = $5, provider = $6, template_id = $7,
          persona_id = $8, fields = $9, version = version + 1, updated_at = clock_timestamp()
        where org_id = $1 and mailbox_id = $2`,
      values: [
        ...[orgId, mailboxId, after.email, keyOf(after.email), after.display_name, after.provider],
        ...[after.template_id, after.persona_id, JSON.stringify(after.fields)],
      ],
    }),
    recordEventsBy(tx, actor, [{ ...mailboxEvent('updated', mailboxId), changed }]),
  ])
  return findMailbox(tx, actor, mailboxId)
}

const mailboxDeleted: PushError = { code: 'mailbox_deleted', message: 'The mailbox was deleted' }

/** Deletes a mailbox; the signature that its provider has stays there. @throws DomainError not_found */
export async function deleteMailbox(tx: OrgTx, actor: Actor, mailboxId: number): Promise<void> {
  const { orgId } = actor
  await lockMailbox(tx, orgId, mailboxId, 'for update')
  const values = [orgId, mailboxId]
  const from = (table: string) =>
    tx.run({ text: `delete from ${table} where org_id = $1 and mailbox_id = $2`, values })
  // In the order in which installs lock them: two transactions would deadlock otherwise.
  await Promise.all([
    ...['signature_deployment', 'signature_offer'].map(from),
    tx.run({
      text: `
        update signature_push set outcome = 'failed', error = $3, finished_at = clock_timestamp()
        where org_id = $1 and mailbox_id = $2 and outcome is null`,
      values: [...values, JSON.stringify(mailboxDeleted)],
    }),
    ...['sandbox_signature', 'signature_mailbox'].map(from),
    recordEventsBy(tx, actor, [mailboxEvent('deleted', mailboxId)]),
  ])
}

type Locked = Content & { version: number }
const contentNames = ['email', 'display_name', 'provider', 'template_id', 'persona_id', 'fields'] as const

/** Locks a mailbox until the transaction ends. @throws DomainError not_found */
export async function lockMailbox(
  tx: OrgTx,
  orgId: string,
  mailboxId: number,
  lock: 'for no key update' | 'for update' = 'for no key update',
): Promise<Locked> {
  const mailbox = await tx.first<Locked>({
    text: `
      select ${contentNames.join(', ')}, version from signature_mailbox
      where org_id = $1 and mailbox_id = $2 ${lock}`,
    values: [orgId, mailboxId],
  })
  if (!mailbox) throw mailboxNotFound()
  return mailbox
}

export const mailboxNotFound = (): DomainError => notFound('No mailbox of this organization has this id')
const addressUsed = (email: string) =>
  conflict(
    `This organization already has a mailbox ${email} (GET /signatures/mailboxes?email=${encodeURIComponent(email)})`,
  )

function keyOf(email: string): string {
  const read = readEmail(email)
  return 'key' in read ? read.key : email
}

/** The lock of an address: no other transaction gives the address to a mailbox meanwhile. */
const addressLock = (orgId: string, email: string) => `mailbox ${orgId} ${keyOf(email)}`

async function isUsed(tx: OrgTx, orgId: string, mailboxId: number, email: string): Promise<boolean> {
  const other = await tx.first({
    text: 'select 1 from signature_mailbox where org_id = $1 and email_key = $2 and mailbox_id <> $3',
    values: [orgId, keyOf(email), mailboxId],
  })
  return other !== undefined
}

/** Locks the template and checks the persona. @throws DomainError not_found that names the field */
async function requireReferences(
  tx: OrgTx,
  orgId: string,
  { template_id, persona_id }: Pick<UpdateMailbox, 'template_id' | 'persona_id'>,
): Promise<void> {
  const [template, hasPersona] = await Promise.all([
    template_id ? lockTemplate(tx, orgId, template_id, 'for share') : null,
    persona_id ? personaExists(tx, orgId, persona_id) : false,
  ])
  if (template_id && !template) throw notFound(`template_id: ${templateNotFound().message}`)
  if (persona_id && !hasPersona) throw notFound(`persona_id: ${personaNotFound().message}`)
}

function mergeFields(before: Record<string, string>, sent: UpdateMailbox['fields']): Record<string, string> {
  if (sent === undefined) return before
  const merged = Object.entries({ ...(sent === null ? {} : before), ...sent })
  return Object.fromEntries(merged.filter((entry): entry is [string, string] => Boolean(entry[1])))
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** The id of a mailbox in events, which need a UUID: version 8 (RFC 9562, section 5.8), with the mailbox's number at its end. */
export const mailboxObjectId = (mailboxId: number): string =>
  `00000000-0000-8000-8000-${mailboxId.toString(16).padStart(12, '0')}`

/** The event of a change to a mailbox. */
export const mailboxEvent = (
  what: 'created' | 'updated' | 'deleted' | 'pushed',
  mailboxId: number,
): Change => ({
  type: `mailbox.${what}`,
  objectId: mailboxObjectId(mailboxId),
  data: { mailbox_id: mailboxId },
})
