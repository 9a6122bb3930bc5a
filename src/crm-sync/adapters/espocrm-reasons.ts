import { membersOf } from '../../platform/members.ts'
import { shorten } from '../../platform/outbound/answers.ts'

export type EspoReply = { status: number; json: unknown; statusReason: string; location: string }

type Members = Readonly<Record<string, unknown>>

const failures: ReadonlyMap<string, string> = new Map([
  ['required', 'is required'],
  ['maxLength', 'is too long'],
  ['valid', 'has a value that it does not allow'],
  ['array', 'has a value that it does not allow'],
  ['pattern', 'does not have the required form'],
  ['emailAddress', 'is not an e-mail address that EspoCRM accepts'],
])

/**
 * The reason in an error answer (Espo\Core\Exceptions\Error\Body; X-Status-Reason).
 * @param fields the definitions that explain a broken rule
 */
export function reasonOf({ status, json, statusReason }: EspoReply, fields: Members = {}): string {
  const translation = membersOf(membersOf(json).messageTranslation)
  const { field, type } = membersOf(translation.data)
  if (typeof field === 'string') {
    const rule = typeof type === 'string' ? type : ''
    const known = ruleOf(rule, membersOf(fields[field])) ?? failures.get(rule) ?? 'has a refused value'
    return shorten(`${field} ${known}${rule === '' ? '' : ` (${rule})`}.`)
  }
  const words = typeof translation.label === 'string' ? translation.label : statusReason
  return shorten(words === '' ? `status ${status}.` : withoutRepetition(words))
}

function ruleOf(type: string, { maxLength, pattern }: Members): string | undefined {
  if (type === 'maxLength' && typeof maxLength === 'number')
    return `is too long: at most ${maxLength} characters`
  // EspoCRM's pattern for names and other short texts: [^<>=]+ (metadata app.regExpPatterns).
  if (type === 'pattern' && pattern === '$noBadCharacters') return 'may not contain <, > or ='
  return undefined
}

/** EspoCRM sometimes repeats a reason in one header. */
function withoutRepetition(words: string): string {
  const half = words.slice(0, words.length / 2).trim()
  return words === `${half} ${half}` ? half : words
}
