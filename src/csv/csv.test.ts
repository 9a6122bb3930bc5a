import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { runs } from '../../test/support/runs.ts'
import { readCsv } from './csv.ts'
import type { CsvRow } from './csv-rows.ts'

type Read = { header: string[]; delimiter: string; rows: CsvRow[] } | { problem: string }

async function read(file: string | Buffer, chunkBytes = 65536): Promise<Read> {
  const bytes = Buffer.from(file)
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
  }
  const csv = await readCsv(chunks())
  if ('problem' in csv) return csv
  return { header: csv.header, delimiter: csv.delimiter, rows: await collect(csv.rows) }
}

async function collect(batches: AsyncIterable<CsvRow[]>): Promise<CsvRow[]> {
  const rows: CsvRow[] = []
  for await (const batch of batches) rows.push(...batch)
  return rows
}

async function rowsOf(file: string | Buffer): Promise<CsvRow[]> {
  const csv = await read(file)
  if ('problem' in csv) throw new Error(csv.problem)
  return csv.rows
}

describe('the header', () => {
  test.each([
    ['a,b\n', ['a', 'b'], ','],
    ['\ufeffa;b\r\n', ['a', 'b'], ';'],
    ['a\tb\n', ['a', 'b'], '\t'],
    ['"x,y,z"|b', ['x,y,z', 'b'], '|'],
    ['sep=;\r\na,1;b\r\n', ['a,1', 'b'], ';'],
    ['\n \r\n a , b \n', ['a', 'b'], ','],
    ['alone\n', ['alone'], ','],
    ['"two\nlines",b\n', ['two\nlines', 'b'], ','],
  ])('the header and the delimiter of %j are read', async (file, header, delimiter) => {
    expect(await read(file)).toMatchObject({ header, delimiter })
  })

  test.each([
    ['', /empty/],
    ['\n\r\n  ', /empty/],
    [Buffer.from('a,b\n1,2', 'utf16le'), /UTF-16/],
    [Buffer.from('PK\x03\x04'), /spreadsheet/],
    [Buffer.from('pr\xe9nom,b\x81\n', 'latin1'), /neither UTF-8 nor Windows-1252/],
    ['a,'.repeat(1001), /columns/],
    [`"${'x'.repeat(2_000_000)}`, /1 MiB/],
  ])('an unusable header is reported as a problem of the file (%#)', async (file, problem) => {
    expect(await read(file)).toEqual({ problem: expect.stringMatching(problem) })
  })
})

describe('rows', () => {
  test('rows have the number of the line on which they start', async () => {
    expect(await rowsOf('a,b\r\n\r\n1,"x\r\ny"\r\n  \r\n2,3')).toEqual([
      { line: 3, cells: ['1', 'x\r\ny'] },
      { line: 6, cells: ['2', '3'] },
    ])
    expect(await rowsOf('a\tb\n\t\n\n\n1\t2\n')).toEqual([{ line: 5, cells: ['1', '2'] }])
    expect(await rowsOf('a,b\r1,2\r3,4')).toEqual([
      { line: 2, cells: ['1', '2'] },
      { line: 3, cells: ['3', '4'] },
    ])
  })

  test('rows get empty values for missing columns, and lose empty values beyond the header', async () => {
    expect(await rowsOf('a,b\n1\n1,2,,\n,,\n')).toEqual([
      { line: 2, cells: ['1', ''] },
      { line: 3, cells: ['1', '2'] },
    ])
    expect(await rowsOf('a,b\n1,2,3\n')).toEqual([{ line: 2, problem: expect.stringContaining('3 values') }])
  })

  test('rows may have spaces before quotes, doubled quotes, and quotes inside a value', async () => {
    expect(await rowsOf('a, b\nx, "y, ""z""" \n5" pipe,q\n')).toEqual([
      { line: 2, cells: ['x', 'y, "z"'] },
      { line: 3, cells: ['5" pipe', 'q'] },
    ])
  })

  test('rows after a broken row are read normally', async () => {
    expect(await rowsOf('a,b\n"x"y,1\nfine,2\n"never closed,3\nlast,4\n')).toEqual([
      { line: 2, problem: expect.stringContaining('closing quote') },
      { line: 3, cells: ['fine', '2'] },
      { line: 4, problem: expect.stringContaining('never closed') },
      { line: 5, cells: ['last', '4'] },
    ])
  })

  test('rows after a broken row are reported if they may belong to the broken row', async () => {
    expect(await rowsOf('a,b\n"x"y\nsecond line\nthird"\n1,2\nshort\n')).toEqual([
      { line: 2, problem: expect.any(String) },
      { line: 3, problem: expect.stringContaining('follows a broken row') },
      { line: 4, problem: expect.stringContaining('follows a broken row') },
      { line: 5, cells: ['1', '2'] },
      { line: 6, cells: ['short', ''] },
    ])
  })

  test('rows that are not UTF-8 or contain a NUL are reported, and the rows before and after them are read', async () => {
    const file = Buffer.concat([
      Buffer.from('a,b\nü,1\n'),
      Buffer.from('M\xfcller,2\n', 'latin1'),
      Buffer.from('\ufffd,3\nx\0,4\ny,5'),
    ])
    expect(await rowsOf(file)).toEqual([
      { line: 2, cells: ['ü', '1'] },
      { line: 3, problem: expect.stringContaining('not UTF-8') },
      { line: 4, cells: ['\ufffd', '3'] },
      { line: 5, problem: expect.stringContaining('NUL') },
      { line: 6, cells: ['y', '5'] },
    ])
  })

  test('rows with a value of more than 128 KB, or with more than 1 MiB, are reported', async () => {
    expect(await rowsOf(`a,b\n${'x'.repeat(200_000)},1\n2,3\n`)).toEqual([
      { line: 2, problem: expect.stringContaining('128 KB') },
      { line: 3, cells: ['2', '3'] },
    ])
    expect(await rowsOf(`a,b\n"${'x'.repeat(3_000_000)}\n2,3\n`)).toEqual([
      { line: 2, problem: expect.stringContaining('1 MiB') },
      { line: 3, cells: ['2', '3'] },
    ])
  })

  test('rows are the same for any division of the source into chunks', async () => {
    const file = `ä,b\n${`"bad"q,1\n${'1,"x\r\ny"\r\nü,é\n\n'.repeat(20)}`.repeat(190)}"open`
    const whole = await read(file, 1e9)
    for (const chunkBytes of [7, 1000, 65535, 65537]) expect(await read(file, chunkBytes)).toEqual(whole)
  })
})

