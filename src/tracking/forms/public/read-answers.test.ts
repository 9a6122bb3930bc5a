import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FormDefinition, FormField } from '../schema.ts'
import { hasCardNumber } from './card-numbers.ts'
import { readAnswers } from './read-answers.ts'

const field = (part: Partial<FormField>): FormField => ({
  ...{ key: 'a', label: 'A', type: 'text', required: false, options: [], maps_to: null, hint: null },
  ...part,
})
const form = (...fields: FormField[]): FormDefinition => ({
  ...{ title: 'A', description: '', fields, consent: null, call_back: null, submit_label: 'Send' },
  thank_you: { text: 'Thanks', url: null },
})
const read = (part: Partial<FormField>, value: unknown) => {
  const { answers, problems } = readAnswers(form(field(part)), { a: value }, undefined, 'US')
  return problems.get('a') ?? answers.a ?? null
}

describe('the answers of a form', () => {
  test.each<[Partial<FormField>, unknown, unknown]>([
    [{}, ' Ada ', 'Ada'],
    [{}, '', null],
    [{ type: 'textarea' }, 'two\nlines', 'two\nlines'],
    [{ type: 'email' }, 'Ada@example.com', 'Ada@example.com'],
    [{ type: 'phone' }, '(202) 555-0100', '+12025550100'],
    [{ type: 'phone' }, '+49 1511 2345 678', '+4915112345678'],
    [{ type: 'number' }, '3.5', 3.5],
    [{ type: 'scale' }, '10', 10],
    [{ type: 'checkbox' }, 'on', true],
    [{ type: 'date' }, '2026-02-28', '2026-02-28'],
    [{ type: 'multi_select', options: ['x', 'y'] }, ['y', 'x'], ['x', 'y']],
    [{ type: 'url' }, 'https://example.com', 'https://example.com'],
  ])('%j reads %j as %j', (part, value, expected) => {
    expect(read(part, value)).toEqual(expected)
  })

  test.each<[Partial<FormField>, unknown]>([
    [{ required: true }, ''],
    [{ type: 'checkbox', required: true }, undefined],
    [{ type: 'email' }, 'nobody'],
    [{ type: 'phone' }, '12'],
    [{ type: 'scale' }, '11'],
    [{ type: 'scale' }, '1.5'],
    [{ type: 'number' }, 'many'],
    [{ type: 'date' }, '2026-02-30'],
    [{ type: 'url' }, 'javascript:alert(1)'],
    [{ type: 'select', options: ['x'] }, 'z'],
    [{ maps_to: 'first_name' }, 'x'.repeat(201)],
    [{}, 'My card is 4111 1111 1111 1111, 12/27'],
    [{}, '4111-1111-1111-1111 12 27'],
    [{ type: 'phone' }, '4111111111111111'],
    [{ type: 'number' }, 4111111111111111],
  ])('%j refuses %j with a text', (part, value) => {
    expect(read(part, value)).toMatch(/^[A-Z].*\.$/)
  })

  test('only declared fields are read, and members of Object.prototype are no answers', () => {
    const sent = { a: 'x', b: 'y', password: 'z' }
    expect(readAnswers(form(field({}), field({ key: 'constructor' })), sent, undefined, null)).toEqual({
      answers: { a: 'x' },
      consent: null,
      problems: new Map(),
    })
  })

  test('consent is recorded only if the form asks for it', () => {
    const asking = {
      ...form(field({})),
      consent: { text: 'News', channels: ['email' as const], required: false },
    }
    expect(readAnswers(asking, {}, 'on', null).consent).toBe(true)
    expect(readAnswers(asking, {}, undefined, null).consent).toBe(false)
    expect(readAnswers(form(field({})), {}, 'on', null).consent).toBeNull()
  })
})

test.each([
  ['4111111111111111', true],
  ['5500 0055 5555 5559', true],
  ['378282246310005', true],
  ['1234 5678 9012 3456', false],
  ['0000000000000000', false],
  ['+1 202 555 0100', false],
])('%s is a card number: %s', (text, expected) => {
  expect(hasCardNumber(text)).toBe(expected)
})

test('in groups of digits, exactly 13 to 19 digits of whole groups with a valid check digit are a card number', () => {
  const group = fc.stringMatching(/^[0-9]{1,7}$/)
  fc.assert(
    fc.property(fc.array(group, { maxLength: 12 }), fc.constantFrom(' ', '-', '.'), (groups, between) => {
      const spans = groups.flatMap((_, from) =>
        groups.slice(from).map((__, more) => groups.slice(from, from + more + 1).join('')),
      )
      expect(hasCardNumber(`a ${groups.join(between)}, b`)).toBe(spans.some(isCard))
    }),
  )
})

function isCard(digits: string): boolean {
  const values = [...digits].reverse().map((digit, at) => Number(digit) * (at % 2 === 1 ? 2 : 1))
  const sum = values.reduce((total, value) => total + (value > 9 ? value - 9 : value), 0)
  return /^\d{13,19}$/.test(digits) && /[1-9]/.test(digits) && sum % 10 === 0
}
