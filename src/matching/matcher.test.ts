import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { groupRecords } from './blocks.ts'
import { Comparer } from './compare.ts'
import { defaultModel } from './default-model.ts'
import { featuresOf } from './feature-table.ts'
import { keysOf } from './key-kinds.ts'
import { createMatcher } from './matcher.ts'
import { RecordSetBuilder } from './record-set.ts'
import { type Column, columnTypes, type MatchRecord, type Schema } from './schema.ts'

const contact: Schema = [
  { name: 'first_name', type: 'first_name' },
  { name: 'last_name', type: 'last_name' },
  { name: 'email', type: 'email' },
  { name: 'phone', type: 'phone' },
  { name: 'linkedin_url', type: 'linkedin' },
  { name: 'external_ids', type: 'external_id' },
  { name: 'company_name', type: 'company_name' },
]
const matcherOf = (schema: Schema) =>
  createMatcher({ schema, model: defaultModel(schema, 'any'), records: 10_000, defaultCountry: 'US' })
const matcher = matcherOf(contact)
const every: Column[] = columnTypes.map((type) => ({ name: type, type }))
const anything = matcherOf(every)

const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@lovelace.org', phone: '(415) 555-0100' }
const smith = { last_name: 'Smith', company_name: 'Acme' }
const features = (record: MatchRecord) => matcher.normalize(record)
const decide = (a: MatchRecord, b: MatchRecord) => matcher.decide(features(a), features(b))

describe('features ignore', () => {
  test.each<[string, MatchRecord, MatchRecord]>([
    [
      'case, tags and dots of Gmail addresses',
      { email: 'A.da+news@Gmail.com' },
      { email: 'ada@googlemail.com' },
    ],
    ['the form of phone numbers', { phone: '(415) 555-0100' }, { phone: '+14155550100' }],
    ['titles and accents', { first_name: 'Dr. José' }, { first_name: 'jose' }],
    [
      'the form of LinkedIn URLs',
      { linkedin_url: 'https://uk.linkedin.com/in/Ada-L/?x=1' },
      { linkedin_url: 'linkedin.com/in/ada-l' },
    ],
    ['the order of several values', { email: ['b@x.org', 'a@x.org'] }, { email: ['A@x.org', 'b@x.org', ''] }],
    ['the spelling of legal forms', { company_name: 'ACME Incorporated' }, { company_name: 'Acme, Inc.' }],
    ['blanks', { first_name: '  ', email: null }, {}],
  ])('features ignore %s', (_, a, b) => {
    expect(features(a)).toEqual(features(b))
  })
})

describe('a decision', () => {
  test.each<[string, MatchRecord, MatchRecord, string]>([
    ['two equal records', ada, ada, 'auto'],
    ['a name and its nickname', { ...ada, first_name: 'Robert' }, { ...ada, first_name: 'Bob' }, 'auto'],
    ['a couple with one mailbox', ada, { ...ada, first_name: 'William' }, 'review'],
    ['two people with one office mailbox', ada, { ...ada, first_name: 'Grace', last_name: 'Hopper' }, 'none'],
    [
      'two records with only the same name',
      { first_name: 'Ada', last_name: 'Lovelace' },
      { first_name: 'Ada', last_name: 'Lovelace' },
      'none',
    ],
    ['initials that differ', { ...smith, first_name: 'A.' }, { ...smith, first_name: 'B.' }, 'none'],
    ['the same initials', { ...smith, first_name: 'J. R.' }, { ...smith, first_name: 'J.R.' }, 'auto'],
    [
      'two initials, one of which differs',
      { ...smith, first_name: 'J.R.' },
      { ...smith, first_name: 'K.R.' },
      'none',
    ],
    [
      'middle initials that differ',
      { ...smith, first_name: 'Anna M.' },
      { ...smith, first_name: 'Anna K.' },
      'none',
    ],
    [
      'second names that differ',
      { ...smith, first_name: 'Anna Maria' },
      { ...smith, first_name: 'Anna Lena' },
      'review',
    ],
    [
      'a middle initial in only one record',
      { ...smith, first_name: 'Anna M.' },
      { ...smith, first_name: 'Anna' },
      'auto',
    ],
    [
      'a middle name and its initial',
      { ...smith, first_name: 'Anna Maria' },
      { ...smith, first_name: 'Anna M.' },
      'auto',
    ],
    [
      'initials of the last name that differ',
      { ...smith, first_name: 'Ada', last_name: 'L.' },
      { ...smith, first_name: 'Ada', last_name: 'K.' },
      'none',
    ],
    ['two different people', ada, { first_name: 'Grace', last_name: 'Hopper', email: 'g@navy.mil' }, 'none'],
    [
      'different ids in one system',
      { ...ada, external_ids: 'crm:1' },
      { ...ada, external_ids: 'crm:2' },
      'review',
    ],
    ['ids in two systems', { ...ada, external_ids: 'crm:1' }, { ...ada, external_ids: 'shop:2' }, 'auto'],
  ])('the decision about %s is right', (_, a, b, outcome) => {
    expect(decide(a, b).outcome).toBe(outcome)
  })

  test('a decision lists its reasons', () => {
    const { evidence, veto, probability } = decide(ada, { ...ada, first_name: 'Grace', phone: null })
    expect(evidence.map(({ field, level }) => [field, level])).toEqual([
      ['first_name', 'different'],
      ['last_name', 'exact'],
      ['email', 'exact'],
    ])
    expect(evidence[0]!.weight).toBeLessThan(0)
    expect(veto).toBe('first_name: different')
    expect(probability).toBeGreaterThan(0.5)
  })
})

