import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { importCsv } from '../support/csv-imports.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const unknownId = '01a1fe49-a370-7040-bfb4-6c917db78a2c'

describe('the reason of a refused row names columns of the file, and no fields of the API', () => {
  let org: TestOrg
  beforeEach(async () => {
    org = await app.newOrg()
  })

  async function reasonsOf(csv: string, options: Parameters<typeof importCsv>[2] = {}): Promise<string[]> {
    const done = await importCsv(org, csv, options)
    const { body } = await org.get(`/imports/${done.import_id}/rows`)
    return body.data.map(({ reason }: { reason: string }) => reason)
  }

  test.each([
    ['Firma', 'company_id', unknownId, `no company of this organization has the id ${unknownId}`],
    ['Firma', 'company_id', 'Acme', 'the value is not an id'],
    [
      'Einwilligung',
      'consent_email',
      'vielleicht',
      'the value must be granted, denied or unknown, or yes or no',
    ],
    ['Schlagworte', 'tags', 'x'.repeat(300), 'the text has more than 100 characters'],
    ['Ort', 'city', 'x'.repeat(300), 'the text has more than 200 characters'],
    ['Name', 'full_name', 'x'.repeat(300), 'the text has more than 200 characters'],
    ['Ausweis', 'external_id:hr', '9'.repeat(300), 'the text has more than 255 characters'],
    ['Sitze', 'custom:seats', 'viele', 'the value is not a number'],
    [
      'Adressen',
      'emails',
      Array.from({ length: 60 }, (_, n) => `m${n}@example.com`).join(';'),
      'there are more than 50 values',
    ],
  ])('of a value in “%s”, which becomes %s', async (header, field, value, words) => {
    await org.post('/fields', { entity: 'contact', key: 'seats', label: 'Seats', type: 'number' })
    const csv = `E-Mail 1,${header}\nada@example.com,${value}\n`
    const mapping = { 'E-Mail 1': 'email', [header]: field }
    expect(await reasonsOf(csv, { mapping })).toEqual([`Column "${header}": ${words}`])
  })

  test('if the row has two such values', async () => {
    const csv = `Ort,Einwilligung\n${'x'.repeat(300)},perhaps\n`
    expect(await reasonsOf(csv, { mapping: { Ort: 'city', Einwilligung: 'consent_email' } })).toEqual([
      'Column "Einwilligung": the value must be granted, denied or unknown, or yes or no. Column "Ort": the text has more than 200 characters',
    ])
  })

  test('with at most 100 characters of a header', async () => {
    const header = `Einwilligung ${'x'.repeat(30_000)}`
    const csv = `E-Mail,${header}\nada@example.com,perhaps\n`
    const [reason] = await reasonsOf(csv, { mapping: { '#2': 'consent_email' } })
    expect(reason).toBe(
      `Column "${header.slice(0, 99)}…": the value must be granted, denied or unknown, or yes or no`,
    )
  })

  test('if the row names nobody', async () => {
    expect(await reasonsOf('E-Mail,Schuhe\n,38\n')).toEqual([
      'a contact needs a name, an e-mail address, a phone number or an id in another system',
    ])
    const companies = await importCsv(org, 'domain,size\n,38\n', { entity: 'companies' })
    const { body } = await org.get(`/imports/${companies.import_id}/rows`)
    expect(body.data[0].reason).toBe(
      'a company needs a name, a domain, a phone number or an id in another system',
    )
  })

  test('if the row matches several records, none, or the value of another record', async () => {
    await org.post('/fields', {
      entity: 'contact',
      key: 'badge',
      label: 'Ausweis',
      type: 'text',
      unique: true,
    })
    const { body } = await org.post('/contacts', { email: 'ada@example.com', custom: { badge: '7' } })
    const ids: string[] = []
    for (const city of ['Rom', 'Ulm'])
      ids.push((await org.post('/contacts', { email: 'bo@example.com', city })).body.data.contact_id)
    const csv = 'Mail,Ausweis,Vorname\nbo@example.com,,\n,,Zoe\neve@example.com,7,\n'
    const reasons = await reasonsOf(csv, { query: { match_on: 'email' } })
    expect(reasons[0]).toMatch(
      /^2 contacts match column "Mail": \S+, \S+\. Merge them, or update one of them by its id$/,
    )
    for (const id of ids) expect(reasons[0]).toContain(id)
    expect(reasons.slice(1)).toEqual([
      'Column "Mail": the cell is empty or unreadable, but the import finds existing records by it',
      `The contact ${body.data.contact_id} has this value of column "Ausweis" already, and the field is unique. Change that contact, merge the two, or correct the row`,
    ])
    expect(await reasonsOf('Mail,Ausweis\neve@example.com,9\nzoe@example.com,9\n')).toEqual([
      'An earlier row of this file gives this value of column "Ausweis" to another contact. The field is unique: correct the row',
    ])
  })
})
