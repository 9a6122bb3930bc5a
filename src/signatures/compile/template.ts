import { analyzeSync, type Template, toValueSync, Value, type ValueToken, type Variable } from 'liquidjs'
import { templateMax } from './budget.ts'
import { parseLiquid, renderLiquid } from './engine.ts'
import { faultOf, tooLongToRead } from './faults.ts'
import type { TemplatePart } from './template-fault.ts'

/** A name in the data, such as `['persona', 'name']`, and the line of its first use. */
export type TemplateName = {
  path: string[]
  line: number
  /** Whether the template tests the name, so that the data may lack it. */
  isTested: boolean
}

/** A parsed template; it is immutable. */
export type ParsedTemplate = {
  part: TemplatePart
  templates: Template[]
  /** The names that the template reads from the data. */
  names: TemplateName[]
  /** The text that is in every result, for any data. */
  fixed: string
}

// Parsed templates are cached, because few templates serve many mailboxes.
const cachedBytesMax = 50_000_000
/** The maximum memory for a character of parsed Liquid in bytes, measured with repeated `{{a}}`. */
const bytesPerLiquidCharacter = 210
const cachedTemplates = new Map<string, { read: ParsedTemplate; bytes: number }>()
let cachedBytes = 0

/** Parses one part of a template. @throws TemplateFault if the template cannot be read or is too long */
export function readTemplate(part: TemplatePart, source: string): ParsedTemplate {
  const key = `${part}:${source}`
  const known = cachedTemplates.get(key)
  if (known !== undefined) {
    // Move the entry to the end: the first entry is removed first.
    cachedTemplates.delete(key)
    cachedTemplates.set(key, known)
    return known.read
  }
  if (source.length > templateMax) throw tooLongToRead(part)
  const read = parse(part, source)
  const bytes = key.length + bytesPerLiquidCharacter * (source.length - textLengthOf(read.templates))
  cachedTemplates.set(key, { read, bytes })
  cachedBytes += bytes
  for (const [oldest, { bytes: freed }] of cachedTemplates) {
    if (cachedBytes <= cachedBytesMax) break
    cachedTemplates.delete(oldest)
    cachedBytes -= freed
  }
  return read
}

/** Returns how many characters Liquid copies unchanged. They need no memory after parsing. */
function textLengthOf(templates: Template[]): number {
  return templates.reduce(
    (sum, template) =>
      sum + ('str' in template ? String(template.str).length : textLengthOf(childrenOf(template))),
    0,
  )
}

const childrenOf = (template: Template) => (toValueSync(template.children?.(false, true)) ?? []) as Template[]

/** Renders the template with `scope`, which has no prototype. @throws TemplateFault */
export function render({ part, templates }: ParsedTemplate, scope: object): string {
  try {
    return renderLiquid(part, templates, scope)
  } catch (error) {
    throw faultOf(part, error)
  }
}

function parse(part: TemplatePart, source: string): ParsedTemplate {
  try {
    const templates = parseLiquid(part, source)
    return { part, templates, names: namesIn(templates), fixed: fixedTextOf(templates) }
  } catch (error) {
    throw faultOf(part, error)
  }
}

/** Returns the names that the template reads from the data. */
function namesIn(templates: Template[]): TemplateName[] {
  const { globals } = analyzeSync(templates)
  const tested = new Set(testedNames(templates))
  const names = new Map<string, TemplateName>()
  for (const variable of Object.values(globals).flat()) {
    const path = pathOf(variable)
    const key = path.join('.')
    if (!names.has(key)) names.set(key, { path, line: variable.location.row, isTested: tested.has(key) })
  }
  return [...names.values()]
}

function pathOf({ segments }: Variable): string[] {
  const end = segments.findIndex((segment) => typeof segment !== 'string')
  return (end < 0 ? segments : segments.slice(0, end)) as string[]
}

/** The names in the condition of {% if %} or {% case %}, or before the filter `default`. The data may lack them. */
function testedNames(templates: Template[]): string[] {
  const tested: Argument[] = []
  const walk = (within: Template[]): void => {
    for (const template of within) {
      const isBranched = 'branches' in template
      for (const argument of template.arguments?.() ?? []) {
        const isDefaulted =
          argument instanceof Value && argument.filters.some(({ name }) => name === 'default')
        if (isBranched || isDefaulted) tested.push(argument)
      }
      walk(childrenOf(template))
    }
  }
  walk(templates)
  const [first] = templates
  if (first === undefined || tested.length === 0) return []
  const { variables } = analyzeSync([{ token: first.token, render: () => '', arguments: () => tested }])
  return Object.values(variables).flatMap((all) => all.map((variable) => pathOf(variable).join('.')))
}

function fixedTextOf(templates: Template[]): string {
  return templates.map((template) => ('str' in template ? String(template.str) : '')).join('')
}

type Argument = Value | ValueToken
