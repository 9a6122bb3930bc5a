import google from 'google-libphonenumber'
import { getCountries, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { describe, expect, test } from 'vitest'
import { phoneWords } from '../../console/src/parts/phone-number.ts'

const { PhoneNumberFormat, PhoneNumberType, PhoneNumberUtil } = google
const util = PhoneNumberUtil.getInstance()

/** The example numbers of all countries in E.164. */
const examples = getCountries().flatMap((country) =>
  [PhoneNumberType.MOBILE, PhoneNumberType.FIXED_LINE].flatMap((type) => {
    const number = util.getExampleNumberForType(country, type)
    return number ? [util.format(number, PhoneNumberFormat.E164)] : []
  }),
)

describe('a phone number in the console', () => {
  test.each([
    ['+14155550132', '+1 415 555 0132'],
    ['+442079460958', '+44 20 7946 0958'],
    ['+447400123456', '+44 7400 123456'],
    ['+33612345678', '+33 6 12 34 56 78'],
    ['+493012345678', '+49 30 12345678'],
    ['+4989555123', '+49 89 555123'],
    ['+492214710751', '+49 221 4710751'],
    ['+97336001234', '+973 3600 1234'],
    ['+4915123456789', '+49 1512 3456789'],
    ['+61412345678', '+61 412 345 678'],
    ['+918123456789', '+91 81234 56789'],
    ['+37254123456', '+372 5412 3456'],
    ['+8612', '+8612'],
    ['call me', 'call me'],
    ['', ''],
  ])('%s is shown as %s', (number, words) => {
    expect(phoneWords(number)).toBe(words)
  })

  test('a shown number has the same digits, in every country', () => {
    expect(examples.length).toBeGreaterThan(400)
    for (const number of examples) expect(phoneWords(number).replaceAll(' ', '')).toBe(number)
  })

  test('the calling code of a shown number is separate, in every country', () => {
    for (const number of examples)
      expect(phoneWords(number).split(' ')[0]).toBe(
        `+${parsePhoneNumberFromString(number)?.countryCallingCode}`,
      )
  })

  test('mobile numbers of these countries have the groups of libphonenumber', () => {
    const countries =
      'US CA GB FR DE ES IT NL BE CH SE NO DK FI PL CZ SK PT IE RO HU TR UA GR IN AU NZ BR MX CO CL JP CN KR SG HK TW ZA NG AE'
    const differing = countries.split(' ').flatMap((country) => {
      const example = util.getExampleNumberForType(country, PhoneNumberType.MOBILE)
      const number = example ? util.format(example, PhoneNumberFormat.E164) : ''
      const international = parsePhoneNumberFromString(number)?.formatInternational() ?? 'none'
      return phoneWords(number) === international.replaceAll('-', ' ')
        ? []
        : [`${number} ${phoneWords(number)} ${international}`]
    })
    expect(differing).toEqual([])
  })
})
