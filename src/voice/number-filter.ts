import { readPhone } from '../normalize/phone.ts'
import { parsedText, refuse } from '../platform/http/fields.ts'

/** A number in a query. A plus sign that was not escaped arrives as a space. */
export const numberFilter = parsedText((value) => {
  const read = readPhone(value.replace(/^ (?=\d)/, '+'), null)
  return 'e164' in read ? read.e164 : refuse('use E.164, such as +14155550100 (in a URL: %2B14155550100)')
})
