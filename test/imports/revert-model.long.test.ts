import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { importCsv, untilEnded } from '../support/csv-imports.ts'
import { runs } from '../support/runs.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const fields = ['city', 'job_title', 'region'] as const
type Values = Partial<Record<(typeof fields)[number], string>>
type Person = { values: Record<string, string | null>; tags: string[] }

const people = 3
const word = fc.constantFrom('a', 'b', 'c')
const values = fc.record({ city: word, job_title: word, region: word }, { requiredKeys: [] })
const person = fc.nat({ max: people - 1 })
const row = fc.record({ person, values, tag: fc.option(word) })
const patch = fc.record({ person, values })

const emailOf = (n: number) => `person${n}@example.com`

/**
 * The model of a revert: from the last change to the first, each field that still has the imported value gets its old
 * value.
 */
function reverted(now: Person, changes: readonly { before: Person; after: Person }[]): Person {
  const left = { values: { ...now.values }, tags: now.tags }
  for (const { before, after } of changes.toReversed()) {
    for (const field of fields) {
      const changed = before.values[field] !== after.values[field]
      if (changed && left.values[field] === after.values[field])
        left.values[field] = before.values[field] ?? null
    }
    left.tags = left.tags.filter((tag) => before.tags.includes(tag) || !after.tags.includes(tag))
  }
  return left
}

const written = ({ values, tags }: Person, sent: Values, tag: string | null = null): Person => ({
  values: { ...values, ...sent },
  tags: tag === null || tags.includes(tag) ? tags : [...tags, tag],
})

async function shown(org: TestOrg, ids: readonly string[]): Promise<Person[]> {
  return Promise.all(
    ids.map(async (id) => {
      const { data } = (await org.get(`/contacts/${id}`)).body
      return { values: Object.fromEntries(fields.map((field) => [field, data[field]])), tags: data.tags }
    }),
  )
}

test('after any imports and later writes, a revert leaves the state that a model without the import expects', async () => {
  const history = fc.record({
    first: fc.array(values, { minLength: people, maxLength: people }),
    rows: fc.array(row, { minLength: 1, maxLength: 6 }),
    patches: fc.array(patch, { maxLength: 4 }),
    merge: fc.option(fc.constantFrom('after import', 'after patches')),
  })
  await fc.assert(
    fc.asyncProperty(history, async ({ first, rows, patches, merge }) => {
      const org = await app.newOrg()
      const ids: string[] = []
      let model: Person[] = []
      for (const [n, given] of first.entries()) {
        const { body } = await org.post('/contacts', { email: emailOf(n), ...given })
        ids.push(body.data.contact_id)
      }
      model = await shown(org, ids)

      const lines = rows.map(({ person, values, tag }) =>
        [emailOf(person), ...fields.map((field) => values[field] ?? ''), tag ?? ''].join(','),
      )
      const csv = `email,${fields.join(',')},tags\n${lines.join('\n')}\n`
      const done = await importCsv(org, csv, { query: { match_on: 'email' } })
      const changes = ids.map((): { before: Person; after: Person }[] => [])
      for (const { person, values, tag } of rows) {
        const before = model[person] as Person
        const after = written(before, values, tag)
        changes[person]?.push({ before, after })
        model[person] = after
      }
      expect(await shown(org, ids)).toEqual(model)
      expect(done.counts.updated + done.counts.unchanged).toBe(rows.length)

      // The undo makes the absorbed id's facts visible again, so the model reverts them too.
      let mergeId = ''
      const mergeTwo = async () => {
        const body = { entity_type: 'contact', survivor_id: ids[0], loser_ids: [ids[1]] }
        expect((await org.post('/duplicates/merge', body)).status).toBe(200)
        mergeId = (await org.get('/duplicates/recent-merges')).body.data[0].merge_id
      }
      if (merge === 'after import') await mergeTwo()
      for (const { person, values } of patches) {
        if (merge === 'after import' && person < 2) continue
        await org.patch(`/contacts/${ids[person]}`, values)
        model[person] = written(model[person] as Person, values)
      }
      if (merge === 'after patches') await mergeTwo()

      await org.post(`/imports/${done.import_id}/revert`)
      expect((await untilEnded(org, done.import_id)).status).toBe('reverted')
      if (merge) expect((await org.post(`/duplicates/undo-merge/${mergeId}`)).status).toBe(200)
      expect(await shown(org, ids)).toEqual(model.map((now, n) => reverted(now, changes[n] ?? [])))
    }),
    { numRuns: runs(8, 25) },
  )
})
