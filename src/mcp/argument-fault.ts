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
  if (issue.code !== 'unrecognized_keys') return undefined
  const unknown = issue.keys.map((key) => JSON.stringify(key)).join(', ')
  return `there is no ${unknown}; the schema of the tool lists the names`
}
