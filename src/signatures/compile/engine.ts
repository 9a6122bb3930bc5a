import {
  CaptureTag,
  Context,
  Drop,
  defaultOperators,
  EchoTag,
  type Emitter,
  Liquid,
  LiquidError,
  RenderError,
  type Template,
  tags,
  toValueSync,
} from 'liquidjs'
import { Budget, costOf, memoryMax, templateMax } from './budget.ts'
import { filtersFor } from './filters.ts'
import { escaped, Markup, plainText } from './markup.ts'
import { findPositionsFast } from './positions.ts'
import type { TemplatePart } from './template-fault.ts'

// Liquid without files, other templates, the clock and random numbers. Tags and filters are listed, so that a new
// release of the engine cannot add any.

const plainTags = [
  ...['#', 'assign', 'break', 'case', 'comment', 'continue', 'cycle', 'decrement', 'for', 'if', 'increment'],
  ...['liquid', 'raw', 'unless'],
]

const plainNames: ReadonlySet<string> = new Set(plainTags)

/** The allowed tags, in alphabetical order. */
export const allowedTags: readonly string[] = [...plainTags, 'capture', 'echo'].sort()

const loopProperties: ReadonlySet<string> = new Set([
  ...['first', 'index', 'index0', 'last', 'length', 'rindex', 'rindex0'],
])

/** The context of one rendering, which counts its work. */
class CountedContext extends Context {
  readonly budget = new Budget()

  // Read only own members: the engine would read any property of a Drop, even an inherited one.
  override readProperty(value: object, key: string | number | Drop): unknown {
    if (!(value instanceof Drop)) return super.readProperty(value, key)
    if (value instanceof Markup) return super.readProperty(value.valueOf() as unknown as object, key)
    return loopProperties.has(String(key)) ? super.readProperty(value, key) : undefined
  }
}

class CountingEmitter implements Emitter {
  buffer = ''
  readonly #budget: Budget

  constructor(budget: Budget) {
    this.#budget = budget
  }

  write(value: unknown): void {
    const text = typeof value === 'string' ? value : plainText(value)
    this.#budget.write(text.length)
    this.buffer += text
  }
}

/** The engine's renderer, but each step is counted. */
class CountingRenderer {
  *renderTemplates(templates: Template[], ctx: Context, given?: Emitter): IterableIterator<unknown> {
    const { budget } = ctx as CountedContext
    const emitter = given ?? new CountingEmitter(budget)
    budget.spend(1)
    for (const template of templates) {
      try {
        budget.spend(costOf(template))
        // The text between tags needs no generator.
        const html: unknown = 'str' in template ? template.str : yield template.render(ctx, emitter)
        if (html) emitter.write(html)
        if (ctx.breakCalled || ctx.continueCalled) break
      } catch (error) {
        throw LiquidError.is(error) ? error : new RenderError(error as Error, template)
      }
    }
    return emitter.buffer
  }

  renderTemplatesToNodeStream(): never {
    throw new Error('signatures are not streamed')
  }
}

class CaptureMarkup extends CaptureTag {
  override *render(ctx: Context): Generator<unknown, void, string> {
    const html = yield this.liquid.renderer.renderTemplates(this.templates, ctx)
    ;(ctx.bottom() as Record<string, unknown>)[this.variable] = new Markup(html)
  }
}

/** The engine's own `echo` would escape captured markup again. */
class EchoMarkup extends EchoTag {
  override *render(ctx: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const { value } = this as unknown as { value?: { value(ctx: Context, lenient: boolean): unknown } }
    if (value !== undefined) emitter.write(escaped(yield value.value(ctx, false)))
  }
}

/** Operators that count what they read: texts and lists. */
const operators = Object.fromEntries(
  Object.entries(defaultOperators).map(([name, apply]) => [
    name,
    (...operands: [unknown, unknown, Context]) => {
      const ctx = operands.at(-1) as Context
      ctx.memoryLimit.use(operands.slice(0, -1).reduce((sum: number, operand) => sum + sizeOf(operand), 0))
      return (apply as (...all: unknown[]) => ReturnType<typeof apply>)(...operands)
    },
  ]),
)

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + 1 + sizeOf(item), 0)
  return 1
}

class Engine extends Liquid {
  override readonly renderer: Liquid['renderer'] = new CountingRenderer()

  constructor(part: TemplatePart) {
    super({
      outputEscape: part === 'html' ? escaped : plainText,
      ownPropertyOnly: true,
      strictFilters: true,
      templates: {},
      operators,
      parseLimit: templateMax,
      memoryLimit: memoryMax,
      // Fix the time zone, so that the output does not depend on that of the server.
      timezoneOffset: 0,
      locale: 'en-US',
    })
    for (const name of Object.keys(this.filters)) this.unregisterFilter(name)
    for (const [name, filter] of Object.entries(filtersFor(part))) this.registerFilter(name, filter)
    for (const name of Object.keys(this.tags)) delete this.tags[name]
    for (const [name, tag] of Object.entries(tags)) if (plainNames.has(name)) this.registerTag(name, tag)
    this.registerTag('capture', part === 'html' ? CaptureMarkup : CaptureTag)
    this.registerTag('echo', part === 'html' ? EchoMarkup : EchoTag)
  }
}

findPositionsFast()
const engines = { html: new Engine('html'), text: new Engine('text') }

/** Parses `source`. @throws errors of the engine (see faults.ts) */
export function parseLiquid(part: TemplatePart, source: string): Template[] {
  return engines[part].parse(source)
}

/** Renders the templates with `scope`, which has no prototype. @throws errors of the engine (see faults.ts) */
export function renderLiquid(part: TemplatePart, templates: Template[], scope: object): string {
  const engine = engines[part]
  const ctx = new CountedContext(scope, engine.options, { sync: true }, { liquid: engine })
  return toValueSync(engine.renderer.renderTemplates(templates, ctx)) as string
}
