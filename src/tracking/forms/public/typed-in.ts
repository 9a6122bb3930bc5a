import { invalid } from '../../../platform/domain-error.ts'
import type { FormDefinition } from '../schema.ts'
import type { TypedValues } from './page.ts'

/** Pages of other authors may send members that no field reads. */
const othersMax = 1_000
const ampersand = 38

/**
 * Reads what a page sent. A stranger can send tens of thousands of members, which would take 12 ms to parse.
 * @throws DomainError invalid for many more members than the form has fields and options
 */
export function typedIn(body: unknown, { fields }: Pick<FormDefinition, 'fields'>): TypedValues {
  const typed = new Map<string, string[]>()
  if (!Buffer.isBuffer(body)) return typed
  const max = othersMax + fields.reduce((sum, { options }) => sum + options.length, 0)
  let members = 1
  for (const byte of body) if (byte === ampersand) members++
  if (members > max) throw invalid('malformed_request', `The form may have at most ${max} members`)
  for (const [name, value] of new URLSearchParams(body.toString())) {
    const values = typed.get(name)
    if (values) values.push(value)
    else typed.set(name, [value])
  }
  return typed
}
