import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DomainError } from '../platform/domain-error.ts'
import { isTimeZone } from '../platform/http/timezone.ts'
import type { ValidationError } from '../platform/http/validation.ts'
import { type CallingHours, closedReason, requireCallingHours } from './calling-hours.ts'

const hoursOf = (text: string): CallingHours => ({ start: text.slice(0, 5), end: text.slice(6) })

/** Each row has a time, a zone, the hours, and `open` or the reason. Python's zoneinfo gives the same results. */
const table = readFileSync('test/fixtures/calling-hours.tsv', 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => line.split('\t') as [now: string, zone: string, hours: string, expected: string])

describe('calling hours', () => {
  test.each(table)('at %s in the zone %s, the calling hours %s give: %s', (now, zone, hours, expected) => {
    expect(closedReason(hoursOf(hours), zone, Date.parse(now)) ?? 'open').toBe(expected)
  })

  test('calling hours begin at the first minute whose local time is within them, in every time zone', () => {
    const time = fc
      .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
      .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'))
    const lively = [
      'America/New_York',
      'Australia/Lord_Howe',
      'America/Santiago',
      'Pacific/Apia',
      'Africa/Casablanca',
    ]
    const zone = fc.oneof(fc.constantFrom(...lively), fc.constantFrom(...Intl.supportedValuesOf('timeZone')))
    const now = fc.date({ min: new Date('2000-01-01'), max: new Date('2037-12-31'), noInvalidDate: true })
    fc.assert(
      fc.property(now, zone, time, time, (date, timeZone, start, end) => {
        fc.pre(start !== end)
        const clock = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'short' })
        const isOpen = (at: number) => {
          const shown = clock.format(at)
          return start < end ? start <= shown && shown < end : start <= shown || shown < end
        }
        const reason = closedReason({ start, end }, timeZone, date.getTime())
        if (isOpen(date.getTime())) {
          expect(reason).toBeNull()
          return
        }
        let at = Math.floor(date.getTime() / 60_000) * 60_000
        do at += 60_000
        while (!isOpen(at))
        const minutes = Math.ceil((at - date.getTime()) / 60_000)
        const wait = `${minutes >= 60 ? `${Math.floor(minutes / 60)} h ` : ''}${minutes % 60 > 0 ? `${minutes % 60} min` : ''}`
        expect(reason).toContain(`opens at ${clock.format(at)} on `)
        expect(reason).toMatch(new RegExp(`, in ${wait.trim()}$`))
      }),
      { numRuns: 200 },
    )
  })
})

describe('a request', () => {
  const hours = { start: '08:00', end: '21:00' }
  const night = Date.parse('2026-11-23T05:48:00Z')

  test('a request outside the calling hours gets a 400 that says when they begin', () => {
    const call = () => requireCallingHours(hours, 'America/New_York', night)
    expect(call).toThrow(DomainError)
    expect(call).toThrow('opens at 08:00 on Monday 23 November in America/New_York, in 7 h 12 min')
    expect(() => requireCallingHours(hours, 'Asia/Kolkata', night)).not.toThrow()
    expect(() => requireCallingHours(null, 'America/New_York', night)).not.toThrow()
    expect(() => requireCallingHours(null, undefined, night)).not.toThrow()
  })

  test.each([
    ['without a timezone if calling hours are set', hours, undefined, 'missing'],
    ['with an unknown timezone if calling hours are set', hours, 'Mars/Olympus', 'value_error'],
    ['with an unknown timezone if no calling hours are set', null, 'Mars/Olympus', 'value_error'],
  ])('a call %s gets an error about `timezone`', (_what, hours, timezone, type) => {
    const details = (() => {
      try {
        return requireCallingHours(hours, timezone, night)
      } catch (error) {
        return (error as ValidationError).details
      }
    })()
    expect(details).toMatchObject([{ type, loc: ['body', 'timezone'] }])
    expect(JSON.stringify(details)).not.toContain('Mars')
  })
})

test.each([
  ...['America/New_York', 'america/new_york', 'Asia/Kolkata', 'Asia/Calcutta', 'Europe/Kyiv', 'US/Pacific'],
  ...[
    'UTC',
    'GMT',
    'EST5EDT',
    'CET',
    'Etc/GMT+5',
    'America/Argentina/Buenos_Aires',
    'Singapore',
    'Asia/Gaza',
  ],
])('%j is accepted as timezone', (name) => {
  expect(isTimeZone(name)).toBe(true)
  expect(closedReason({ start: '00:00', end: '23:59' }, name, 0)).toBeNull()
})

test.each([
  ...[
    '',
    ' ',
    'Mars/Olympus',
    'BST',
    'bst',
    'IST',
    'PST',
    '+05:30',
    '-08:00',
    '+0530',
    'UTC+1',
    'GMT+5',
    'Z',
  ],
  ...[
    'America/New_York ',
    'America/New York',
    'Europe/Kiev\0',
    'SystemV/PST8',
    'local',
    'Factory',
    '5',
    '–05:00',
  ],
])('%j is refused as timezone', (name) => {
  expect(isTimeZone(name)).toBe(false)
})

test('every time zone of the runtime is accepted', () => {
  expect(Intl.supportedValuesOf('timeZone').filter((zone) => !isTimeZone(zone))).toEqual([])
})
