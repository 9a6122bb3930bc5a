import { createHash } from 'node:crypto'
import { Liquid } from 'liquidjs'
import sanitizeHtml from 'sanitize-html'
import { TemplateFault } from './template-fault.ts'

export { TemplateFault } from './template-fault.ts'

export type SignatureTemplate = { html: string; text: string | null }

/** What a template may show. */
export type SignatureData = {
  email: string
  display_name: string
  fields: Record<string, string>
  persona: Record<string, unknown> | null
  org: { name: string } & Record<string, unknown>
}

/** Something that a person may want to mend; nothing that keeps the signature from being installed. */
export type Warning = { code: string; message: string }

export type Compiled = {
  html: string
  text: string
  /** Characters of `html`. */
  size: number
  /** Of `html` in UTF-8, in hex. */
  sha256: string
  warnings: Warning[]
}

const engine = new Liquid({
  outputEscape: 'escape',
  ownPropertyOnly: true,
  strictFilters: true,
  templates: {},
})

/** The signature of one mailbox: the same bytes for the same template and data. @throws TemplateFault */
export function compileSignature(template: SignatureTemplate, data: SignatureData): Compiled {
  const scope = { ...data.fields, ...data }
  const html = sanitizeHtml(rendered('html', template.html, scope))
  const text = template.text === null ? '' : rendered('text', template.text, scope)
  const sha256 = createHash('sha256').update(html).digest('hex')
  return { html, text, size: html.length, sha256, warnings: [] }
}

/** @throws TemplateFault if the template cannot be read, or is too long whatever the data */
export function checkTemplate(template: SignatureTemplate): void {
  rendered('html', template.html, {})
  rendered('text', template.text ?? '', {})
}

function rendered(part: 'html' | 'text', source: string, scope: object): string {
  try {
    return engine.parseAndRenderSync(source, scope)
  } catch {
    throw new TemplateFault(part, 'syntax', 'the template cannot be read')
  }
}
