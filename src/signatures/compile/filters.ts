import { filters as all, type FilterImplOptions } from 'liquidjs'
import { plainText, printable, withBreaks } from './markup.ts'
import type { TemplatePart } from './template-fault.ts'

// No allowed filter reads the clock (date) or random numbers (sample), or evaluates text as a template. Filters that
// put lists into lists (push, concat) are missing: they could fill the memory.

const allowedNames: ReadonlySet<string> = new Set([
  ...[
    'abs',
    'append',
    'at_least',
    'at_most',
    'capitalize',
    'ceil',
    'compact',
    'default',
    'divided_by',
    'downcase',
  ],
  ...[
    'first',
    'floor',
    'join',
    'last',
    'lstrip',
    'map',
    'minus',
    'modulo',
    'plus',
    'prepend',
    'remove',
    'remove_first',
  ],
  ...[
    'remove_last',
    'replace',
    'replace_first',
    'replace_last',
    'reverse',
    'round',
    'rstrip',
    'size',
    'slice',
    'sort',
  ],
  ...[
    'sort_natural',
    'split',
    'squish',
    'strip',
    'strip_newlines',
    'times',
    'truncate',
    'truncatewords',
    'uniq',
  ],
  ...['upcase'],
])

type FilterThis = { context: { memoryLimit: { use(count: number): void } } }

/** `escape` changes nothing, because values are escaped anyway. */
const unchanged = (value: unknown) => value

function urlEncode(this: FilterThis, value: unknown): string {
  const text = plainText(value)
  this.context.memoryLimit.use(text.length)
  return encodeURIComponent(text.toWellFormed())
}

function newlineToBr(this: FilterThis, value: unknown): unknown {
  const text = plainText(value)
  this.context.memoryLimit.use(text.length)
  return withBreaks(text)
}

/** Returns the filters of a template's HTML, or of its text, by name. */
export function filtersFor(part: TemplatePart): Record<string, FilterImplOptions> {
  const chosen: Record<string, FilterImplOptions> = Object.fromEntries(
    Object.entries(all).filter(([name]) => allowedNames.has(name)),
  )
  return {
    ...chosen,
    escape: unchanged,
    escape_once: unchanged,
    newline_to_br: part === 'html' ? newlineToBr : (value: unknown) => printable(plainText(value)),
    url_encode: urlEncode,
  }
}

/** The allowed filters, in alphabetical order. */
export const allowedFilters: readonly string[] = Object.keys(filtersFor('html')).sort()
