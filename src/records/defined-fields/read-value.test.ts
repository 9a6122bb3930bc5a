import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyUrl } from '../../../test/support/any-url.ts'
import { runs } from '../../../test/support/runs.ts'
import { Refusal } from '../../platform/http/refusal.ts'
import { type DefinedFieldType, fieldTypes } from './definition.ts'
import { readValue } from './read-value.ts'

const options = ['Gold', 'Silver', 'Free, for now']
const read = (type: DefinedFieldType, value: unknown) => readValue({ key: 'x', type, options }, value, 'US')

test.each<[DefinedFieldType, unknown, unknown]>([
  ['text', '  two words ', 'two words'],
  ['number', '5', 5],
  ['number', 2.5, 2.5],
  ['number', '1e3', 1000],
  ['number', ' 12345678901234567890.5 ', JSON.rawJSON('12345678901234567890.5')],
  ['number', '-0012345678901234567', JSON.rawJSON('-12345678901234567')],
  ['number', '+1_2345678901234567_8', JSON.rawJSON('123456789012345678')],
  ['number', '.12345678901234567890', JSON.rawJSON('0.12345678901234567890')],
  ['number', '12345678901234567.e+2', JSON.rawJSON('12345678901234567e+2')],
  ['boolean', 'yes', true],
  ['boolean', 0, false],
  ['date', '2026-02-28', '2026-02-28'],
  ['date', '20260228', '2026-02-28'],
  ['datetime', '2026-01-31T10:30:00+01:00', '2026-01-31T09:30:00Z'],
  ['datetime', '2026-01-31 09:30Z', '2026-01-31T09:30:00Z'],
  ['select', 'gold', 'Gold'],
  ['multi_select', ['silver', 'Gold', 'Gold'], ['Gold', 'Silver']],
  ['multi_select', 'Silver; gold', ['Gold', 'Silver']],
  ['multi_select', 'Free, for now', ['Free, for now']],
  ['multi_select', [], null],
  ['url', 'https://acme.example/a?b#c', 'https://acme.example/a?b#c'],
  ['email', ' Ada@Example.com ', 'Ada@Example.com'],
  ['phone', '(415) 555-0100', '+14155550100'],
  ...fieldTypes.map((type): [DefinedFieldType, unknown, unknown] => [type, '', null]),
  ...fieldTypes.map((type): [DefinedFieldType, unknown, unknown] => [type, null, null]),
])('a %s reads %j as %j', (type, value, expected) => {
  expect(read(type, value)).toEqual(expected)
})

test.each<[DefinedFieldType, unknown, string]>([
  ['text', 5, 'valid string'],
  ['text', 'x'.repeat(10_001), '10000 characters'],
  ['number', 'five', 'valid number'],
  ['number', '1,000', 'valid number'],
  ['boolean', 'perhaps', 'valid boolean'],
  ['date', '2026-02-30', 'YYYY-MM-DD'],
  ['date', '20260230', 'YYYY-MM-DD'],
  ['date', 'tomorrow', 'YYYY-MM-DD'],
  ['datetime', '2026-01-31T10:30:00', 'offset'],
  ['datetime', '2026-13-31T10:30:00Z', 'offset'],
  ['datetime', '2026-02-30T10:30:00Z', 'offset'],
  ['datetime', '0000-01-01T00:00:00+02:00', 'offset'],
  ['select', 'Bronze', "'Gold', 'Silver' or"],
  ['select', ['Gold'], 'valid string'],
  ['multi_select', ['Gold', 'Bronze'], "'Gold', 'Silver' or"],
  ['multi_select', { Gold: true }, 'valid list'],
  ['url', 'javascript:alert(1)', 'https://'],
  ['url', 'acme.example', 'https://'],
  ['email', 'ada', 'email'],
  ['phone', 'none', 'phone'],
])('a %s refuses %j', (type, value, expected) => {
  expect(read(type, value)).toBeInstanceOf(Refusal)
  expect((read(type, value) as Refusal).msg).toContain(expected)
})

test.each([
  ['gold', 'gold'],
  ['GOLD', 'GOLD'],
  [' GOLD ', 'GOLD'],
  ['gOLD', 'Gold'],
  ['ÄRA', 'Ära'],
])('of options that differ only in letter case, %j chooses %j', (value, chosen) => {
  const definition = { key: 'x', options: ['Gold', 'gold', 'GOLD', 'Ära'] }
  expect(readValue({ ...definition, type: 'select' }, value, null)).toBe(chosen)
  expect(readValue({ ...definition, type: 'multi_select' }, [value], null)).toEqual([chosen])
})

test('a stored value that is sent again is stored unchanged', () => {
  const sent = fc.oneof(
    fc.jsonValue(),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    fc.constantFrom(...options, 'gold,silver', '+14155550100', 'a@b.co'),
    anyUrl(),
    fc.emailAddress(),
  )
  fc.assert(
    fc.property(fc.constantFrom(...fieldTypes), sent, (type, value) => {
      const stored = read(type, value)
      if (!(stored instanceof Refusal)) expect(read(type, stored)).toEqual(stored)
    }),
    { numRuns: runs(100, 2_000) },
  )
})
