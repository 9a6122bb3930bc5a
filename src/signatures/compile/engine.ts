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
import type { TemplatePart } from './template-fault.ts'

// Liquid without what a signature must not do: read files, other templates, the clock or chance. What is allowed is
// listed, so that a later release of the engine brings nothing in.

const plainTags = [
  ...['#', 'assign', 'break', 'case', 'comment', 'continue', 'cycle', 'decrement', 'for', 'if', 'increment'],
  ...['liquid', 'raw', 'unless'],
] as const

/** The tags that there are, in the order of the alphabet. */
export const allowedTags: readonly string[] = [...plainTags, 'capture', 'echo'].sort()

/** What a loop tells of itself. */
const loopProperties: ReadonlySet<string> = new Set([
  ...['first', 'index', 'index0', 'last', 'length', 'rindex', 'rindex0'],
])

/** One rendering, which knows what is left to spend. */
class CountedContext extends Context {
  readonly budget = new Budget()

  // The engine reads all that a Drop has, what it inherits included.
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

/** What the engine's own renderer does, with every step counted. */
class CountingRenderer {
  *renderTemplates(templates: Template[], ctx: Context, given?: Emitter): IterableIterator<unknown> {
    const { budget } = ctx as CountedContext
    const emitter = given ?? new CountingEmitter(budget)
    budget.spend(1)
    for (const template of templates) {
      try {
        budget.spend(costOf(template))
        const html: unknown = yield template.render(ctx, emitter)
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

/** What is captured is markup already: it is not escaped again where it is shown. */
class CaptureMarkup extends CaptureTag {
  override *render(ctx: Context): Generator<unknown, void, string> {
    const html = yield this.liquid.renderer.renderTemplates(this.templates, ctx)
    ;(ctx.bottom() as Record<string, unknown>)[this.variable] = new Markup(html)
  }
}

/** The engine's own would show what was captured as plain text. */
class EchoMarkup extends EchoTag {
  override *render(ctx: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const { value } = this as unknown as { value?: { value(ctx: Context, lenient: boolean): unknown } }
    if (value !== undefined) emitter.write(escaped(yield value.value(ctx, false)))
  }
}

/** The operators, which pay for the texts and lists that they read. */
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
      // What is left of dates, should one ever be allowed, is the same everywhere.
      timezoneOffset: 0,
      locale: 'en-US',
    })
    for (const name of Object.keys(this.filters)) this.unregisterFilter(name)
    for (const [name, filter] of Object.entries(filtersFor(part))) this.registerFilter(name, filter)
    for (const name of Object.keys(this.tags)) delete this.tags[name]
    for (const name of plainTags) this.registerTag(name, tags[name]!)
    this.registerTag('capture', part === 'html' ? CaptureMarkup : CaptureTag)
    this.registerTag('echo', part === 'html' ? EchoMarkup : EchoTag)
  }
}

const engines = { html: new Engine('html'), text: new Engine('text') }

/** What the engine reads in `source`. @throws whatever the engine throws (see faults.ts) */
export function parseLiquid(part: TemplatePart, source: string): Template[] {
  return engines[part].parse(source)
}

/** What the templates make of `scope`, which has no prototype. @throws whatever the engine throws (see faults.ts) */
export function renderLiquid(part: TemplatePart, templates: Template[], scope: object): string {
  const engine = engines[part]
  const ctx = new CountedContext(scope, engine.options, { sync: true }, { liquid: engine })
  return toValueSync(engine.renderer.renderTemplates(templates, ctx)) as string
}
