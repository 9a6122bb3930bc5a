import { Drop } from 'liquidjs'
import { parseFragment } from 'parse5'
import { guarded, unguarded, withoutStandIns } from './stand-ins.ts'
import { textContent } from './tree.ts'

/**
 * HTML whose values are escaped already. Output shows it unchanged; filters and comparisons see its plain text, which the
 * engine reads by a Drop's valueOf.
 */
export class Markup extends Drop {
  readonly #html: string
  #text: string | undefined

  constructor(html: string) {
    super()
    this.#html = html
  }

  static htmlOf(value: Markup): string {
    return value.#html
  }

  override valueOf(): string {
    this.#text ??= unguarded(textContent(parseFragment(this.#html)))
    return this.#text
  }
}

/** A value as plain text without control characters; '' for a missing value, an object or a function. */
export function plainText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(plainText).join('')
  if (value instanceof Drop) return plainText(value.valueOf() === value ? '' : value.valueOf())
  if (typeof value === 'object' || typeof value === 'function' || typeof value === 'symbol') return ''
  return printable(String(value))
}

/** `text` in well-formed Unicode: \n at every line end, and tabs as the only other control characters. */
export function printable(text: string): string {
  return withoutStandIns(
    text
      .toWellFormed()
      .replaceAll(/\r\n?/g, '\n')
      .replaceAll(/(?![\t\n])\p{Cc}/gu, ''),
  )
}

/** A value as HTML: it stays text wherever a template puts it. Captured output is markup already. */
export function escaped(value: unknown): string {
  return value instanceof Markup ? Markup.htmlOf(value) : guarded(plainText(value))
}

/** `text` with its line ends as <br>. */
export function withBreaks(text: string): Markup {
  return new Markup(text.split('\n').map(escaped).join('<br>'))
}
