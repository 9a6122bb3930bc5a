import { LiquidError, type Token } from 'liquidjs'
import { TooMuchOutput, TooMuchWork, templateMax } from './budget.ts'
import { allowedTags } from './engine.ts'
import { allowedFilters } from './filters.ts'
import { TemplateFault, type TemplatePart } from './template-fault.ts'
import { named } from './warnings.ts'

const thousands = (count: number) => count.toLocaleString('en')

const limits = 'the template does too much: its loops or lists are too long'

/** What keeps a tag from being there, for those that people look for. */
const whyNoTag: Record<string, string> = {
  include: 'a template cannot draw in another',
  render: 'a template cannot draw in another',
  layout: 'a template cannot draw in another',
  block: 'a template cannot draw in another',
  tablerow: 'write <tr> and <td> within {% for %}',
}

const noClock =
  'a signature would change by itself from one day to the next; write dates as they are to be read'
const whyNoFilter: Record<string, string> = {
  date: noClock,
  date_to_xmlschema: noClock,
  date_to_rfc822: noClock,
  date_to_string: noClock,
  date_to_long_string: noClock,
  sample: 'a signature would change by itself',
  raw: 'values are always shown as text; write markup into the template itself',
  concat: 'lists cannot be made longer',
  push: 'lists cannot be made longer',
  unshift: 'lists cannot be made longer',
}

/** What went wrong in the engine, in words for who wrote the template. */
export function faultOf(part: TemplatePart, thrown: unknown): TemplateFault {
  const error = thrown as Error & { originalError?: Error; token?: Token }
  const cause = innermost(error)
  const at = LiquidError.is(thrown) ? positionOf(error.token) : undefined
  if (cause instanceof TooMuchOutput)
    return new TemplateFault(part, 'too_long', 'what comes out is far too long', at)
  if (cause instanceof TooMuchWork || cause instanceof RangeError || /limit exceeded$/.test(cause.message)) {
    if (/^parse length/.test(cause.message)) return tooLongToRead(part)
    return new TemplateFault(part, 'limits', limits, at)
  }
  return new TemplateFault(part, 'syntax', wordsFor(cause), at)
}

export function tooLongToRead(part: TemplatePart): TemplateFault {
  return new TemplateFault(part, 'too_long', `a template has at most ${thousands(templateMax)} characters`)
}

function innermost(error: Error & { originalError?: Error }): Error {
  return error.originalError === undefined ? error : innermost(error.originalError)
}

function positionOf(token: Token | undefined): { line: number; column: number } | undefined {
  const [line, column] = token?.getPosition() ?? []
  return line === undefined || column === undefined ? undefined : { line, column }
}

function wordsFor({ name, message }: Error): string {
  const text = message.replace(/, line:\d+, col:\d+$/s, '')
  const tag = /^tag "(.*)" not found$/s.exec(text)?.[1]
  if (tag !== undefined && /^(?:end.*|else|elsif|when)$/.test(tag))
    return `{% ${named(tag)} %} ends nothing that is open`
  if (tag !== undefined) return missing('tag', named(tag), whyNoTag, allowedTags)
  const filter = /^undefined filter: (.*)$/s.exec(text)?.[1]
  if (filter !== undefined) return missing('filter', named(filter), whyNoFilter, allowedFilters)
  const open = /^(?:tag |output |raw )?"?(\{[{%].*?)"? not closed$/s.exec(text)?.[1]
  if (open !== undefined) return `${named(open)} is not closed`
  // Other errors of the engine speak of syntax; those of the language speak of the engine.
  if (/^(?:AssertionError|TokenizationError|ParseError|Error)$/.test(name))
    return `this cannot be read: ${named(text)}`
  return 'this cannot be read'
}

function missing(kind: string, name: string, why: Record<string, string>, all: readonly string[]): string {
  const reason = Object.hasOwn(why, name) ? why[name]! : `there are: ${all.join(', ')}`
  return `there is no ${kind} “${name}”: ${reason}`
}
