import { hash } from 'node:crypto'
import { escapeHtml } from '../../../platform/http/escape-html.ts'
import type { FormDefinition } from '../schema.ts'
import { fieldHtml } from './page-fields.ts'
import { script } from './page-script.ts'
import { style } from './page-style.ts'

/** The field that people do not see. Only programs fill it. */
export const honeypotKey = 'company_website_confirm'

const hashOf = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`
const [styleHash, scriptHash] = [hashOf(style), hashOf(script)]

/**
 * Lets the browser run only the page's own style and script, and send the form only to this server and its thank-you page.
 * @param frames the sites that may show the page in a frame; empty: none
 */
export function contentSecurityPolicy(frames: readonly string[], thankYouUrl: string | null): string {
  return [
    "default-src 'none'",
    `style-src ${styleHash}`,
    `script-src ${scriptHash}`,
    `form-action 'self'${thankYouUrl === null ? '' : ` ${new URL(thankYouUrl).origin}`}`,
    "base-uri 'none'",
    `frame-ancestors ${frames.length === 0 ? "'none'" : frames.join(' ')}`,
  ].join('; ')
}

const layout = (title: string, body: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex"><title>${title}</title><style>${style}</style></head>
<body><main>${body}</main></body></html>
`

/** What a person typed, by the keys of the fields. */
export type TypedValues = ReadonlyMap<string, readonly string[]>

export type FormPage = {
  path: string
  definition: FormDefinition
  /** The text of a challenge. */
  challenge: string
  typed?: TypedValues
  /** What is wrong, by the keys of the fields. */
  problems?: ReadonlyMap<string, string>
  /** What is wrong with the whole form; null: nothing. */
  fault?: string | null
}

/** The page of a form. */
export function formPage({ path, definition, challenge, ...more }: FormPage): string {
  const { typed = new Map<string, string[]>(), problems = new Map<string, string>(), fault = null } = more
  const { title, description, fields, consent, submit_label: submitLabel } = definition
  const labels = new Map(fields.map(({ key, label }) => [key, label]))
  const wrong = [...problems].map(
    ([key, why]) =>
      `<br><a href="#f-${key}">${escapeHtml(labels.get(key) ?? 'Consent')}</a>: ${escapeHtml(why)}`,
  )
  const alert =
    fault === null && problems.size === 0
      ? ''
      : `<div class="bad" role="alert" tabindex="-1">${escapeHtml(fault ?? 'The form was not sent.')}${wrong.join('')}</div>`
  const inputs = fields.map((field) =>
    fieldHtml(field, { values: typed.get(field.key) ?? [], problem: problems.get(field.key) ?? null }),
  )
  const prefix = alert === '' ? '' : 'Error: '
  return layout(
    prefix + escapeHtml(title),
    `<h1>${escapeHtml(title)}</h1>${description === '' ? '' : `<p class="lead">${escapeHtml(description)}</p>`}
<form method="post" action="${path}">${alert}
<input type="hidden" name="challenge" value="${challenge}"><input type="hidden" name="proof">
<div class="hp" aria-hidden="true"><label>Leave this empty<input name="${honeypotKey}" tabindex="-1" autocomplete="off"></label></div>
${inputs.join('\n')}
${consent === null ? '' : consentHtml(consent, typed.get('consent')?.[0], problems.get('consent'))}
<button>${escapeHtml(submitLabel)}</button></form><script>${script}</script>`,
  )
}

function consentHtml(
  { text, required }: NonNullable<FormDefinition['consent']>,
  typed: string | undefined,
  problem: string | undefined,
): string {
  const error = problem === undefined ? '' : `<p class="bad" id="f-consent-error">${escapeHtml(problem)}</p>`
  const attributes = `${required ? ' required' : ''}${error && ' aria-invalid="true" aria-describedby="f-consent-error"'}`
  return `<div class="c"><input type="checkbox" id="f-consent" name="consent"${typed ? ' checked' : ''}${attributes}><div><label for="f-consent">${escapeHtml(text)}</label>${error}</div></div>`
}

/** A page that only shows a message. */
export const messagePage = (title: string, words: string): string =>
  layout(
    escapeHtml(title),
    `<div class="card"><h1>${escapeHtml(title)}</h1><p class="lead">${escapeHtml(words)}</p></div>`,
  )
