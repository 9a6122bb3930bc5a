import { DatabaseError } from 'pg'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { DatabaseUnavailable } from '../db/errors.ts'
import { failureReason } from './reason.ts'

describe('why a job failed, for operators', () => {
  test.each([
    ['HubSpot answered 429', 'HubSpot answered 429'],
    ['  two\n lines ', 'two lines'],
    [
      `Unexpected token 'A', "{"email": Ada}" is not valid JSON`,
      'Unexpected token "…", "…" is not valid JSON',
    ],
    ['No record of ada@example.com', 'No record of …'],
    ['Dialling +49 (30) 123-4567 failed', 'Dialling … failed'],
    ['GET https://api.example.com/x?token=abc failed', 'GET … failed'],
    ['Bearer svc_live_4eC39HqLyjWDarjtT1zdp7dc was refused', 'Bearer … was refused'],
    [
      'Contact 0190a3c4-7b1e-7c3a-9d2f-5f0c1e2d3b4a is gone',
      'Contact 0190a3c4-7b1e-7c3a-9d2f-5f0c1e2d3b4a is gone',
    ],
    ['', 'Error'],
  ])('%j becomes %j', (message, reason) => {
    expect(failureReason(new Error(message))).toBe(reason)
  })

  test('is not longer than a paragraph', () => {
    expect(failureReason(new Error('word '.repeat(100)))).toHaveLength(300)
  })

  test('holds none of PostgreSQL’s words but code and constraint', () => {
    const error = new DatabaseError('invalid input syntax for type integer: Ada', 0, 'error')
    Object.assign(error, { severity: 'ERROR', code: '22P02', constraint: 'contact_pkey' })
    expect(failureReason(error)).toBe('PostgreSQL refused a statement (22P02, contact_pkey)')
  })

  test('says that the database was away', () => {
    expect(failureReason(new DatabaseUnavailable('The database cannot be reached'))).toBe(
      'The database cannot be reached',
    )
  })

  test('says where a payload is wrong', () => {
    const { error } = z.object({ org_id: z.string() }).safeParse({ org_id: 5 })
    expect(failureReason(error)).toMatch(/^The payload is not what it should be: .*org_id/)
  })

  test('takes what is no error at all', () => {
    expect(failureReason('Stopped')).toBe('Stopped')
  })
})