test('a CSV reader closes its source if the caller leaves the loop, and if a problem ends the reading', async () => {
  let closed = 0
  async function* endless(first: string) {
    try {
      yield Buffer.from(first)
      for (;;) yield Buffer.from('1,2\n'.repeat(50_000))
    } finally {
      closed += 1
    }
  }
  const csv = await readCsv(endless('a,b\n'))
  if ('problem' in csv) throw new Error(csv.problem)
  for await (const rows of csv.rows) if (rows.length > 0) break
  expect(closed).toBe(1)
  expect(await readCsv(endless('PK\x03\x04'.padEnd(100_000)))).toHaveProperty('problem')
  expect(closed).toBe(2)
})

test('an error of the source of a CSV file reaches the caller', async () => {
  async function* failing() {
    yield Buffer.from('a,b\n1,2\n'.repeat(40_000))
    throw new Error('connection reset')
  }
  const csv = await readCsv(failing())
  if ('problem' in csv) throw new Error(csv.problem)
  await expect(collect(csv.rows)).rejects.toThrow('connection reset')
})

test('any table that is written as CSV is read back unchanged', async () => {
  const cell = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\0', '').trim())
  const table = fc
    .integer({ min: 1, max: 5 })
    .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1 }))
  await fc.assert(
    fc.asyncProperty(table, fc.constantFrom('\n', '\r\n'), async (rows, newline) => {
      const header = rows[0]?.map((_, index) => `h${index}`) ?? []
      const quote = (value: string) => `"${value.replaceAll('"', '""')}"`
      const file = [header, ...rows].map((cells) => cells.map(quote).join(',')).join(newline)
      const kept = rows.filter((cells) => cells.some((value) => value !== ''))
      expect((await rowsOf(file)).map((row) => 'cells' in row && row.cells)).toEqual(kept)
    }),
  )
})

test('the CSV reader never throws for any bytes, and each row has its own line number', async () => {
  const soup = fc.array(fc.constantFrom('a', ',', '"', '\n', '\r', '\r\n', ' ', 'ü', '\0', ';', '\xff'), {
    maxLength: 200,
  })
  await fc.assert(
    fc.asyncProperty(soup, async (parts) => {
      const file = Buffer.concat(parts.map((part) => Buffer.from(part, part === '\xff' ? 'latin1' : 'utf8')))
      const csv = await read(file)
      if ('problem' in csv) return
      for (const row of csv.rows) if ('cells' in row) expect(row.cells).toHaveLength(csv.header.length)
      const lines = csv.rows.map((row) => row.line)
      expect(lines).toEqual([...new Set(lines)].sort((left, right) => left - right))
    }),
    { numRuns: runs(100, 2_000) },
  )
})

test('other work can run while a file of broken rows is read', async () => {
  let turns = 0
  let isDone = false
  const count = () => {
    turns++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  await read(`a,b\n${'"a"b\n'.repeat(4_000)}`, 1e9)
  isDone = true
  // Without pauses, the whole file would take one or two turns of the event loop.
  expect(turns).toBeGreaterThan(5)
})

test.each([
  ['short rows', `a\n${'1\n'.repeat(100_000)}`],
  ['short rows under many columns', `${'a,'.repeat(900)}b\n${'1\n'.repeat(5_000)}`],
])('a file of %s is read in small batches, and other work can run between them', async (_, file) => {
  let turns = 0
  let isDone = false
  const count = () => {
    turns++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  // Each look at the clock finds it 5 ms later, so that the pauses do not depend on the speed of the machine.
  let ms = performance.now()
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (ms += 5))
  onTestFinished(() => clock.mockRestore())
  const csv = await readCsv(Readable.from([Buffer.from(file)]))
  if ('problem' in csv) throw new Error(csv.problem)
  let largest = 0
  for await (const rows of csv.rows) largest = Math.max(largest, rows.length * csv.header.length)
  isDone = true
  expect(largest).toBeLessThanOrEqual(120_000)
  // Without pauses, each 64 KiB of the file would take one turn of the event loop.
  expect(turns).toBeGreaterThan(80)
})
