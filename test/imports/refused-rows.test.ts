import { afterAll, describe, expect, test } from 'vitest'
import { sharedTestApp } from '../support/app.ts'
import { importCsv } from '../support/csv-imports.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

describe('GET /imports/{import_id}/rows', () => {
  const csv = [
    'name,email,consent email',
    'Ada,ada@example.com,yes',
    '"Bad "quote,x@example.com,',
    'Grace,grace@example.com,n/a',
    ',,perhaps',
    '',
    'Alan,alan@example.com,',
  ]

  test('refused rows are listed with line and reason, and do not stop the other rows', async () => {
    const org = await app.newOrg()
    const done = await importCsv(org, csv.join('\n'))
    expect(done.counts).toMatchObject({ rows_read: 5, created: 2, refused: 3 })
    const { body } = await org.get(`/imports/${done.import_id}/rows?outcome=refused`)
    expect(body).toEqual({
      data: [
        { line: 3, outcome: 'refused', code: 'row_unreadable', reason: expect.stringContaining('quote') },
        {
          line: 4,
          outcome: 'refused',
          code: 'validation_failed',
          reason: expect.stringContaining('Column "consent email"'),
        },
        {
          line: 5,
          outcome: 'refused',
          code: 'validation_failed',
          reason: expect.stringContaining('Column "consent email"'),
        },
      ],
      pagination: { has_next: false, limit: 25, next_cursor: null, page: 1, total: 3 },
    })
    expect(body.data[2].reason).toContain('granted, denied or unknown')
  })

  test('refused rows are listed by cursor or page, in the order of the file', async () => {
    const org = await app.newOrg()
    const done = await importCsv(org, `consent email\n${'nonsense\n'.repeat(250)}`)
    const path = `/imports/${done.import_id}/rows?limit=100`
    const linesOf = (body: { data: { line: number }[] }) => body.data.map(({ line }) => line)
    const lines: number[] = []
    for (let cursor = ''; ; ) {
      const { body } = await org.get(path + cursor)
      lines.push(...linesOf(body))
      expect(body.pagination.total).toBe(250)
      if (!body.pagination.has_next) break
      cursor = `&cursor=${encodeURIComponent(body.pagination.next_cursor)}`
    }
    expect(lines).toEqual(Array.from({ length: 250 }, (_, n) => n + 2))
    expect(linesOf((await org.get(`${path}&page=3`)).body)).toEqual(lines.slice(200))
    const other = await importCsv(org, 'consent email\nnonsense\n')
    const cursor = encodeURIComponent((await org.get(path)).body.pagination.next_cursor)
    const wrong = await org.get(`/imports/${other.import_id}/rows?cursor=${cursor}`)
    expect(wrong.body.detail).toMatchObject([{ loc: ['query', 'cursor'] }])
    expect((await org.get(`${path}&outcome=created`)).status).toBe(422)
  })
})

test('the reason of a refused consent names the column and the accepted words', async () => {
  const org = await app.newOrg()
  const words = ['ja', 'Nein', 'oui', 'sí', 'nee', 'vielleicht']
  const csv = `E-Mail,Einwilligung\n${words.map((word, n) => `p${n}@example.com,${word}\n`).join('')}`
  const done = await importCsv(org, csv, { mapping: { Einwilligung: 'consent_email' } })
  expect(done.counts).toMatchObject({ created: 5, refused: 1 })
  const { body } = await org.get(`/imports/${done.import_id}/rows`)
  expect(body.data[0].reason).toBe(
    'Column "Einwilligung": the value must be granted, denied or unknown, or yes or no',
  )
  const { data } = (await org.get('/contacts')).body
  const consents = data.map(({ consent }: { consent: { email: string } }) => consent.email)
  expect(consents.reverse()).toEqual(['granted', 'denied', 'granted', 'granted', 'denied'])
})
