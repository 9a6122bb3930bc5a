import { cellOf, isFilled, isRecord, memberAt, membersOf } from './cell.ts'
import type { Style } from './style.ts'
import { Table } from './table.ts'
import { visible } from './visible.ts'
import { padded, widthOf, wrapped } from './width.ts'

/** With less room than this, a long value begins a line of its own. */
const roomMin = 20

/**
 * Shows one object: a line for each member, then a table for each list of objects. A member of a deep object is shown
 * as `data.object.name`.
 * @param wanted the members that the person asked for; null: all
 */
export function objectLines(value: unknown, style: Style, wanted: readonly string[] | null): string[] {
  const entries = wanted
    ? wanted.map((name) => [name, memberAt(value, name)] as const)
    : flat(membersOf(value))
  const lists = entries.filter(([, member]) => isListOfRecords(member))
  const cells = entries
    .filter(([, member]) => !isListOfRecords(member))
    .map(([name, member]) => ({ name: visible(name), cell: cellOf(lastOf(name), member) }))
  const width = Math.max(0, ...cells.map(({ name }) => widthOf(name)))
  return [
    ...cells.flatMap(({ name, cell }) => memberLines(name, cell, width, style)),
    ...lists.flatMap(([name, rows]) => [
      '',
      style.bold(`${visible(name)}:`),
      ...tableLines(rows as object[], style),
    ]),
  ]
}

const lastOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1)

function memberLines(name: string, cell: string, nameWidth: number, style: Style): string[] {
  if (style.isPlain) return [`${name}: ${cell || 'none'}`]
  const label = style.bold(padded(name, nameWidth))
  const room = style.isTerminal ? style.width - nameWidth - 2 : Number.POSITIVE_INFINITY
  if (room < roomMin || widthOf(cell) <= room) return [`${label}  ${cell || style.dim('–')}`]
  const indent = ' '.repeat(nameWidth)
  return wrapped(cell, room).map((line, at) => `${at === 0 ? label : indent}  ${line}`)
}

const tableLines = (rows: readonly object[], style: Style): string[] => new Table(style, null).lines(rows)

const isListOfRecords = (value: unknown): value is object[] =>
  Array.isArray(value) && value.length > 0 && value.every(isRecord)

/** Returns the members, with the members of deep objects in place of the objects. */
function flat(members: Record<string, unknown>, prefix = ''): [name: string, value: unknown][] {
  return Object.entries(members).flatMap(([name, value]): [string, unknown][] =>
    isRecord(value) && Object.values(value).some(isDeep)
      ? flat(value, `${prefix}${name}.`)
      : [[prefix + name, value]],
  )
}

const isDeep = (value: unknown): boolean => (isRecord(value) && isFilled(value)) || isListOfRecords(value)
