import { refuse } from '../platform/http/fields.ts'
import { detailAt, ValidationError } from '../platform/http/validation.ts'
import type { StoredColumns } from '../records/record-type.ts'
import type { ContactFields } from './schema.ts'

const channels = ['email', 'phone'] as const

/**
 * The consent columns after a write. Details come with the consent that they explain. A consent that changes without any
 * has none: those of the one before would explain what they were never about.
 * @throws ValidationError for details without a consent that is granted or denied
 */
export function applyConsent(before: StoredColumns | null, given: Partial<ContactFields>): StoredColumns {
  const consent = given.consent === null ? { email: 'unknown', phone: 'unknown' } : given.consent
  const details = given.consent_details === null ? { email: null, phone: null } : given.consent_details
  const problems = channels.filter(
    (channel) => details?.[channel] && !['granted', 'denied'].includes(consent?.[channel] ?? ''),
  )
  if (problems.length > 0)
    throw new ValidationError(
      problems.map((channel) =>
        detailAt(
          ['body', 'consent_details', channel],
          refuse(`details need consent.${channel} in the same request, granted or denied`),
        ),
      ),
    )
  const columns = channels.flatMap((channel) => {
    const [old, oldDetails] = [before?.[`consent_${channel}`], before?.[`consent_${channel}_details`]]
    const state = consent?.[channel] ?? old ?? 'unknown'
    const explained = details?.[channel]
    return [
      [`consent_${channel}`, state],
      [
        `consent_${channel}_details`,
        explained === undefined ? (state === old ? (oldDetails ?? null) : null) : whole(explained),
      ],
    ]
  })
  return Object.fromEntries(columns)
}

type Details = {
  kind?: string | null | undefined
  source?: string | null | undefined
  at?: number | null | undefined
}

/** Details as they are stored: with all members, in the order of jsonb; null if they say nothing. */
function whole(details: Details | null): Record<string, unknown> | null {
  const { kind = null, at = null } = details ?? {}
  const source = details?.source || null
  return kind === null && source === null && at === null ? null : { at, kind, source }
}
