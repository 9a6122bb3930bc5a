import { z } from 'zod'
import { nested } from '../platform/http/collections.ts'
import { literal, refuse, timestamp } from '../platform/http/fields.ts'
import * as shown from '../platform/http/shown.ts'
import { detailAt, ValidationError } from '../platform/http/validation.ts'
import { singleLine } from '../records/fields.ts'
import type { RecordField, RecordWrite, StoredColumns } from '../records/record-type.ts'

const channels = ['email', 'phone'] as const
type Channel = (typeof channels)[number]

const states = ['granted', 'denied', 'unknown'] as const
const kinds = ['written', 'oral', 'implied'] as const

export const consentWord = literal(...states).meta({ title: 'ConsentState' })
const state = consentWord.optional()

const consent = nested({
  email: state.describe('Whether the person agreed to e-mails.'),
  phone: state.describe('Whether the person agreed to phone calls.'),
})
  .meta({ title: 'ChangeConsent' })
  .nullable()
  .optional()
  .describe(
    'Whether the person agreed to be contacted, by channel. If `phone` is `denied`, POST /voice/calls is a 400 for every number of the contact.',
  )

const detailsOfOne = nested({
  kind: literal(...kinds)
    .meta({ title: 'ConsentKind' })
    .nullable()
    .optional()
    .describe('How the person gave or denied consent.'),
  source: singleLine(300).describe('Where the person gave or denied consent: a form, a call, a contract.'),
  at: timestamp().nullable().optional().describe('When the person gave or denied consent, in Unix seconds.'),
})
  .meta({ title: 'ChangeConsentDetails' })
  .nullable()
  .optional()

const details = nested({
  email: detailsOfOne.describe('How the person answered about e-mails; null clears it.'),
  phone: detailsOfOne.describe('How the person answered about phone calls; null clears it.'),
})
  .meta({ title: 'ChangeConsentDetailsByChannel' })
  .nullable()
  .optional()
  .describe(
    'How each consent was given or denied. Send it together with the `consent` of its channel, `granted` or `denied`. It replaces the details of the channel; null clears them. A later change of the consent without details clears them too.',
  )

const shownDetails = z
  .object({
    kind: shown
      .word('ConsentKind', kinds, 'How the person gave or denied consent; null: not known.')
      .nullable(),
    source: shown
      .text('Where the person gave or denied consent; null: not known.', 'Newsletter form')
      .nullable(),
    at: shown.time('When the person gave or denied consent; null: not known.').nullable(),
  })
  .meta({ title: 'ConsentDetails' })
  .nullable()

type Consent = z.output<typeof consent>
type Details = z.output<typeof details>

const consentField: RecordField<Consent> = {
  columns: { consent_email: 'text', consent_phone: 'text' },
  paths: { consent_email: 'consent.email', consent_phone: 'consent.phone' },
  input: consent,
  output: z
    .object({
      email: shown.word('ConsentState', states, 'Whether the person agreed to e-mails.'),
      phone: shown.word('ConsentState', states, 'Whether the person agreed to phone calls.'),
    })
    .meta({ title: 'Consent', description: 'Whether the person agreed to be contacted, by channel.' }),
  wire: {
    object: {
      email: { sql: 'r.consent_email', kind: 'text' },
      phone: { sql: 'r.consent_phone', kind: 'text' },
    },
  },
  policy: 'most_restrictive',
  headers: { consent_email: 'consentemail emailconsent', consent_phone: 'consentphone phoneconsent' },
  apply(columns, sent, { before }) {
    const given = sent === null ? { email: 'unknown', phone: 'unknown' } : sent
    for (const channel of channels)
      columns[`consent_${channel}`] = given?.[channel] ?? before?.[`consent_${channel}`] ?? 'unknown'
  },
}

const detail = (channel: Channel, member: string) => `r.consent_${channel}_details->>'${member}'`

/**
 * Details explain one answer. A change of the consent without new details therefore clears the stored ones.
 */
