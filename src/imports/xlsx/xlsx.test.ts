import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../test/support/runs.ts'
import { type XlsxCell, type XlsxOptions, xlsxOf, zipOf } from '../../../test/support/xlsx.ts'
import type { CsvRow } from '../../csv/csv-rows.ts'
import { isDateFormat, isoDate, plainNumber } from './values.ts'
import { readXlsx } from './xlsx.ts'

type Read = { header: string[]; rows: CsvRow[] } | { problem: string }

async function readBytes(bytes: Buffer): Promise<Read> {
  const file = await readXlsx(bytes)
  if ('problem' in file) return file
  const rows: CsvRow[] = []
  for await (const batch of file.rows) rows.push(...batch)
  return { header: file.header, rows }
}

const read = (rows: XlsxCell[][], options?: XlsxOptions) => readBytes(xlsxOf(rows, options))

async function cellOf(xml: string, options?: XlsxOptions): Promise<string | undefined> {
  const file = await read(
    [
      ['a', 'b'],
      [{ xml }, 'x'],
    ],
    options,
  )
  const [row] = 'rows' in file ? file.rows : []
  return row && 'cells' in row ? row.cells[0] : undefined
}

test('the first visible sheet is read, with the numbers of its rows', async () => {
  expect(
    await read([[], [' Name ', 'Phone', ''], ['Zoë & Co', 4915112345678], [], ['', '', ''], ['x']]),
  ).toEqual({
    header: ['Name', 'Phone'],
    rows: [
      { line: 3, cells: ['Zoë & Co', '4915112345678'] },
      { line: 6, cells: ['x', ''] },
    ],
  })
})

test.each([
  ['a phone number with an exponent', '<c r="A2"><v>4.915112345678E12</v></c>', '4915112345678'],
  ['a fraction', '<c r="A2"><v>0.30000000000000004</v></c>', '0.30000000000000004'],
  ['a date', '<c r="A2" s="1"><v>46236</v></c>', '2026-08-02'],
  ['a date with a time', '<c r="A2" s="2"><v>46236.395833333336</v></c>', '2026-08-02T09:30:00'],
  ['the stored result of a formula', '<c r="A2" t="str"><f>A1&amp;"x"</f><v>ax</v></c>', 'ax'],
  ['the stored number of a formula', '<c r="A2"><f>1+1</f><v>2</v></c>', '2'],
  ['a text in the cell', '<c r="A2" t="inlineStr"><is><r><t>a</t></r><r><t>b</t></r></is></c>', 'ab'],
  ['a line break as Excel writes it', '<c r="A2" t="str"><v>a_x000D_b</v></c>', 'a\rb'],
  ['a boolean', '<c r="A2" t="b"><v>1</v></c>', 'true'],
  ['an error, which is read as empty', '<c r="A2" t="e"><v>#N/A</v></c>', ''],
  ['an ISO date', '<c r="A2" t="d"><v>2026-08-02</v></c>', '2026-08-02'],
  ['a shared text that does not exist', '<c r="A2" t="s"><v>999</v></c>', ''],
  ['names with a prefix', '<x:c r="A2" t="str"><x:v>a</x:v></x:c>', 'a'],
])('a cell can contain %s', async (_what, xml, value) => {
  expect(await cellOf(xml)).toBe(value)
})

test('dates count from 1904 if the workbook has that setting', async () => {
  expect(await cellOf('<c r="A2" s="1"><v>44774</v></c>', { startsIn1904: true })).toBe('2026-08-02')
})

test('shared texts do not include phonetic hints', async () => {
  const strings =
    '<sst><si><t>a</t></si><si><t>b</t></si><si><r><t>東</t></r><r><t>京</t></r><rPh><t>トウキョウ</t></rPh></si></sst>'
  const parts = { 'xl/sharedStrings.xml': strings }
  expect(await cellOf('<c r="A2" t="s"><v>2</v></c>', { parts })).toBe('東京')
})

test.each([
  ['44', '44'],
  ['-5', '-5'],
  ['1E+20', '100000000000000000000'],
  ['1.5E3', '1500'],
  ['0.1', '0.1'],
  ['1e400', '1e400'],
  ['', ''],
  ['x', 'x'],
])('the number %j is read as %j', (text, plain) => {
  expect(plainNumber(text)).toBe(plain)
})

test.each([
  ['0', '1904-01-01'],
  ['2957003', '9999-12-31'],
  ['2957004', '2957004'],
])('the day %j of a file whose days start in 1904 is read as %j', (text, iso) => {
  expect(isoDate(text, true)).toBe(iso)
})

