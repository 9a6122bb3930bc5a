/** The width of samples in characters. Longer lines are broken where possible. */
export const sampleWidth = 80

/** A text in single quotes of a POSIX shell. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** How a language writes literals. */
type Style = {
  text(value: string): string
  key(name: string): string
  /** The space inside the braces of an object that is on one line. */
  padding: string
  /** What follows the last value if each value has its own line. */
  lastComma: string
}

/** A text in single quotes of TypeScript. */
export const quoted = (text: string): string =>
  `'${text.replaceAll(/['\\]/g, '\\$&').replaceAll('\n', '\\n')}'`

export const typescript: Style = {
  text: quoted,
  key: (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name)),
  padding: ' ',
  lastComma: ',',
}

export const json: Style = { text: JSON.stringify, key: JSON.stringify, padding: '', lastComma: '' }

/**
 * Writes a JSON value as a literal. Lists and objects wider than `width` characters get a line for each value.
 * @param indent precedes all lines except the first
 * @param before the number of characters before the literal on its first line
 */
export function literal(value: unknown, style: Style, width: number, indent = '', before = 0): string {
  const short = inline(value, style)
  return isScalar(value) || before + short.length <= width
    ? short
    : multiLineLiteral(value as object, style, width, indent)
}

/** Writes a list or an object with a line for each value. */
export function multiLineLiteral(value: object, style: Style, width: number, indent = ''): string {
  const isList = Array.isArray(value)
  const inner = `${indent}  `
  const lines = Object.entries(value).map(([name, one]) => {
    const start = inner + (isList ? '' : `${style.key(name)}: `)
    return `\n${start}${literal(one, style, width - 1, inner, start.length)}`
  })
  const [open, close] = isList ? '[]' : '{}'
  return `${open}${lines.join(',')}${style.lastComma}\n${indent}${close}`
}

const isScalar = (value: unknown): value is string | number | boolean | null =>
  typeof value !== 'object' || value === null

function inline(value: unknown, style: Style): string {
  if (typeof value === 'string') return style.text(value)
  if (isScalar(value)) return String(value)
  if (Array.isArray(value)) return `[${value.map((one) => inline(one, style)).join(', ')}]`
  const members = Object.entries(value as object).map(
    ([name, one]) => `${style.key(name)}: ${inline(one, style)}`,
  )
  return members.length > 0 ? `{${style.padding}${members.join(', ')}${style.padding}}` : '{}'
}