const detailsField: RecordField<Details> = {
  columns: { consent_email_details: 'jsonb', consent_phone_details: 'jsonb' },
  paths: {
    consent_email_details: 'consent_details.email',
    consent_phone_details: 'consent_details.phone',
  },
  input: details,
  output: z
    .object({
      email: shownDetails.describe('How the person answered about e-mails; null: not known.'),
      phone: shownDetails.describe('How the person answered about phone calls; null: not known.'),
    })
    .meta({ title: 'ConsentDetailsByChannel', description: 'How each consent was given or denied.' }),
  wire: {
    object: {
      email: { sql: 'r.consent_email_details', kind: 'jsonb' },
      phone: { sql: 'r.consent_phone_details', kind: 'jsonb' },
    },
  },
  headers: {
    consent_email_kind: 'consentemailkind emailconsentkind consentemailtype emailconsenttype',
    consent_phone_kind: 'consentphonekind phoneconsentkind consentphonetype phoneconsenttype',
    consent_email_source: 'consentemailsource emailconsentsource',
    consent_phone_source: 'consentphonesource phoneconsentsource',
    consent_email_at: 'consentemailat emailconsentat consentemaildate emailconsentdate',
    consent_phone_at: 'consentphoneat phoneconsentat consentphonedate phoneconsentdate',
  },
  csvColumns: Object.fromEntries(
    channels.flatMap((channel) => [
      [`consent_${channel}_kind`, { sql: detail(channel, 'kind'), kind: 'text' }],
      [`consent_${channel}_source`, { sql: detail(channel, 'source'), kind: 'text' }],
      [`consent_${channel}_at`, { sql: `to_timestamp((${detail(channel, 'at')})::bigint)`, kind: 'seconds' }],
    ]),
  ),
  apply(columns, sent, change) {
    requireExplainable(sent, change.fields.consent as Consent)
    const given = sent === null ? { email: null, phone: null } : sent
    for (const channel of channels)
      columns[`consent_${channel}_details`] = detailsAfter(channel, columns, given?.[channel], change)
  },
}

export const consentFields = { consent: consentField, consent_details: detailsField }

function detailsAfter(
  channel: Channel,
  columns: StoredColumns,
  sent: Explained | undefined,
  { before }: RecordWrite,
): unknown {
  if (sent !== undefined) return whole(sent)
  const isSame = columns[`consent_${channel}`] === before?.[`consent_${channel}`]
  return isSame ? (before?.[`consent_${channel}_details`] ?? null) : null
}

/** How far in the future a time may be: the clock of the client can be wrong, or its time zone can be ahead. */
const secondsAheadMax = 24 * 60 * 60

/** @throws ValidationError for details whose consent is neither granted nor denied, or for a time in the future */
function requireExplainable(sent: Details, consent: Consent): void {
  if (!sent) return
  const latest = Date.now() / 1000 + secondsAheadMax
  const unexplained = channels.filter(
    (channel) => sent[channel] && !['granted', 'denied'].includes(consent?.[channel] ?? ''),
  )
  const early = channels.filter((channel) => (sent[channel]?.at ?? 0) > latest)
  if (unexplained.length + early.length === 0) return
  throw new ValidationError([
    ...unexplained.map((channel) =>
      detailAt(
        ['body', 'consent_details', channel],
        refuse(`details need consent.${channel} in the same request, granted or denied`),
      ),
    ),
    ...early.map((channel) =>
      detailAt(
        ['body', 'consent_details', channel, 'at'],
        refuse(
          'at must not be more than 1 day in the future: it is the time when the person gave or denied consent, in Unix seconds',
        ),
      ),
    ),
  ])
}

type Explained = NonNullable<Details>[Channel]

/** Returns the details in stored form: all fields, in the order of jsonb. null: all are empty. */
function whole(details: Explained): Record<string, unknown> | null {
  const { kind = null, at = null } = details ?? {}
  const source = details?.source || null
  return kind === null && source === null && at === null ? null : { at, kind, source }
}
