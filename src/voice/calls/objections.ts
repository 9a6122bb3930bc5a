import type { OrgTx } from '../../platform/db/org-tx.ts'
import { type DomainError, invalid } from '../../platform/domain-error.ts'

/** Codes of the answer to a call that somebody has said no to. */
export type ObjectionCode = 'consent_denied' | 'number_suppressed'

const words: Record<ObjectionCode, string> = {
  consent_denied:
    'to_number: a contact that has this number denied consent to phone calls, so nobody was called. Record a later consent on every such contact first (PATCH /contacts/{contact_id} {"consent": {"phone": "granted"}})',
  number_suppressed:
    'to_number: this number is on the suppression list of the organization, so nobody was called (GET /voice/suppressions?number=…)',
}

/**
 * Why the org must not call a number now; null: nobody said no. One contact that denied it is enough, also an archived
 * one, whatever other contacts with the number say.
 * @param number E.164
 */
export async function objectionTo(tx: OrgTx, orgId: string, number: string): Promise<DomainError | null> {
  const row = await tx.first<{ denied: boolean; suppressed: boolean }>({
    text: `
      select exists (select from denied_number where org_id = $1 and number = $2) as denied,
        exists (select from voice_suppression where org_id = $1 and number = $2) as suppressed`,
    values: [orgId, number],
  })
  const code = row!.denied ? 'consent_denied' : row!.suppressed ? 'number_suppressed' : null
  return code && invalid(words[code], code)
}
