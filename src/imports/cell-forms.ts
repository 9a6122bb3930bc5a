import type { DefinedFieldType, FieldDefinition } from '../records/defined-fields/definition.ts'

export const decimalSigns = ['point', 'comma'] as const
export const dateOrders = ['day_month', 'month_day'] as const

/** How the cells of a file are written; undefined: forms with several meanings, such as 1,5 and 03/04/2026, stay. */
export type CellForms = {
  /** The sign before the decimals of a number. */
  decimalSign?: (typeof decimalSigns)[number] | undefined
  /** What comes first in a day with slashes. */
  dateOrder?: (typeof dateOrders)[number] | undefined
}

/** For some types: returns a cell as requests write its value, or null if the cell has no other form. */
const readers: Partial<
  Readonly<Record<DefinedFieldType, (cell: string, forms: CellForms) => string | null>>
> = {
  date: readDay,
  datetime: readTime,
  number: (cell, { decimalSign }) => withDecimalPoint(cell, decimalSign),
}

/** Rewrites cells of defined fields that have a form of spreadsheets, such as 31.01.2026 and 1.234,50. Changes `custom`. */
export function readCells(custom: unknown, definitions: readonly FieldDefinition[], forms: CellForms): void {
  const members = custom as Record<string, unknown> | undefined
  if (members === undefined) return
  for (const { key, type } of definitions) {
    const value = Object.hasOwn(members, key) ? members[key] : null
    if (typeof value === 'string') members[key] = readers[type]?.(value.trim(), forms) ?? value
  }
}

/** Reads 31.01.2026, in which the day of the month is first, and 01/31/2026, in which `dateOrder` decides. */
function readDay(cell: string, { dateOrder }: CellForms): string | null {
  const [, first = '', sign, second = '', year] = /^(\d{1,2})([./])(\d{1,2})\2(\d{4})$/.exec(cell) ?? []
  const order = sign === '.' ? 'day_month' : dateOrder
  if (year === undefined || order === undefined) return null
  const [day, month] = order === 'day_month' ? [first, second] : [second, first]
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

const hyphenated = /^\d{4}-\d\d-\d\d$/
const clock = /^(\d{1,2}):(\d\d)(:\d\d)?(?: ?([AP])M)?$/i

/** Reads a day, or a day and a time, without an offset: it is in UTC. */
function readTime(cell: string, forms: CellForms): string | null {
  const [, start = '', end] = /^(\S+?)(?:[T ](.+))?$/.exec(cell) ?? []
  const day = hyphenated.test(start) ? start : readDay(start, forms)
  const time = end === undefined ? '00:00:00' : readClock(end)
  return day === null || time === null ? null : `${day}T${time}Z`
}

/** Reads 9:30, 09:30:00 and 9:30 PM. */
function readClock(text: string): string | null {
  const [, hours, minutes, seconds = ':00', half] = clock.exec(text) ?? []
  if (minutes === undefined) return null
  const hour = Number(hours)
  if (half !== undefined && (hour < 1 || hour > 12)) return null
  const late = half?.toLowerCase() === 'p' ? 12 : 0
  const of24 = half === undefined ? hour : (hour % 12) + late
  return `${String(of24).padStart(2, '0')}:${minutes}${seconds}`
}

// Between groups of three digits are the other sign, spaces or apostrophes.
const numbers = {
  point: /^[-+]?(?:[1-9]\d{0,2}(?:[,\s'’]\d{3})+|\d+)(?:\.\d+)?$/,
  comma: /^[-+]?(?:[1-9]\d{0,2}(?:[.\s'’]\d{3})+|\d+)(?:,\d+)?$/,
} as const
const separators = { point: /[,\s'’]/g, comma: /[.\s'’]/g } as const

/** If it is unknown which sign is before the decimals, a number is read only if it has both signs. */
function withDecimalPoint(cell: string, decimalSign: CellForms['decimalSign']): string | null {
  const hasBoth = cell.includes('.') && cell.includes(',')
  const signs = decimalSign === undefined ? (hasBoth ? decimalSigns : []) : [decimalSign]
  const sign = signs.find((each) => numbers[each].test(cell))
  return sign === undefined ? null : cell.replace(separators[sign], '').replace(',', '.')
}
