import { isNational, readPhone } from '../normalize/phone.ts'
import { findOrg } from '../orgs/orgs.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { detailAt, ValidationError } from '../platform/http/validation.ts'
import { unreadableValue } from '../records/fields.ts'

/**
 * The E.164 form of the `number` of a request. A national number is read with the org's default country.
 * @throws ValidationError at ["body", "number"] if it is not a phone number
 */
export async function requireNumber(tx: OrgTx, value: string): Promise<string> {
  const read = readPhone(value, isNational(value) ? (await findOrg(tx)).default_country : null)
  if ('problem' in read)
    throw new ValidationError([detailAt(['body', 'number'], unreadableValue(read.problem))])
  return read.e164
}
