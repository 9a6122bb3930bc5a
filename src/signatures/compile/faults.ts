import { LiquidError, type Token } from 'liquidjs'
import { TooMuchOutput, TooMuchWork, templateMax } from './budget.ts'
import { allowedTags } from './engine.ts'
import { allowedFilters } from './filters.ts'
import { TemplateFault, type TemplatePart } from './template-fault.ts'
import { shortenForMessage } from './warnings.ts'

const thousands = (count: number) => count.toLocaleString('en')

const limits = 'the template does too much: its loops or lists are too long'

const missingTagHints: ReadonlyMap<string, string> = new Map([
  ...['include', 'render', 'layout', 'block'].map((name): [string, string] => [
    name,
    'a template cannot include another one',
  ]),
  ['tablerow', 'write <tr> and <td> inside {% for %}'],
])

const noClock = 'a signature must always be the same; write the date as text'
const noGrowth = 'lists cannot be made longer'
const missingFilterHints: ReadonlyMap<string, string> = new Map([
  ...['date', 'date_to_xmlschema', 'date_to_rfc822', 'date_to_string', 'date_to_long_string'].map(
    (name): [string, string] => [name, noClock],
  ),
  ...['concat', 'push', 'unshift'].map((name): [string, string] => [name, noGrowth]),
  ['sample', 'a signature must always be the same'],
  ['raw', 'values are always shown as text; write markup into the template itself'],
])

/** Turns an error of the engine into a text for the author of the template. */
export function faultOf(part: TemplatePart, thrown: unknown): TemplateFault {
  const error = thrown as Error & { originalError?: Error; token?: Token }
  const cause = innermost(error)
  const at = LiquidError.is(thrown) ? positionOf(error.token) : undefined
  if (cause instanceof TooMuchOutput)
    return new TemplateFault(part, 'too_long', 'the result is far too long', at)
  if (cause instanceof TooMuchWork || cause instanceof RangeError || /limit exceeded$/.test(cause.message)) {
    if (/^parse length/.test(cause.message)) return tooLongToRead(part)
    return new TemplateFault(part, 'limits', limits, at)
  }
  return new TemplateFault(part, 'syntax', faultText(cause), at)
}

/** The fault of a part that exceeds the maximum length of a template. */
export function tooLongToRead(part: TemplatePart): TemplateFault {
  return new TemplateFault(
    part,
    'too_long',
    `a template may have at most ${thousands(templateMax)} characters`,
  )
}

/** The fault of a template that used up the memory of its thread. */
export const tooMuchMemory = (part: TemplatePart): TemplateFault =>
  new TemplateFault(part, 'limits', 'the template needs too much memory: make its loops and lists shorter')

function innermost(error: Error & { originalError?: Error }): Error {
  return error.originalError === undefined ? error : innermost(error.originalError)
}

function positionOf(token: Token | undefined): { line: number; column: number } | undefined {
  const [line, column] = token?.getPosition() ?? []
  return line === undefined || column === undefined ? undefined : { line, column }
}

function faultText({ name, message }: Error): string {
  const text = message.replace(/, line:\d+, col:\d+$/s, '')
  const tag = /^tag "(.*)" not found$/s.exec(text)?.[1]
  if (tag !== undefined && /^(?:end.*|else|elsif|when)$/.test(tag))
    return `{% ${shortenForMessage(tag)} %} closes a block that is not open`
  if (tag !== undefined) return notAvailableText('tag', shortenForMessage(tag), missingTagHints, allowedTags)
  const filter = /^undefined filter: (.*)$/s.exec(text)?.[1]
  if (filter !== undefined)
    return notAvailableText('filter', shortenForMessage(filter), missingFilterHints, allowedFilters)
  const open = /^(?:tag |output |raw )?"?(\{[{%].*?)"? not closed$/s.exec(text)?.[1]
  if (open !== undefined) return `${shortenForMessage(open)} is not closed`
  // Only these errors describe the template. Other errors describe the code of the engine.
  if (/^(?:AssertionError|TokenizationError|ParseError|Error)$/.test(name))
    return `Liquid cannot read this: ${shortenForMessage(text)}`
  return 'Liquid cannot read this'
}

function notAvailableText(
  kind: string,
  name: string,
  why: ReadonlyMap<string, string>,
  all: readonly string[],
): string {
  const reason = why.get(name) ?? `use one of ${all.join(', ')}`
  return `there is no ${kind} “${name}”: ${reason}`
}
