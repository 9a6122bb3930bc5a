import { visible } from './visible.ts'

/** The members of an object by name; empty for anything else. */
export const membersOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}

/** A value in a table: a time in the time zone of this machine, a list with commas, an object as `name: value`. */
export function cellOf(name: string, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' && /_at$/.test(name)) return timeText(value)
  if (typeof value !== 'object') return visible(String(value))
  if (!Array.isArray(value))
    return Object.entries(value)
      .filter(([, one]) => one !== null)
      .map(([key, one]) => `${visible(key)}: ${cellOf(key, one)}`)
      .join(', ')
  const isPlain = value.every((one) => typeof one !== 'object')
  return visible(isPlain ? value.join(', ') : JSON.stringify(value))
}

/** Unix seconds as `2026-11-26 09:30`, in the time zone of this machine. */
export function timeText(seconds: number): string {
  const date = new Date(seconds * 1000)
  if (Number.isNaN(date.getTime())) return String(seconds)
  const two = (number: number) => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`
}
