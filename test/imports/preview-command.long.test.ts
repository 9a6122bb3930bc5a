import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { makeContacts } from '../../bench/matching/crm-records.ts'
import { pairwise } from '../../bench/matching/evaluate.ts'
import { runCommand } from '../../src/cli/command.ts'
import { duplicateCommands } from '../../src/cli/duplicates.ts'
import { cleanUp, fileNamed } from '../support/processes.ts'

const preview = duplicateCommands[0]!
const [people, map, out] = [fileNamed('people.csv'), fileNamed('map.json'), fileNamed('clusters.csv')]
const columns = ['first_name', 'last_name', 'email', 'phone', 'company_name', 'city'] as const
const made = makeContacts(220, 3)
const types = {
  ...Object.fromEntries(columns.map((column) => [column, column])),
  nr: 'row_id',
  hobby: 'ignore',
}

const cellOf = (value: unknown) => `"${String(value).replaceAll('"', '""')}"`
const rowOf = ({ record }: (typeof made)[number], nr: number) =>
  [`r${nr}`, ...columns.map((column) => cellOf(record[column])), 'chess'].join(', ')
const header = ['nr', ...columns, 'hobby'].join(', ')
const lines = made.map(rowOf)

beforeAll(() => {
  writeFileSync(people, [header, ...lines].join('\n'))
  writeFileSync(map, JSON.stringify(types))
})
afterAll(cleanUp)

async function run(...argv: string[]): Promise<string> {
  let printed = ''
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text)
    return true
  })
  try {
    await runCommand(preview, argv)
  } finally {
    write.mockRestore()
  }
  return printed
}

/** Reads the file of --out: the cluster of each row. */
function clustersOf(path: string): Map<string, string> {
  const [first, ...rows] = readFileSync(path, 'utf8').trimEnd().split('\n')
  expect(first).toBe('row_id,cluster_id,score')
  return new Map(rows.map((row) => row.split(',').slice(0, 2) as [string, string]))
}

describe('the preview command', () => {
  test('duplicates preview finds the duplicates in a file, and prints a report', async () => {
    const printed = await run(people, '--map', map, '--out', out)
    expect(printed).toMatch(/nr +→ row_id\n {2}first_name +→ first_name\n/)
    expect(printed).toMatch(/hobby +→ not compared/)
    expect(printed).toMatch(
      /\n\d+ rows, \d+ duplicates: merging them removes \d+\.\d % of the rows, and leaves \d+\.\n/,
    )
    expect(printed).toMatch(/learned from the \d+ rows, without labels/)
    expect(printed).toMatch(/The least certain of them:\n {2}r\d+: /)
    expect(printed).toContain(`Every row's cluster: ${out}\n`)

    const clusters = clustersOf(out)
    expect([...clusters.keys()]).toEqual(lines.map((_, nr) => `r${nr}`))
    const members = Map.groupBy(made.keys(), (nr) => clusters.get(`r${nr}`)!)
    const found = [...members.values()].map((list) => ({ members: list, weakest: 0, expectedPairs: 0 }))
    const { precision, recall } = pairwise(
      found,
      made.map(({ entity }) => String(entity)),
    )
    expect(precision).toBeGreaterThan(0.9)
    expect(recall).toBeGreaterThan(0.8)
  })

  test('duplicates preview finds the same clusters for any order of the rows', async () => {
    const shuffled = fileNamed('shuffled.csv')
    const again = fileNamed('again.csv')
    writeFileSync(shuffled, [header, ...lines.toReversed()].join('\n'))
    await run(shuffled, '--map', map, '--out', again, '--json')
    const before = clustersOf(out)
    for (const [row, cluster] of clustersOf(again)) expect([row, before.get(row)]).toEqual([row, cluster])
  })

  test('duplicates preview prints one JSON document with --json', async () => {
    const document = JSON.parse((await run(people, '--map', map, '--threshold', '0.99', '--json')).trim())
    expect(document).toMatchObject({
      file: people,
      rows: made.length,
      refused: 0,
      duplicates: expect.any(Number),
      threshold: expect.closeTo(0.99),
      expected_f1: null,
      columns: { email: 'email', phone: 'phone' },
      out: null,
    })
    expect(document.in_clusters - document.clusters).toBe(document.duplicates)
  })

  test('duplicates preview finds no duplicates in a small file with 19 different people', async () => {
    const small = fileNamed('colleagues.csv')
    const people = [
      'Dorothy;Petrov;+44 20 7946 1791;Globex;Bristol',
      'Tony;Kowalczyk;+44 20 7946 6991;Acme;Leeds',
      'Adele;Jankowski;+44 20 7946 1614;Bolt;Bristol',
      'Jean;Gallagher;+44 20 7946 4943;Acme;Bristol',
      'Vint;Gallagher;+44 20 7946 3028;Acme;Oxford',
      'Bjarne;Nakamura;+44 20 7946 2013;Initech;Lyon',
      'Grace;Novak;+44 20 7946 3181;Acme;Dublin',
      'Jean;Petrov;+44 20 7946 2929;Initech;Dublin',
      'Vint;Takahashi;+44 20 7946 3961;Umbrella;Bristol',
      'Linus;Lefebvre;+44 20 7946 4078;Umbrella;Galway',
      'Edsger;Kowalczyk;+44 20 7946 2028;Umbrella;Leeds',
      'Guido;Santos;+44 20 7946 9711;Globex;Lyon',
      'Leslie;Dubois;+44 20 7946 8424;Globex;Galway',
      'Katherine;Novak;+44 20 7946 4999;Bolt;Bristol',
      'Linus;Castellano;+44 20 7946 9111;Initech;Galway',
      'John;Hoffmann;+44 20 7946 2199;Northwind;Bristol',
      'Tim;Gallagher;+44 20 7946 6604;Bolt;York',
      'Adele;Ivanova;+44 20 7946 1642;Globex;Bristol',
      'Leslie;Kowalczyk;+44 20 7946 6140;Initech;Galway',
    ]
    const rows = people.map((person, nr) => {
      const [first, last, phone, firm, town] = person.split(';')
      return [nr, first, last, `${first}.${last}@${firm}.example`, phone, firm, town].join(';')
    })
    writeFileSync(small, ['nr;first;last;mail;phone;firm;town', ...rows].join('\n'))
    const types = JSON.stringify({
      ...{ nr: 'row_id', first: 'first_name', last: 'last_name' },
      ...{ mail: 'email', phone: 'phone', firm: 'company_name', town: 'city' },
    })
    const printed = await run(small, '--map', types)
    expect(printed).toContain('19 rows, 0 duplicates')
    expect(printed).toContain('Threshold: a probability of 0.50, because there is little data to learn from.')
  })

  test('duplicates preview does not train on a small file, unless --train is given', async () => {
    const small = fileNamed('small.csv')
    const rows = [
      'a;Ada;Lovelace;ada@x.org',
      'b;Ada;Lovelace;ada@x.org',
      'c;Grace;Hopper;',
      '"d" d;;;',
      'e;E;;',
    ]
    writeFileSync(small, ['nr;first;last;mail', ...rows].join('\n'))
    const types = '{"nr": "row_id", "first": "first_name", "last": "last_name", "mail": "email"}'
    const printed = await run(small, '--map', types)
    expect(printed).toContain(
      '4 rows, 1 duplicate: merging them removes 25.0 % of the rows, and leaves 3.\n  1 pair.\n',
    )
    expect(printed).toMatch(/too small to train on, so the built-in model is used/)
    expect(printed).toMatch(/1 row could not be read and is not in this report:\n {4}line 5: /)
    expect(await run(small, '--map', types, '--train')).toContain('learned from the 4 rows')
  })
})