test.each([
  ['1', '1900-01-01'],
  ['59', '1900-02-28'],
  ['61', '1900-03-01'],
  ['0.5', '12:00:00'],
  ['2958465', '9999-12-31'],
  ['2958466', '2958466'],
  ['-1', '-1'],
  ['', ''],
])('the day %j is read as %j', (text, iso) => {
  expect(isoDate(text, false)).toBe(iso)
})

test.each([
  ['a postcode', '00000', '1067', '01067'],
  ['a long number', '00000', '123456', '123456'],
  ['a fraction', '00000', '1.5', '1.5'],
  ['a negative number', '00000', '-12', '-12'],
  ['another format', '0.00', '7', '7'],
])('the zeros that a cell shows are read: %s', async (_what, code, number, text) => {
  const styles = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${code}"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>`
  const parts = { 'xl/styles.xml': styles }
  expect(await cellOf(`<c r="A2" s="1"><v>${number}</v></c>`, { parts })).toBe(text)
})

test.each<[number, string | undefined, boolean]>([
  [14, undefined, true],
  [0, undefined, false],
  [2, undefined, false],
  [164, 'dd/mm/yyyy', true],
  [165, '[$-409]h:mm AM/PM;@', true],
  [166, '0.00" days"', false],
  [167, '[Red]0', false],
  [168, '\\d0', false],
  [169, 'General', false],
  [170, '_d0', false],
])('whether number format %d, %j, shows a date: %j', (id, code, isDate) => {
  expect(isDateFormat(id, code)).toBe(isDate)
})

describe('rows', () => {
  test('rows with more values than the header, and values that are too long, get a problem', async () => {
    const long = 'x'.repeat(130 * 1024)
    expect(await read([['a'], ['1', '', '3'], [long], ['ok']])).toEqual({
      header: ['a'],
      rows: [
        { line: 2, problem: 'The row has 3 values, the header 1.' },
        { line: 3, problem: expect.stringContaining('128 KB') },
        { line: 4, cells: ['ok'] },
      ],
    })
  })

  test('a shared text that is too long in all its parts together makes its rows unreadable', async () => {
    const parts = `<t>${'_x0041_'.repeat(8_000)}</t>`.repeat(100)
    const strings = `<sst><si>${parts}</si></sst>`
    const sheet = `<worksheet><row><c t="str"><v>a</v></c></row>${'<row><c t="s"><v>0</v></c></row>'.repeat(2)}</worksheet>`
    const file = await read([], {
      parts: { 'xl/sharedStrings.xml': strings, 'xl/worksheets/sheet1.xml': sheet },
    })
    const problem = expect.stringContaining('128 KB')
    expect('rows' in file && file.rows.map((row) => ('problem' in row ? row : row.line))).toEqual([
      { line: 2, problem },
      { line: 3, problem },
    ])
  })

  test('a sheet of 16,384 columns is refused before its rows fill the memory', async () => {
    const wide = '<row><c r="A1" t="str"><v>a</v></c><c r="XFD1" t="str"><v>z</v></c></row>'
    const rows = '<row><c r="XFD2" t="str"><v>z</v></c></row>'.repeat(100_000)
    const before = process.memoryUsage().heapTotal
    const file = await read([], {
      parts: { 'xl/worksheets/sheet1.xml': `<worksheet>${wide}${rows}</worksheet>` },
    })
    expect(file).toEqual({ problem: 'The header has 16384 columns; the maximum is 1000.' })
    expect(process.memoryUsage().heapTotal - before).toBeLessThan(40 * 1024 * 1024)
  })

  test('rows have increasing numbers, even if the file numbers them otherwise', async () => {
    const row = (r: string) => `<row r="${r}"><c t="str"><v>x</v></c></row>`
    const sheet = `<worksheet>${['1', '5', '5', '2.5', '-1', 'x', '9e99'].map(row).join('')}</worksheet>`
    const file = await read([], { parts: { 'xl/worksheets/sheet1.xml': sheet } })
    expect('rows' in file && file.rows.map(({ line }) => line)).toEqual([5, 6, 7, 8, 9, 2 ** 31])
  })

  test('rows end where the file is damaged', async () => {
    const sheet = `<worksheet>${'<row><c t="str"><v>x</v></c></row>'.repeat(5_000)}<!--${'x'.repeat(1.5 * 1024 * 1024)}-->`
    const file = await read([], { parts: { 'xl/worksheets/sheet1.xml': sheet } })
    expect('rows' in file && file.rows.at(-1)).toEqual({
      line: 5_001,
      problem: expect.stringContaining('damaged'),
      stopped: true,
    })
  })
})

