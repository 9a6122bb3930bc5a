import { Drop } from 'liquidjs'
import { parseFragment } from 'parse5'
import { guarded, unguarded, withoutStandIns } from './stand-ins.ts'
import { textContent } from './tree.ts'

/**
 * HTML in which values are escaped already: shown as it is, and plain text to filters and comparisons. The engine knows a
 * Drop by its valueOf.
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

/** A value as plain text: '' for nothing and for groups of values, without characters that control. */
export function plainText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(plainText).join('')
  if (value instanceof Drop) return plainText(value.valueOf() === value ? '' : value.valueOf())
  if (typeof value === 'object' || typeof value === 'function' || typeof value === 'symbol') return ''
  return printable(String(value))
}

/** `text` in well-formed Unicode, with \n for every end of a line, without other control characters but tabs. */
export function printable(text: string): string {
  return withoutStandIns(
    text
      .toWellFormed()
      .replaceAll(/\r\n?/g, '\n')
      .replaceAll(/(?![\t\n])\p{Cc}/gu, ''),
  )
}

/** A value as HTML: text, wherever a template puts it. What was captured is markup already. */
export function escaped(value: unknown): string {
  return value instanceof Markup ? Markup.htmlOf(value) : guarded(plainText(value))
}

/** `text` with its ends of lines as <br>. */
export function withBreaks(text: string): Markup {
  return new Markup(text.split('\n').map(escaped).join('<br>'))
}
