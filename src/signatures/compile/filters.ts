import { filters as all, type FilterImplOptions } from 'liquidjs'
import { plainText, printable, withBreaks } from './markup.ts'
import type { TemplatePart } from './template-fault.ts'

// None that reads the clock (date and its kin, of which any text can be `now`), none that throws dice (sample), none that
// puts lists into lists (push, concat: a short template could build what no memory holds), none that evaluates text.

const names = [
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
] as const

type FilterThis = { context: { memoryLimit: { use(count: number): void } } }

/** Escaping happens by itself: asked for by name, it is not done twice. */
const asItIs = (value: unknown) => value

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

/** The filters of a template's HTML, or of its text, by name. */
export function filtersFor(part: TemplatePart): Record<string, FilterImplOptions> {
  const chosen: Record<string, FilterImplOptions> = Object.fromEntries(
    names.map((name) => [name, all[name]!]),
  )
  return {
    ...chosen,
    escape: asItIs,
    escape_once: asItIs,
    newline_to_br: part === 'html' ? newlineToBr : (value: unknown) => printable(plainText(value)),
    url_encode: urlEncode,
  }
}

/** The filters that there are, in the order of the alphabet. */
export const allowedFilters: readonly string[] = Object.keys(filtersFor('html')).sort()
