import { type Definition, type Place, readForm, sendForm, solve } from './definition.ts'

/** Fields with such a type, name or autocomplete are never read. The server refuses them, too. */
const secretTypes = /^(password|hidden|file|submit|button|image|reset)$/
const secretFill = /\bcc-|password|one-time-code/
const secretName = /card|cvc|cvv|iban|ssn|passw|\bpin\b|otp/i

type Input = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** Also sends the declared answers of a form of the site to Crosswalk. The form itself works as before. */
export async function watchForm(place: Place, form: HTMLFormElement, formId: string): Promise<void> {
  const definition = await readForm(place, formId)
  let proof: Promise<string> | undefined
  let known = ''
  form.addEventListener('focusin', () => {
    proof ??= solve(definition.challenge)
    void proof.then((solved) => {
      known = solved
    })
  })
  form.addEventListener('submit', () => {
    // The page may be left at once, so nothing can wait here.
    void sendForm(place, definition, { ...answersIn(form, definition), proof: known }).catch(() => undefined)
  })
}

function answersIn(form: HTMLFormElement, { fields }: Definition) {
  const answers: Record<string, unknown> = {}
  for (const { key, type } of fields) {
    const inputs = [...form.elements].filter(
      (element): element is Input => (element as Input).name === key && mayRead(element as Input),
    )
    const values = inputs
      .filter(isChosen)
      .flatMap(valuesOf)
      .filter((value) => value && !isCard(value))
    if (values.length > 0) answers[key] = type === 'multi_select' ? values : values[0]
  }
  const consent = form.elements.namedItem('consent')
  return { answers, consent: consent instanceof HTMLInputElement && consent.checked }
}

const mayRead = ({ type, autocomplete, name, id }: Input) =>
  !secretTypes.test(type) && !secretFill.test(autocomplete) && !secretName.test(`${name} ${id}`)

const isChosen = (input: Input) =>
  !/^(checkbox|radio)$/.test(input.type) || (input as HTMLInputElement).checked

const valuesOf = (input: Input) =>
  input instanceof HTMLSelectElement
    ? Array.from(input.selectedOptions, (option) => option.value)
    : [input.value]

/** Whether a value has 13 to 19 digits that pass the check of payment cards (Luhn). */
function isCard(value: string): boolean {
  const digits = value.replace(/[ .-]/g, '')
  if (!/^\d{13,19}$/.test(digits)) return false
  let sum = 0
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at]) * (at % 2 ? 2 : 1)
    sum += digit > 9 ? digit - 9 : digit
  }
  return sum % 10 === 0
}
