import type { z } from 'zod'

const kinds: Readonly<Record<string, string>> = {
  ...{ string: 'a text', number: 'a number', int: 'a whole number', boolean: 'true or false' },
  ...{ array: 'a list', object: 'an object', record: 'an object' },
}

/** What a model should send instead of a wrong argument. Zod itself only calls a missing argument an invalid one. */
export const argumentFault: z.core.$ZodErrorMap = (issue) => {
  const isMissing = issue.input === undefined ? 'it is missing; ' : ''
  if (issue.code === 'invalid_type') return `${isMissing}send ${kinds[issue.expected] ?? issue.expected}`
  if (issue.code === 'invalid_value')
    return `${isMissing}send ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`
  // This text is for mailbox_id, the only union in the arguments of the tools.
  if (issue.code === 'invalid_union') return 'send a whole number or a text'
  if (issue.code === 'too_small') return `send at least ${amount(issue.minimum, issue.origin)}`
  if (issue.code === 'too_big') return `send at most ${amount(issue.maximum, issue.origin)}`
  if (issue.code !== 'unrecognized_keys') return undefined
  const unknown = issue.keys.map((key) => JSON.stringify(key)).join(', ')
  return `there is no ${unknown}; the schema of the tool lists the names`
}

/** "50" for a number, "1 character" for a text, and "50 items" for a list. */
function amount(bound: number | bigint, origin: string): string {
  const unit = { string: 'character', array: 'item' }[origin]
  return unit ? `${bound} ${unit}${bound === 1 ? '' : 's'}` : String(bound)
}
