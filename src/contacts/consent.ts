import { refuse } from '../platform/http/fields.ts'
import { detailAt, ValidationError } from '../platform/http/validation.ts'
import type { StoredColumns } from '../records/record-type.ts'
import type { ContactFields } from './schema.ts'

const channels = ['email', 'phone'] as const

/** A client's clock may be wrong, and its time zone may be ahead. */
const secondsAheadMax = 24 * 60 * 60

/**
 * The consent columns after a write. Details are sent together with the consent that they explain. A consent that changes
 * without details loses its old ones: they explained another answer.
 * @throws ValidationError for details without a consent that is granted or denied, or with a time in the future
 */
export function applyConsent(before: StoredColumns | null, given: Partial<ContactFields>): StoredColumns {
  const consent = given.consent === null ? { email: 'unknown', phone: 'unknown' } : given.consent
  const details = given.consent_details === null ? { email: null, phone: null } : given.consent_details
  const problems = channels.filter(
    (channel) => details?.[channel] && !['granted', 'denied'].includes(consent?.[channel] ?? ''),
  )
  const latest = Date.now() / 1000 + secondsAheadMax
  const early = channels.filter((channel) => (details?.[channel]?.at ?? 0) > latest)
  if (problems.length + early.length > 0)
    throw new ValidationError([
      ...problems.map((channel) =>
        detailAt(
          ['body', 'consent_details', channel],
          refuse(`details need consent.${channel} in the same request, granted or denied`),
        ),
      ),
      ...early.map((channel) =>
        detailAt(
          ['body', 'consent_details', channel, 'at'],
          refuse(
            'at must not be more than 1 day in the future: it is when the person said so, in Unix seconds',
          ),
        ),
      ),
    ])
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
