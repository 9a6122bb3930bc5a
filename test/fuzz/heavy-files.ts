const megabyte = 1024 * 1024
const header = 'number,reason\n'
const filled = (line: string, head = header) =>
  head + line.repeat(Math.floor((megabyte - head.length) / line.length))

/** A valid number for each index, so that the server parses and stores every one. */
export const distinctPhone = (at: number): string => `+1202${String(2_000_000 + at).padStart(7, '0')}`

/** CSV files of 1 MiB that are expensive to read, by kind. */
export function* heavyFiles(): Generator<[kind: string, file: string]> {
  yield ['an open quote', filled('x', `${header}"`)]
  yield ['quotes alone', filled('"')]
  yield ['an open quote in each line', filled('"a\n')]
  yield ['a broken row in each line', filled('"a"b\n')]
  yield ['short rows', filled('1\n')]
  yield ['short rows under 900 columns', filled('1\n', `${'a,'.repeat(899)}number\n`)]
  yield ['a header of accents', filled('\u0301\u0323', 'last_name,a')]
  yield ['a thousand equal headers', filled('1\n', `last_name${',Score'.repeat(999)}\n`)]
  const cell = (row: number) => Array.from({ length: 250 }, (_, tag) => row * 250 + tag).join(';')
  yield [
    'lists in all columns',
    `last_name${',tags'.repeat(800)}\nAda${Array.from({ length: 800 }, (_, at) => `,${cell(at)}`).join('')}\n`,
  ]
  yield [
    'cells of blanks',
    filled(`a${',1'.padEnd(1_900)}1`.repeat(400), `last_name${',phones'.repeat(400)}\n`),
  ]
  const cells = Array.from({ length: 1_400 }, (_, row) =>
    Array.from({ length: 50 }, (_, at) => distinctPhone(row * 50 + at)).join('; '),
  )
  yield [
    '50 numbers in a cell',
    `last_name,phones\n${cells.map((cell, at) => `n${at},"${cell}"\n`).join('')}`,
  ]
}
