import { Refusal } from './refusal.ts'

const canonical = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const withoutHyphens = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/
const groupLengths = [8, 4, 4, 4, 12]

/**
 * Reads a UUID of any version, and returns it in lower case with hyphens. Accepts the forms of Pydantic: with
 * hyphens, 32 hexadecimal digits, `{with hyphens}` and `urn:uuid:with-hyphens`.
 */
export function parseUuid(text: string): string | Refusal {
  if (canonical.test(text)) return text
  const { inner, offset } = unwrapped(text)
  const lower = inner.toLowerCase()
  if (canonical.test(lower)) return lower
  const simple = offset === 0 ? withoutHyphens.exec(lower) : null
  if (simple) return simple.slice(1).join('-')
  const error = complaint(inner, offset)
  return new Refusal('uuid_parsing', `Input should be a valid UUID, ${error}`, { error })
}

function unwrapped(text: string): { inner: string; offset: number } {
  if (text.startsWith('{') && text.endsWith('}') && text.length > 1)
    return { inner: text.slice(1, -1), offset: 1 }
  if (text.startsWith('urn:uuid:')) return { inner: text.slice(9), offset: 9 }
  return { inner: text, offset: 0 }
}

/** Describes the fault in the words of the `uuid` crate, as Pydantic does. */
function complaint(inner: string, offset: number): string {
  const stranger = /[^0-9a-f-]/iu.exec(inner)
  if (stranger) return `invalid character: found \`${stranger[0]}\` at ${stranger.index + offset + 1}`
  const groups = inner.split('-')
  if (groups.length === 1 && offset === 0)
    return `invalid length: expected length 32 for simple format, found ${inner.length}`
  if (groups.length !== groupLengths.length) return `invalid group count: expected 5, found ${groups.length}`
  const wrong = groups.findIndex((group, index) => group.length !== groupLengths[index])
  return `invalid group length in group ${wrong}: expected ${groupLengths[wrong]}, found ${groups[wrong]?.length}`
}
