import { escapeHtml } from '../../../platform/http/escape-html.ts'
import type { FormField } from '../schema.ts'

/** What a person typed, and what is wrong with it; null: nothing. */
export type Typed = { values: readonly string[]; problem: string | null }

/** The tokens of `autocomplete` (HTML, section 4.10.18.7), with which browsers fill fields. */
const autocompleteOf: Readonly<Record<string, string>> = {
  email: 'email',
  phone: 'tel',
  first_name: 'given-name',
  last_name: 'family-name',
  company_name: 'organization',
  job_title: 'organization-title',
  linkedin_url: 'url',
  city: 'address-level2',
  region: 'address-level1',
  country: 'country-name',
}

const inputTypes: Readonly<Record<string, string>> = {
  text: 'type="text"',
  email: 'type="email"',
  phone: 'type="tel"',
  number: 'type="text" inputmode="decimal"',
  date: 'type="date"',
  url: 'type="url"',
}

/** One field of a form, with its label, its help and its error. */
export function fieldHtml(field: FormField, { values, problem }: Typed): string {
  const { key, label, type, required, options, hint } = field
  const id = `f-${key}`
  const about = [hint !== null && `${id}-hint`, problem !== null && `${id}-error`].filter(Boolean).join(' ')
  const attributes = [
    required ? ' required' : '',
    about ? ` aria-describedby="${about}"` : '',
    problem === null ? '' : ' aria-invalid="true"',
  ].join('')
  const notes = [
    hint === null ? '' : `<p class="hint" id="${id}-hint">${escapeHtml(hint)}</p>`,
    problem === null ? '' : `<p class="bad" id="${id}-error">${escapeHtml(problem)}</p>`,
  ].join('')
  const name = `id="${id}" name="${key}"`
  const title = escapeHtml(label) + (required ? '' : ' <span class="hint">(optional)</span>')
  const value = values[0] ?? ''
  if (type === 'checkbox')
    return `<div class="c"><input type="checkbox" ${name}${value === '' ? '' : ' checked'}${attributes}><div><label for="${id}">${title}</label>${notes}</div></div>`
  if (type === 'multi_select') {
    const boxes = options.map(
      (option, index) =>
        `<div><input type="checkbox" id="${id}${index === 0 ? '' : `-${index}`}" name="${key}" value="${escapeHtml(option)}"${values.includes(option) ? ' checked' : ''}><label for="${id}${index === 0 ? '' : `-${index}`}">${escapeHtml(option)}</label></div>`,
    )
    return `<fieldset class="f o"${about ? ` aria-describedby="${about}"` : ''}><legend>${title}</legend>${boxes.join('')}${notes}</fieldset>`
  }
  if (type === 'scale') {
    const radios = Array.from(
      { length: 11 },
      (_, index) =>
        `<label><input type="radio" ${index === 0 ? `id="${id}" ` : ''}name="${key}" value="${index}"${value === String(index) ? ' checked' : ''}${required ? ' required' : ''}>${index}</label>`,
    )
    return `<fieldset class="f"${about ? ` aria-describedby="${about}"` : ''}><legend>${title}</legend><div class="s">${radios.join('')}</div>${notes}</fieldset>`
  }
  const filled = autocompleteOf[field.maps_to ?? ''] ?? 'off'
  return `<div class="f"><label for="${id}">${title}</label>${control()}${notes}</div>`

  function control(): string {
    if (type === 'textarea')
      // A parser drops the first line break of a text area.
      return `<textarea ${name} maxlength="10000"${attributes}>\n${escapeHtml(value)}</textarea>`
    if (type === 'select')
      return `<select ${name} autocomplete="${filled}"${attributes}><option value="">Choose…</option>${options
        .map((option) => `<option${option === value ? ' selected' : ''}>${escapeHtml(option)}</option>`)
        .join('')}</select>`
    return `<input ${inputTypes[type]} ${name} autocomplete="${filled}" maxlength="2000" value="${escapeHtml(value)}"${attributes}>`
  }
}
