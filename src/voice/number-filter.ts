import { readPhone, withPlus } from '../normalize/phone.ts'
import { parsedText, refuse } from '../platform/http/fields.ts'

/** A number in a query. */
export const numberFilter = parsedText((value) => {
  const read = readPhone(withPlus(value), null)
  return 'e164' in read ? read.e164 : refuse('use E.164, such as +14155550100 (in a URL: %2B14155550100)')
})
