import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openMemos } from '../../../test/support/memos.ts'
import * as types from './binary-array.ts'

const { owner } = await openMemos()

const day = fc.date({ min: new Date('1970-01-01'), max: new Date('5138-01-01'), noInvalidDate: true })
const storable = fc.string({ unit: 'binary', maxLength: 2_000 }).map((value) => value.replaceAll('\0', ''))

test.each<[types.ElementType<never>, fc.Arbitrary<unknown>, string]>([
  [types.text, storable, 'e'],
  [types.jsonb, fc.jsonValue().map((value) => JSON.stringify(value).replaceAll('\\u0000', '')), 'e'],
  [types.uuid, fc.uuid(), 'e'],
  [types.date, day.map((value) => value.toISOString().slice(0, 10)), 'e::text'],
  [types.timestamptz, day.map(Number), '(extract(epoch from e) * 1000)::bigint'],
  [types.boolean, fc.boolean(), 'e'],
  [types.bigint, fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String), 'e::text'],
  [types.smallint, fc.integer({ min: -32_768, max: 32_767 }), 'e'],
])('PostgreSQL reads every array of $name, with null', async (type, value, shown) => {
  const lists = fc.array(fc.option(value), { maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(lists, async (list) => {
      const array = new types.BinaryArray(type)
      for (const each of list) array.push(each as never)
      const { rows } = await owner.query(
        `select ${shown} as e from unnest($1::${type.name}[]) with ordinality as e (e, place) order by place`,
        [array.toParameter()],
      )
      const wanted = list.map((each) => (type.name === 'jsonb' && each ? JSON.parse(each as string) : each))
      expect(rows.map(({ e }) => e)).toEqual(wanted)
    }),
    { numRuns: 50 },
  )
})