describe('the preview stops with an error for', () => {
  const given = (name: string, text: string) => {
    writeFileSync(fileNamed(name), text)
    return fileNamed(name)
  }
  const id = '"nr": "row_id"'

  test.each<[string, () => string[], RegExp]>([
    [
      'a file that does not exist',
      () => ['nowhere.csv', '--map', map],
      /^nowhere\.csv cannot be read: no such file/,
    ],
    [
      'a map that does not exist',
      () => [people, '--map', 'nowhere.json'],
      /nowhere\.json cannot be read.*maps each column to its type/,
    ],
    ['a map that is not JSON', () => [people, '--map', given('a.json', 'nr=row_id')], /is not JSON/],
    [
      'a map that is a list',
      () => [people, '--map', given('b.json', '[1]')],
      /must be a JSON object that maps/,
    ],
    [
      'a type that does not exist',
      () => [people, '--map', `{${id}, "email": "mail"}`],
      /type of "email" is "mail"; .* email, phone/,
    ],
    [
      'a map without row_id',
      () => [people, '--map', '{"email": "email"}'],
      /no column is "row_id".*identifies rows/,
    ],
    [
      'a map with two row_ids',
      () => [people, '--map', `{${id}, "email": "row_id"}`],
      /"nr" and "email" are "row_id"/,
    ],
    ['a map without columns to compare', () => [people, '--map', `{${id}}`], /no column to compare/],
    [
      'a column that the file lacks',
      () => [people, '--map', `{${id}, "mail": "email"}`],
      /no column "mail".*It has: nr, first_name/,
    ],
    ['an empty file', () => [given('empty.csv', ''), '--map', map], /The file is empty/],
    [
      'a file that has only a header',
      () => [given('header.csv', header), '--map', map],
      /a header and no rows/,
    ],
    ['a spreadsheet', () => [given('people.xlsx', 'PK\x03\x04'), '--map', map], /spreadsheet/],
    [
      'a file that has only broken rows',
      () => [given('c.csv', 'nr,email\n"a" b,c\n'), '--map', `{${id}, "email": "email"}`],
      /none of its rows can be read. Line 2/,
    ],
    [
      'rows without an id',
      () => [given('d.csv', 'nr,email\n,a@x.org\n'), '--map', `{${id}, "email": "email"}`],
      /line 2 has no row_id/,
    ],
    [
      'two rows with one row_id',
      () => [given('e.csv', 'nr,email\n1,a\n1,b\n'), '--map', `{${id}, "email": "email"}`],
      /"1" occurs twice, on lines 2 and 3/,
    ],
    [
      'a missing map',
      () => [people],
      /--map is missing: a JSON file .* such as \{"nr": "row_id", "surname": "last_name", "mail": "email"\}/,
    ],
    ['a threshold above 1', () => [people, '--map', map, '--threshold', '7'], /between 0 and 1.*not "7"/],
    [
      'an output path that is a folder',
      () => [people, '--map', map, '--out', 'test'],
      /^test cannot be written/,
    ],
  ])('the preview command refuses %s with a text that says what is wrong', async (_, argv, message) => {
    await expect(run(...argv())).rejects.toThrow(message)
  })
})
