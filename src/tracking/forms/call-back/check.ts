import type { OrgTx } from '../../../platform/db/org-tx.ts'
import { DomainError } from '../../../platform/domain-error.ts'
import { refuse } from '../../../platform/http/fields.ts'
import type { Detail } from '../../../platform/http/validation.ts'
import { detailAt } from '../../../platform/http/validation.ts'
import { defaultCountry } from '../../../records/find.ts'
import { findSpeaker, ownNumber } from '../../../voice/calls/checks.ts'
import type { FormDefinition } from '../schema.ts'

/** Why a form cannot ask for calls: its fields, its consent, its persona or its number are not suitable. */
export async function problemsOfCallBack(
  tx: OrgTx,
  { call_back: callBack, consent, fields }: FormDefinition,
): Promise<Detail[]> {
  if (!callBack) return []
  const problems: Detail[] = []
  const phones = fields.filter(({ type }) => type === 'phone')
  if (phones.length !== 1 || !phones[0]?.required)
    problems.push(
      detailAt(
        ['body', 'call_back'],
        refuse('the form needs exactly one field of the type phone, and it must be required'),
      ),
    )
  if (!consent?.required || !consent.channels.includes('phone'))
    problems.push(
      detailAt(
        ['body', 'call_back'],
        refuse('the form needs a consent for the channel phone, and it must be required'),
      ),
    )
  if (callBack.persona_id !== null && !(await canSpeak(tx, callBack.persona_id)))
    problems.push(
      detailAt(['body', 'call_back', 'persona_id'], refuse('use the id of a persona that is not archived')),
    )
  const { from_number: from } = callBack
  if (from !== null && !(await ownNumber(tx, from, await defaultCountry(tx))))
    problems.push(
      detailAt(
        ['body', 'call_back', 'from_number'],
        refuse('use a number of this organization (GET /voice/numbers)'),
      ),
    )
  return problems
}

async function canSpeak(tx: OrgTx, personaId: string): Promise<boolean> {
  try {
    await findSpeaker(tx, personaId)
    return true
  } catch (error) {
    if (error instanceof DomainError) return false
    throw error
  }
}
