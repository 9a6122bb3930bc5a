import { type Definition, type Field, type Place, readForm, sendForm, solve } from './definition.ts'

const style = `:host{display:block;font:inherit;color:inherit}form{display:grid;gap:1em}label,legend{font-weight:600}
fieldset{border:0;margin:0;padding:0}.o label{display:flex;gap:.5em;font-weight:400}
input:not([type=checkbox]):not([type=radio]),textarea,select{font:inherit;width:100%;box-sizing:border-box;padding:.5em;border:1px solid #8590a2;border-radius:.3em;background:transparent;color:inherit}
button{font:inherit;font-weight:600;padding:.6em 1.3em;border:0;border-radius:.3em;background:#1f5eff;color:#fff;justify-self:start}
p{margin:.2em 0 0}.bad{color:#b3261e}@media(prefers-color-scheme:dark){.bad{color:#d9534a}}.hp{position:absolute;left:-9999px}`

const inputTypes: Record<string, string> = { email: 'email', phone: 'tel', date: 'date', url: 'url' }
const fills: Record<string, string> = {
  ...{ email: 'email', phone: 'tel', first_name: 'given-name', last_name: 'family-name' },
  ...{ company_name: 'organization', job_title: 'organization-title', city: 'address-level2' },
}

function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  members: Partial<HTMLElementTagNameMap[Tag]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = Object.assign(document.createElement(tag), members)
  element.append(...children)
  return element
}

/** Shows a form in a shadow root of `target`. All texts are shown as text. */
export async function showForm(place: Place, target: HTMLElement, formId: string): Promise<void> {
  const definition = await readForm(place, formId)
  const root = target.shadowRoot ?? target.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(style)
  root.adoptedStyleSheets = [sheet]
  root.replaceChildren(formOf(place, root, definition))
}

function formOf(place: Place, root: ShadowRoot, definition: Definition): HTMLFormElement {
  const { title, description, fields, consent, submit_label: label, thank_you: thanks } = definition
  const honeypot = make('input', { name: 'company_website_confirm', tabIndex: -1, autocomplete: 'off' })
  const hidden = make('div', { className: 'hp', ariaHidden: 'true' }, honeypot)
  const button = make('button', {}, label)
  const status = make('p', { className: 'bad' })
  status.setAttribute('role', 'alert')
  const consentField: Field | null = consent && {
    ...{ key: 'consent', label: consent.text, type: 'checkbox', required: consent.required },
    ...{ options: [], hint: null, autocomplete: null },
  }
  const all = [...fields, ...(consentField ? [consentField] : [])]
  const form = make(
    'form',
    {},
    make('div', {}, make('b', {}, title), make('p', {}, description)),
    ...all.map(fieldOf),
    hidden,
    status,
    button,
  )
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (button.disabled) return
    button.disabled = true
    status.textContent = ''
    const data = new FormData(form)
    const answers = Object.fromEntries(
      fields.map(({ key, type }) => [key, type === 'multi_select' ? data.getAll(key) : data.get(key)]),
    )
    try {
      const proof = await solve(definition.challenge)
      const sent = { answers, consent: data.has('consent'), proof, honeypot: honeypot.value }
      const problems = await sendForm(place, definition, sent)
      const wrong = all.filter(({ key }) => mark(form, key, problems[key]))
      if (wrong.length > 0) return form.querySelector<HTMLElement>('[aria-invalid]')?.focus()
      if (Object.keys(problems).length > 0) status.textContent = Object.values(problems).join(' ')
      else if (thanks.url) location.assign(thanks.url)
      else {
        const words = make('p', { tabIndex: -1 }, thanks.text)
        words.setAttribute('role', 'status')
        root.replaceChildren(words)
        words.focus()
      }
    } catch (error) {
      // The text of the server. Errors of the browser, such as "Failed to fetch", have other names.
      const { name, message } = error as Error
      status.textContent = name === 'Error' ? message : 'The form was not sent. Try again.'
    } finally {
      button.disabled = false
    }
  })
  return form
}

/** Shows the problem of a field beside it. Returns whether there is one. */
function mark(form: HTMLFormElement, key: string, problem: string | undefined): boolean {
  const input = form.querySelector<HTMLElement>(`[name="${key}"]`)
  const note = form.querySelector(`#${key}-error`)
  if (!input || !note) return false
  note.textContent = problem ?? ''
  if (problem) input.setAttribute('aria-invalid', 'true')
  else input.removeAttribute('aria-invalid')
  return problem !== undefined
}

function fieldOf({ key, label, type, required, options, hint, autocomplete }: Field): HTMLElement {
  const name = required ? label : `${label} (optional)`
  const note = make('p', { className: 'bad', id: `${key}-error` })
  const help = make('p', { id: `${key}-hint` }, hint ?? '')
  const about = (element: HTMLElement) => {
    element.setAttribute('aria-describedby', `${key}-hint ${key}-error`)
    return element
  }
  const tick = (kind: string, value: string, text: string) =>
    make(
      'label',
      {},
      make('input', { type: kind, name: key, value, required: required && kind === 'radio' }),
      text,
    )
  if (type === 'multi_select' || type === 'scale') {
    const values = type === 'scale' ? Array.from({ length: 11 }, (_, at) => String(at)) : options
    const kind = type === 'scale' ? 'radio' : 'checkbox'
    const ticks = values.map((value) => tick(kind, value, value))
    return about(make('fieldset', { className: 'o' }, make('legend', {}, name), ...ticks, help, note))
  }
  if (type === 'checkbox') {
    const box = about(make('input', { type, name: key, value: 'on', required }))
    return make('div', { className: 'o' }, make('label', {}, box, name), help, note)
  }
  const members = {
    id: key,
    name: key,
    required,
    autocomplete: (fills[autocomplete ?? ''] ?? 'off') as AutoFill,
  }
  const control =
    type === 'textarea'
      ? make('textarea', { ...members, rows: 5 })
      : type === 'select'
        ? make('select', members, new Option('Choose…', ''), ...options.map((each) => new Option(each)))
        : make('input', { ...members, type: inputTypes[type] ?? 'text' })
  return make('div', {}, make('label', { htmlFor: key }, name), about(control), help, note)
}
