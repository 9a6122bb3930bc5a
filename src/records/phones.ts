import { z } from 'zod'
import { isNational, readPhone, withPlus } from '../normalize/phone.ts'
import { readPhoneAgain } from '../normalize/recent-phones.ts'
import { parsedText } from '../platform/http/fields.ts'
import { filterText } from '../platform/http/list.ts'
import { type Detail, detailAt, ValidationError } from '../platform/http/validation.ts'
import { unreadableValue } from './fields.ts'
import { primaryList, rawField } from './make-field.ts'
import type { Fields, KeyFilter, OrgDefaults, RecordField } from './record-type.ts'

/**
 * Numbers without a country code are read later, with the default country (`readPhones`). A value without a digit is
 * refused here, together with the request's other problems.
 */
const phone = parsedText(
  (value) => {
    if (isNational(value) && (value.trim() === '' || /\p{Nd}/u.test(value))) return value
    const read = readPhone(value, null)
    return 'e164' in read ? read.e164 : unreadableValue(read.problem)
  },
  { maxLength: 250 },
)

function needsCountry(fields: Fields): boolean {
  const given = [fields.phone, ...((fields.phones as unknown[] | null | undefined) ?? [])]
  return given.some((value) => typeof value === 'string' && isNational(value))
}

/**
 * Reads `phone` and `phones` as E.164 numbers. A blank `phone` becomes null.
 * @throws ValidationError that lists all unreadable numbers
 */
function readPhones(
  fields: Fields,
  { defaultCountry }: OrgDefaults,
): { phone: string | null | undefined; phones: string[] | null | undefined } {
  const given = fields as { phone?: string | null; phones?: string[] | null }
  const problems: Detail[] = []
  const read = (value: string, ...path: (string | number)[]) => {
    const found = readPhone(value, defaultCountry)
    if ('e164' in found) return found.e164
    problems.push(detailAt(['body', ...path], unreadableValue(found.problem)))
    return value
  }
  const isBlank = given.phone?.trim() === ''
  const result = {
    phone: isBlank ? null : given.phone && read(given.phone, 'phone'),
    phones: given.phones?.map((value, index) => read(value, 'phones', index)) ?? given.phones,
  }
  if (problems.length > 0) throw new ValidationError(problems)
  return result
}

/** Finds any phone number of a record. */
const phoneFilter: KeyFilter = {
  schema: filterText(250, 'end'),
  description: 'A phone number in E.164. National form also works if a default_country is set.',
  key: (value, { defaultCountry }) => {
    const read = readPhoneAgain(withPlus(value), defaultCountry)
    return 'e164' in read ? { kind: 'phone', value: read.e164 } : read
  },
  start: withPlus,
  needsCountry: (value) => isNational(withPlus(value)),
}

const headers =
  'phone phones tel telephone telephonenumber phonenumber phonevalue phoneno mobile mobiles mobilephone mobileno ' +
  'mobilenumber mobilephonenumber cell cellphone cellnumber cellphonenumber workphone workphonenumber businessphone ' +
  'businessphonenumber homephone homephonenumber officephone directphone otherphone primaryphone secondaryphone ' +
  'contactphone personphone personphonework personphonemobile companyphone companyphonenumber workdirectphone ' +
  'phonework phonehome phonemobile telefon telefonnummer telefono telefone telefoon mobil mobiltelefon mobilnummer ' +
  'handy handynummer portable movil celular gsm msisdn whatsapp whatsappnumber ' +
  'rufnummer festnetz telnr telefonnr telefonprivat telefongeschaftlich telefonmobil telephoneportable telephonefixe ' +
  'telefonofijo telefonomovil telefoonnummer mobiel'

const phoneRaw = rawField('phone_raw', 'A phone number that an import could not read.', 'phone', 'phones')

export const phonesFields = {
  ...primaryList({
    one: 'phone',
    all: 'phones',
    item: phone,
    max: 50,
    about: {
      one: 'The primary number, which is the first of `phones`. It is stored in E.164.',
      all: 'All phone numbers, the primary number first.',
    },
    headers,
    keyOf: (value) => value,
    read(fields, orgDefaults) {
      const { phone, phones } = readPhones(fields, orgDefaults)
      return { one: phone, all: phones }
    },
    needsCountry,
    key: {
      kind: 'phone',
      filter: {
        ...phoneFilter,
        description: `Finds records by any of their numbers. ${phoneFilter.description}`,
      },
    },
  }),
  phone_raw: phoneRaw,
}

const phoneField: RecordField<string | null | undefined> = {
  about: 'The phone number, stored in E.164; null: none.',
  columns: 'text',
  input: phone.nullable().optional(),
  output: z.string().nullable(),
  headers,
  apply(state, _sent, { before, fields, orgDefaults }) {
    const { phone } = readPhones(fields, orgDefaults)
    state.phone = phone === undefined ? (before?.phone ?? null) : phone
  },
  needsCountry,
  key: {
    kind: 'phone',
    of: ({ phone }) => (phone === null ? [] : [{ kind: 'phone', value: phone as string }]),
    isMatched: true,
    filter: phoneFilter,
  },
}

export const phoneFields = { phone: phoneField, phone_raw: phoneRaw }
