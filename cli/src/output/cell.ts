import { visible } from './visible.ts'

/** Whether a value is a JSON object. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The members of an object by name; empty for anything else. */
export const membersOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})

/** A member by its name, or by a path such as `custom.plan`. */
export function memberAt(value: unknown, path: string): unknown {
  const members = membersOf(value)
  const dot = path.indexOf('.')
  if (dot < 0 || Object.hasOwn(members, path)) return members[path]
  return memberAt(members[path.slice(0, dot)], path.slice(dot + 1))
}

/** Returns whether a cell of the value shows anything. */
export const isFilled = (value: unknown): boolean => cellOf('', value) !== ''

/**
 * A value in a table: a time in the time zone of this machine, a list with commas, an object as `name: value`, and a
 * list of objects with semicolons.
 */
export function cellOf(name: string, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' && /_at$/.test(name)) return timeText(value)
  if (typeof value !== 'object') return visible(String(value))
  if (!Array.isArray(value))
    return Object.entries(value)
      .map(([key, one]) => [visible(key), cellOf(key, one)])
      .filter(([, cell]) => cell !== '')
      .map(([key, cell]) => `${key}: ${cell}`)
      .join(', ')
  const isPlain = value.every((one) => typeof one !== 'object')
  return value.map((one) => cellOf('', one)).join(isPlain ? ', ' : '; ')
}

/** Unix seconds as `2026-11-26 09:30`, in the time zone of this machine. */
export function timeText(seconds: number): string {
  const date = new Date(seconds * 1000)
  if (Number.isNaN(date.getTime())) return String(seconds)
  const two = (number: number) => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`
}
