import { hash } from 'node:crypto'
import { warnOfPictures } from './pictures.ts'
import { textOfTree, tidyText } from './plain-text.ts'
import { sanitize } from './sanitize.ts'
import { scopeOf, warnOfUnknownNames } from './scope.ts'
import type { SignatureData } from './signature-data.ts'
import { readTemplate, render } from './template.ts'
import { TemplateFault, type TemplatePart } from './template-fault.ts'
import { tidy } from './tidy.ts'
import { trimTree } from './tree.ts'
import { type Warning, Warnings } from './warnings.ts'
import { written } from './written.ts'

export { TemplateFault } from './template-fault.ts'
export type { Warning } from './warnings.ts'

export type SignatureTemplate = { html: string; text: string | null }

export type Compiled = {
  html: string
  text: string
  /** The number of characters of `html`. */
  size: number
  /** The SHA-256 of `html` in UTF-8, as hexadecimal digits. */
  sha256: string
  warnings: Warning[]
}

/** The maximum number of characters (UTF-16 units) of a signature in Gmail. */
const signatureMax = 10_000
const longSignature = 8_000

/**
 * Compiles the signature of one mailbox. The same template and data always give the same bytes. `html` contains only
 * what rules.ts allows, and every browser parses it the same way.
 * @throws TemplateFault
 */
export function compileSignature(template: SignatureTemplate, data: SignatureData): Compiled {
  const warnings = new Warnings()
  const scope = scopeOf(data)
  const parsed = readTemplate('html', template.html)
  const { html, tree } = cleanHtml(render(parsed, scope), warnings)
  refuseTooLong('html', html.length)
  warnOfUnknownNames(parsed, scope, warnings)
  warnOfPictures(tree, warnings)
  if (html.length >= longSignature) {
    warnings.add(
      'long',
      `the signature has ${countText(html.length)} characters; the maximum is ${countText(signatureMax)}`,
    )
  }
  const text = template.text === null ? textOfTree(tree) : renderOwnText(template.text, data, warnings)
  refuseTooLong('text', text.length)
  if (text === '')
    warnings.add('text_empty', 'the plain text is empty: readers without HTML see no signature')
  const sha256 = hash('sha256', html, 'hex')
  return { html, text, size: html.length, sha256, warnings: warnings.list() }
}

/** Checks a template without data. @throws TemplateFault if the template cannot be read, or is too long with any data */
export function checkTemplate(template: SignatureTemplate): void {
  const { fixed } = readTemplate('html', template.html)
  refuseTooLong('html', written(sanitize(fixed, new Warnings())).length)
  if (template.text !== null)
    refuseTooLong('text', tidyText(readTemplate('text', template.text).fixed).length)
}

/** Removes from `html` everything that the rules do not allow. @throws TemplateFault */
function cleanHtml(html: string, warnings: Warnings): NonNullable<ReturnType<typeof tidy>> {
  const sanitized = sanitize(html, warnings)
  trimTree(sanitized)
  const found = tidy(sanitized)
  if (found !== null) return found
  throw new TemplateFault(
    'html',
    'syntax',
    'the elements are nested in a way that each mail program shows differently',
  )
}

function renderOwnText(source: string, data: SignatureData, warnings: Warnings): string {
  const parsed = readTemplate('text', source)
  // Use a separate scope for each part: tags such as {% increment %} write into it.
  const scope = scopeOf(data)
  const text = tidyText(render(parsed, scope))
  warnOfUnknownNames(parsed, scope, warnings)
  return text
}

function refuseTooLong(part: TemplatePart, length: number): void {
  if (length <= signatureMax) return
  const what = part === 'html' ? 'the compiled signature' : 'the plain text'
  const message = `${what} has ${countText(length)} characters; the maximum is ${countText(signatureMax)}`
  throw new TemplateFault(part, 'too_long', message)
}

const countText = (characters: number) => characters.toLocaleString('en')
