import { encodingNamed } from '../csv/encoding.ts'
import { refuse } from '../platform/http/fields.ts'
import { detailAt, ValidationError } from '../platform/http/validation.ts'

/** The content types of the files that an import reads. */
export const fileTypes = [
  'text/csv',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
] as const

/**
 * The parameter `encoding`, or the `charset` of the content type; undefined without both.
 * @throws ValidationError if the charset is unknown
 */
export function requestedEncoding(
  parameter: string | undefined,
  charset: string | undefined,
): string | undefined {
  if (parameter !== undefined || charset === undefined) return parameter
  const encoding = encodingNamed(charset)
  if (encoding !== null) return encoding
  const why = refuse('its charset is not a known encoding, such as utf-8, windows-1252 or iso-8859-1')
  throw new ValidationError([detailAt(['header', 'content-type'], why)])
}
