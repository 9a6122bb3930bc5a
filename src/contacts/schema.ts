import { z } from 'zod'
import { list, nested } from '../platform/http/collections.ts'
import { id, literal, timestamp } from '../platform/http/fields.ts'
import { commonAnswer, commonFields, email, line, profileAnswer, profileFields } from '../records/fields.ts'
import { phone } from '../records/phones.ts'

export const lifecycleStages = [
  'subscriber',
  'lead',
  'qualified',
  'opportunity',
  'customer',
  'other',
] as const

const consent = literal('granted', 'denied', 'unknown').optional()

export const consentKinds = ['written', 'oral', 'implied'] as const

const consentDetails = nested({
  kind: literal(...consentKinds)
    .nullable()
    .optional()
    .describe('How the person gave or denied consent.'),
  source: line(300).describe('Where the person did so: a form, a call, a contract.'),
  at: timestamp().nullable().optional().describe('Unix seconds: when the person did so.'),
})
  .nullable()
  .optional()

/** What a writer may send of a contact; null clears. */
export const ContactFields = z
  .object({
    email: email.nullable().optional().describe('The primary address; joins `emails`.'),
    emails: list(email, { max: 50 }).nullable().optional().describe('All addresses, the primary one first.'),
    phone: phone.nullable().optional().describe('The primary number; stored in E.164.'),
    phones: list(phone, { max: 50 }).nullable().optional().describe('All numbers, the primary one first.'),
    first_name: line(200),
    last_name: line(200),
    company_id: id().nullable().optional(),
    company_name: line(300).describe('Free text, independent of `company_id`.'),
    job_title: line(300),
    lifecycle_stage: literal(...lifecycleStages)
      .nullable()
      .optional(),
    consent: nested({ email: consent, phone: consent })
      .nullable()
      .optional()
      .describe(
        'Whether the person agreed to be contacted, by channel. If `phone` is `denied`, POST /voice/calls is a 400 for every number of the contact.',
      ),
    consent_details: nested({ email: consentDetails, phone: consentDetails })
      .nullable()
      .optional()
      .describe(
        'How each consent was given or denied. Send it together with the `consent` of its channel, `granted` or `denied`. It replaces the details of the channel; null clears them. A later change of the consent without details clears them too.',
      ),
    ...profileFields,
    ...commonFields,
  })
  .meta({ title: 'ContactFields' })
export type ContactFields = z.output<typeof ContactFields>

const shownDetails = z
  .object({
    kind: z.enum(consentKinds).nullable(),
    source: z.string().nullable(),
    at: z.int().nullable().describe('Unix seconds.'),
  })
  .nullable()

export const Contact = z
  .object({
    contact_id: z.string(),
    email: z.string().nullable(),
    emails: z.array(z.string()),
    phone: z.string().nullable(),
    phones: z.array(z.string()),
    phone_raw: z.string().nullable().describe('A phone number that an import could not read.'),
    first_name: z.string().nullable(),
    last_name: z.string().nullable(),
    company_id: z.string().nullable(),
    company_name: z.string().nullable(),
    job_title: z.string().nullable(),
    lifecycle_stage: z.enum(lifecycleStages).nullable(),
    consent: z.object({
      email: z.enum(['granted', 'denied', 'unknown']),
      phone: z.enum(['granted', 'denied', 'unknown']),
    }),
    consent_details: z
      .object({ email: shownDetails, phone: shownDetails })
      .describe('How each consent was given or denied; null: not known.'),
    ...profileAnswer,
    ...commonAnswer,
  })
  .meta({ title: 'Contact' })