const value = fc.oneof(
  fc.constantFrom(
    'Ada',
    'Ada Maria',
    'Lovelace',
    'Love-Lace',
    'ada@x.org',
    'ada.l@x.org',
    '+14155550100',
    '4155550100',
    '1980-02-01',
    '1980-01-02',
    '198',
    'https://linkedin.com/in/ada',
    'crm:1',
    'crm:2',
    'shop:1',
    '12 Main Street',
    '14 Main St',
    '1,200.50',
    '1200',
    'US',
    'x.org',
    '李雷',
  ),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
)
const cell = fc.oneof(fc.constant(null), value, fc.array(value, { maxLength: 3 }))
const record = fc.record(Object.fromEntries(every.map(({ name }) => [name, cell])))

describe('always', () => {
  test('the order of two records does not change the result', () => {
    fc.assert(
      fc.property(record, record, (a, b) => {
        const [x, y] = [anything.normalize(a), anything.normalize(b)]
        expect(anything.decide(x, y)).toEqual(anything.decide(y, x))
        expect(anything.score(x, y).probability).toBeLessThanOrEqual(1)
      }),
    )
  })

  test('a blank field adds no weight to a match', () => {
    fc.assert(
      fc.property(record, fc.constantFrom(...every), (a, { name }) => {
        const x = anything.normalize(a)
        const y = anything.normalize({ ...a, [name]: null })
        const { evidence } = anything.decide(x, y)
        expect(evidence.filter(({ field }) => field.startsWith(name))).toEqual([])
      }),
    )
  })

  test('comparing a table gives the same levels and groups as comparing its records one by one', () => {
    fc.assert(
      fc.property(fc.array(record, { minLength: 2, maxLength: 4 }), (records) => {
        const builder = new RecordSetBuilder(every, { defaultCountry: 'US' })
        for (const each of records) builder.add(each)
        const { table, fields, kinds } = builder.finish()
        const comparer = new Comparer(fields)
        const [inTable, alone] = [new Uint8Array(fields.length), new Uint8Array(fields.length)]
        const known = records.map((each) => anything.normalize(each))
        expect(records.map((_, place) => featuresOf(table, place))).toEqual(known)
        comparer.compareIn(table, 0, 1, inTable)
        comparer.compare(known[0]!, known[1]!, alone)
        expect(inTable).toEqual(alone)

        const shared = (kind: number) => {
          const hashes = known.map((each) => keysOf(kinds, each).filter((key) => key.kind === kind))
          return hashes[0]!.some(({ hash }) => hashes[1]!.some((other) => other.hash === hash))
        }
        const { starts, members, kindStarts, size } = groupRecords(table, kinds)
        for (const kind of kinds.keys()) {
          const blocks = Array.from(
            { length: (kindStarts[kind + 1] ?? size) - kindStarts[kind]! },
            (_, block) => {
              const at = kindStarts[kind]! + block
              return [...members.subarray(starts[at]!, starts[at + 1]!)]
            },
          )
          expect(blocks.some((block) => block.includes(0) && block.includes(1))).toBe(shared(kind))
        }
      }),
      { numRuns: 50 },
    )
  })
})
