import type { OrgTx } from '../../../platform/db/org-tx.ts'
import { sql } from '../../../platform/db/sql.ts'
import { ValidationError } from '../../../platform/http/validation.ts'
import type { Fields } from '../../../records/record-type.ts'
import { upsertOwnContact } from '../../identity/own-contact.ts'
import type { FormDefinition } from '../schema.ts'

export type Statement = {
  visitorId: string
  /** The name and version of the form, which the details of a consent name. */
  source: string
  definition: FormDefinition
  answers: Readonly<Record<string, unknown>>
  consent: boolean | null
  /** When the person sent it, in Unix seconds. */
  at: number
}

/** `version`: null if the contact did not change. */
type Written = { isNew: boolean; contactId: string; version: number | null }

/** `full`: the visitors of the organization made their maximum of contacts today. null: there is nothing to write. */
export type WrittenContact = Written | 'full' | null

/**
 * Writes the visitor's own contact, and no other one. An answer that no longer fits its defined field is left out: the
 * submission itself has all answers.
 */
export async function writeOwnContact(tx: OrgTx, statement: Statement): Promise<WrittenContact> {
  const fields = contactFieldsOf(statement)
  if (fields === null) return null
  const written = await writeFields(tx, statement, fields)
  if (!(written instanceof ValidationError)) return written
  const fitting = withoutUnfit(fields, written)
  if (Object.keys(fitting).length === 0) return null
  const rewritten = await writeFields(tx, statement, fitting)
  return rewritten instanceof ValidationError ? null : rewritten
}

/** The fields without the members of `custom` that were refused, or without `custom` if the refusal names none of them. */
function withoutUnfit({ custom, ...others }: Fields, { details }: ValidationError): Fields {
  const unfit = new Set(details.flatMap(({ loc }) => (loc[1] === 'custom' && loc.length > 2 ? [loc[2]] : [])))
  const fitting = Object.entries(custom ?? {}).filter(([key]) => !unfit.has(key))
  return unfit.size > 0 && fitting.length > 0 ? { ...others, custom: Object.fromEntries(fitting) } : others
}

/** Returns a ValidationError if the values are not valid. */
async function writeFields(
  tx: OrgTx,
  { visitorId }: Statement,
  fields: Fields,
): Promise<WrittenContact | ValidationError> {
  try {
    const before = await versionsOf(tx, visitorId)
    const written = await upsertOwnContact(tx, { visitorId, fields })
    if (written.outcome === 'full') return 'full'
    const { contactId } = written
    const version = (await versionsOf(tx, visitorId)).get(contactId) ?? null
    const isChanged = version !== before.get(contactId)
    return { isNew: written.outcome === 'created', contactId, version: isChanged ? version : null }
  } catch (error) {
    if (error instanceof ValidationError) return error
    throw error
  }
}

/** The versions of the contacts that the visitor made. */
async function versionsOf(tx: OrgTx, visitorId: string): Promise<Map<string, number>> {
  const rows = await tx.rows(sql<{ contact_id: string; version: number }>`
    select contact_id, version from contact where org_id = ${tx.orgId} and claimed_by = ${visitorId}`)
  return new Map(rows.map((row) => [row.contact_id, row.version]))
}

/** The fields of the contact that the answers fill; null: none. */
function contactFieldsOf({ definition, answers, consent, source, at }: Statement): Fields | null {
  const fields: Fields = {}
  const custom: Record<string, unknown> = {}
  for (const { key, maps_to: mapsTo } of definition.fields) {
    if (mapsTo === null || !Object.hasOwn(answers, key)) continue
    if (mapsTo.startsWith('custom.')) custom[mapsTo.slice('custom.'.length)] = answers[key]
    else fields[mapsTo] = answers[key]
  }
  if (Object.keys(custom).length > 0) fields.custom = custom
  if (Object.keys(fields).length === 0) return null
  if (consent && definition.consent) {
    const of = (value: unknown) =>
      Object.fromEntries(definition.consent?.channels.map((channel) => [channel, value]) ?? [])
    fields.consent = of('granted')
    fields.consent_details = of({ kind: 'written', source, at })
  }
  return fields
}
