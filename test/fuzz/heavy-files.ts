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
  const cells = Array.from({ length: 1_400 }, (_, row) =>
    Array.from({ length: 50 }, (_, at) => distinctPhone(row * 50 + at)).join('; '),
  )
  yield [
    '50 numbers in a cell',
    `last_name,phones\n${cells.map((cell, at) => `n${at},"${cell}"\n`).join('')}`,
  ]
}