describe('an unreadable file gets a problem:', () => {
  const sheet = 'xl/worksheets/sheet1.xml'
  const zeros = Buffer.alloc(1024 * 1024)
  test.each<[string, () => Buffer, RegExp]>([
    ['a file that is not a ZIP archive', () => Buffer.from('PK\x03\x04nonsense'), /damaged/],
    [
      'a ZIP archive without a workbook',
      () => zipOf([['a.txt', Buffer.from('a')]]),
      /not an .xlsx spreadsheet/,
    ],
    ['an empty sheet', () => xlsxOf([]), /empty/],
    ['no sheet', () => xlsxOf([['a']], { parts: { 'xl/worksheets/sheet1.xml': null } }), /lacks its part/],
    ['too many columns', () => xlsxOf([Array.from({ length: 1001 }, () => 'a')]), /1001 columns/],
    [
      'a header that is too long',
      () => xlsxOf([Array.from({ length: 100 }, () => 'a'.repeat(1_000))]),
      /The header has 100000 characters; the maximum is 65536/,
    ],
    ['a cut file', () => xlsxOf([['a']]).subarray(0, -30), /damaged/],
    [
      'a sheet that unpacks to 300 MiB',
      () => zipOf([...usualParts(), [sheet, zeros]], { [sheet]: 300 * 1024 * 1024 }),
      /314572800 bytes unpacked/,
    ],
    [
      'a sheet that hides its size',
      () => zipOf([...usualParts(), [sheet, zeros]], { [sheet]: 9 }),
      /damaged/,
    ],
    [
      'too many shared texts',
      () => xlsxOf([['a']], { parts: { 'xl/sharedStrings.xml': `<sst>${'<si/>'.repeat(1_000_001)}</sst>` } }),
      /1000000 texts/,
    ],
    [
      'too many parts',
      () => zipOf(Array.from({ length: 1_001 }, (_, n) => [`${n}`, Buffer.alloc(0)] as const)),
      /1000 parts/,
    ],
    [
      'an attribute of 2 MiB',
      () => xlsxOf([['a']], { parts: { 'xl/styles.xml': `<a b="${'x'.repeat(2 ** 21)}"/>` } }),
      /1 MiB/,
    ],
    [
      '5,000 elements inside each other',
      () => xlsxOf([['a']], { parts: { 'xl/sharedStrings.xml': '<si>'.repeat(5_000) } }),
      /100 elements inside each other/,
    ],
  ])('an unreadable file gets a problem: %s', async (_what, file, problem) => {
    expect(await readBytes(file())).toEqual({ problem: expect.stringMatching(problem) })
  })

  function usualParts(): [string, Buffer][] {
    const workbook = '<workbook><sheets><sheet r:id="a"/></sheets></workbook>'
    const rels = '<R><Relationship Id="a" Type="x/worksheet" Target="worksheets/sheet1.xml"/></R>'
    return [
      ['xl/workbook.xml', Buffer.from(workbook)],
      ['xl/_rels/workbook.xml.rels', Buffer.from(rels)],
    ]
  }
})

test('a file whose rows have a single cell in the last column is read with little memory', async () => {
  const count = 20_000
  const rows = Array.from({ length: count }, (_, at) => [{ xml: `<c r="XFD${at + 2}"><v>1</v></c>` }])
  const bytes = xlsxOf([['a'], ...rows])
  const before = process.memoryUsage().heapUsed
  let most = before
  const file = await readXlsx(bytes)
  let problems = 0
  if ('problem' in file) throw new Error(file.problem)
  for await (const batch of file.rows) {
    problems += batch.filter(
      (row) => 'problem' in row && row.problem === 'The row has 16384 values, the header 1.',
    ).length
    most = Math.max(most, process.memoryUsage().heapUsed)
  }
  expect(problems).toBe(count)
  expect(most - before).toBeLessThan(200 * 1024 * 1024)
})

test('a damaged file gets a problem or is read, and never throws', async () => {
  const file = xlsxOf([
    ['name', 'born'],
    ['Ada', { xml: '<c r="B2" s="1"><v>4</v></c>' }],
  ])
  const damage = fc.array(fc.tuple(fc.nat(file.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(damage, async (changes) => {
      const bytes = Buffer.from(file)
      for (const [at, byte] of changes) bytes[at] = byte
      await readBytes(bytes)
    }),
    { numRuns: runs(80, 300) },
  )
})
