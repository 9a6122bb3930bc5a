import { stylePatternOf } from './rules.ts'

export type Style = { kept: string; removed: string[]; important: boolean }

const kept = new Map<string, Style>()
const cachedMax = 2000

/** Reads a `style` attribute. Caches up to 2,000 short styles. */
export function readStyle(style: string): Style {
  let read = kept.get(style)
  if (read === undefined) {
    read = parse(style)
    if (kept.size >= cachedMax) kept.clear()
    if (style.length <= 500) kept.set(style, read)
  }
  return read
}

// A semicolon inside quotes splits a declaration. Both parts are then removed, because no pattern matches half of a
// quotation.
function parse(style: string): Style {
  const declarations: string[] = []
  const removed: string[] = []
  let important = false
  for (const each of style.split(';')) {
    const declaration = each.trim().replaceAll(/\s+/g, ' ')
    if (declaration === '') continue
    const colon = declaration.indexOf(':')
    const property = (colon < 0 ? declaration : declaration.slice(0, colon)).trim().toLowerCase()
    const written = declaration.slice(colon + 1).trim()
    const value = written
      .replace(/ ?! ?important$/i, '')
      .replaceAll('"', "'")
      .replaceAll(' ,', ',')
    const pattern = colon < 0 ? undefined : stylePatternOf(property)
    if (pattern?.test(value)) {
      declarations.push(`${property}:${value}`)
      important ||= value.length < written.length && / ?! ?important$/i.test(written)
    } else removed.push(property)
  }
  return { kept: declarations.join(';'), removed, important }
}
