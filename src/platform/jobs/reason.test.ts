import { DatabaseError } from 'pg'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { DatabaseUnavailable } from '../db/errors.ts'
import { failureReason } from './reason.ts'

describe('the failure reason that operators see', () => {
  test.each([
    ['HubSpot answered 429', 'HubSpot answered 429'],
    ['  two\n lines ', 'two lines'],
    [
      `Unexpected token 'A', "{"email": Ada}" is not valid JSON`,
      'Unexpected token "…", "…" is not valid JSON',
    ],
    ['No record of ada@example.com', 'No record of …'],
    ['Dialing +49 (30) 123-4567 failed', 'Dialing … failed'],
    ['GET https://api.example.com/x?token=abc failed', 'GET … failed'],
    ['Bearer svc_live_4eC39HqLyjWDarjtT1zdp7dc was refused', 'Bearer … was refused'],
    [
      'Contact 0190a3c4-7b1e-7c3a-9d2f-5f0c1e2d3b4a is gone',
      'Contact 0190a3c4-7b1e-7c3a-9d2f-5f0c1e2d3b4a is gone',
    ],
    [
      'Mail to x!ada@example.com!, 0190a3c4-7b1e-7c3a-9d2f-5f0c1e2d3b4aada@example.com',
      'Mail to … 0190a3c4-7b1e-7c3a-9d2f-5f0c1e2d3b4a…',
    ],
    [`No record of ${'!'.repeat(300)}@example.com`, 'No record of …'],
    ['Call 030 123 4567ada@example.com', 'Call ……'],
    ['“a “b” c” and ‘d’ failed', '"…" c” and "…" failed'],
    ['The name “Ada, 5 Main Street is too lo', 'The name "…"'],
    ['', 'Error'],
  ])('the message %j becomes the failure reason %j', (message, reason) => {
    expect(failureReason(new Error(message))).toBe(reason)
  })

  test.each(['!', '“', '1(', "'a", 'é!'])('a message of many %j is read in milliseconds', (text) => {
    const startedAt = performance.now()
    failureReason(new Error(text.repeat(60_000)))
    expect(performance.now() - startedAt).toBeLessThan(1_500)
  })

  test('the failure reason that operators see has at most 300 characters', () => {
    expect(failureReason(new Error('word '.repeat(100)))).toHaveLength(300)
  })

  test('the failure reason that operators see contains only the code and the constraint of a PostgreSQL error', () => {
    const error = new DatabaseError('invalid input syntax for type integer: Ada', 0, 'error')
    Object.assign(error, { severity: 'ERROR', code: '22P02', constraint: 'contact_pkey' })
    expect(failureReason(error)).toBe('PostgreSQL refused a statement (22P02, contact_pkey)')
  })

  test('the failure reason that operators see says that the database could not be reached', () => {
    expect(failureReason(new DatabaseUnavailable('The database cannot be reached'))).toBe(
      'The database cannot be reached',
    )
  })

  test('the failure reason that operators see says which field of a payload is invalid', () => {
    const { error } = z.object({ org_id: z.string() }).safeParse({ org_id: 5 })
    expect(failureReason(error)).toMatch(/^The payload is invalid: .*org_id/)
  })

  test('the failure reason that operators see also describes a thrown value that is not an Error', () => {
    expect(failureReason('Stopped')).toBe('Stopped')
  })
})
