import { Drop } from 'liquidjs'
import { parseFragment } from 'parse5'
import { insertStandIns, removeStandIns, restoreCharacters } from './stand-ins.ts'
import { textContent } from './tree.ts'

/**
 * HTML whose values are already escaped. Output shows it unchanged. Filters and comparisons get its plain text, which
 * the engine gets from valueOf.
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
    this.#text ??= restoreCharacters(textContent(parseFragment(this.#html)))
    return this.#text
  }
}

/** Converts a value to plain text without control characters. A missing value, an object or a function gives ''. */
export function plainText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(plainText).join('')
  if (value instanceof Drop) return plainText(value.valueOf() === value ? '' : value.valueOf())
  if (typeof value === 'object' || typeof value === 'function' || typeof value === 'symbol') return ''
  return printable(String(value))
}

/** Without line ends of other systems, control characters, stand-ins and surrogates. */
const isPrintable = /^[\t\n\x20-\x7e\xa0-\ud7ff]*$/

/**
 * Converts `text` to well-formed Unicode. Every line end becomes a line feed. Other control characters are removed,
 * except tabs.
 */
export function printable(text: string): string {
  if (isPrintable.test(text)) return text
  return removeStandIns(
    text
      .toWellFormed()
      .replaceAll(/\r\n?/g, '\n')
      .replaceAll(/(?![\t\n])\p{Cc}/gu, ''),
  )
}

/** Converts a value to HTML. A value stays text wherever a template puts it. Captured output is already markup. */
export function escaped(value: unknown): string {
  return value instanceof Markup ? Markup.htmlOf(value) : insertStandIns(plainText(value))
}

/** Converts line ends in `text` to <br>. */
export function withBreaks(text: string): Markup {
  return new Markup(text.split('\n').map(escaped).join('<br>'))
}
