import type { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'
import { type DomainError, invalid } from '../../platform/domain-error.ts'

/** Why a number must not be called. It is also the code of the refusal. */
export type ObjectionCode = 'consent_denied' | 'number_suppressed'

const objectionTexts: Record<ObjectionCode, string> = {
  consent_denied:
    'to_number: a contact that has this number denied consent to phone calls, so nobody was called. Record a later consent on every such contact first (PATCH /contacts/{contact_id} {"consent": {"phone": "granted"}})',
  number_suppressed:
    'to_number: this number is on the suppression list of the organization, so nobody was called (GET /voice/suppressions?number=…)',
}

/** The error for a number that must not be called. */
export const objectionError = (code: ObjectionCode): DomainError => invalid(code, objectionTexts[code])

/**
 * Why the org must not call a number; null if it may. One contact that has the number and denied consent is enough,
 * even an archived one.
 * @param number E.164
 */
export async function objectionTo(tx: OrgTx, number: string): Promise<ObjectionCode | null> {
  const numbers = writtenForms(number)
  const row = await tx.first(sql<{ denied: boolean; suppressed: boolean }>`
    select exists (select from denied_number where org_id = ${tx.orgId} and number = any(${numbers}::text[])) as denied,
      exists (select from voice_suppression where org_id = ${tx.orgId} and number = any(${numbers}::text[])) as suppressed`)
  if (row?.denied) return 'consent_denied'
  return row?.suppressed ? 'number_suppressed' : null
}

/**
 * The forms in which people write a number. From abroad, mobile numbers of Argentina begin with +549, but many people
 * write +54.
 */
function writtenForms(number: string): string[] {
  const [, mobile, digits] = /^\+54(9?)(\d{10})$/.exec(number) ?? []
  return digits === undefined ? [number] : [number, mobile === '9' ? `+54${digits}` : `+549${digits}`]
}
