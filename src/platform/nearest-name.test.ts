import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nearestName } from './nearest-name.ts'

const known = ['email', 'emails', 'first_name', 'expires_in_days', 'permissions', 'contact_ids', 'id', 'page']

describe('nearestName', () => {
  test.each([
    ['emial', 'email'],
    ['e_mail', 'email'],
    ['firstname', 'first_name'],
    ['firstName', 'first_name'],
    ['First Name', 'first_name'],
    ['frist_nmae', 'first_name'],
    ['permission', 'permissions'],
    ['contact_id', 'contact_ids'],
    ['expires_at', 'expires_in_days'],
    ['paeg', 'page'],
    ['pge', 'page'],
    ['offset', 'page'],
    ['expires', 'expires_in_days'],
    ['pag', 'page'],
    ['contact', 'contact_ids'],
  ])('the misspelled name %s is recognized as %s', (name, nearest) => {
    expect(nearestName(name, known)).toBe(nearest)
  })

  test.each(['ids', 'ie', 'pg', 'pagination', 'x', '', 'name', '__proto__', 'email'.repeat(1000)])(
    'the name %s gets no suggestion',
    (name) => {
      expect(nearestName(name, known)).toBeUndefined()
    },
  )

  test('for a name that is equally near to two known names, the first is suggested', () => {
    expect(nearestName('company_xx', ['company_id', 'company_no'])).toBe('company_id')
  })

  test('a text that begins two known names, or is the first word of both, gets no suggestion', () => {
    expect(nearestName('created', ['created_since', 'created_before'])).toBeUndefined()
    expect(nearestName('created_by_key', ['created_since', 'created_before'])).toBeUndefined()
  })

  test('one typo in a name of 6 letters or more always gets the right suggestion', () => {
    const slips = fc.tuple(fc.constantFrom('first_name', 'permissions', 'expires_in_days'), fc.nat())
    fc.assert(
      fc.property(slips, ([name, at]) => {
        const place = at % name.length
        expect(nearestName(name.slice(0, place) + name.slice(place + 1), known)).toBe(name)
        expect(nearestName(`${name.slice(0, place)}q${name.slice(place)}`, known)).toBe(name)
      }),
    )
  })
})
