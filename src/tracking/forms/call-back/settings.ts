import { z } from 'zod'
import { country } from '../../../orgs/schema.ts'
import { list, nested } from '../../../platform/http/collections.ts'
import { id, integer, literal, text } from '../../../platform/http/fields.ts'
import * as shown from '../../../platform/http/shown.ts'
import { CallingHours, callingHours } from '../../../voice/schema.ts'

const approvals = ['manual', 'automatic'] as const

const about = {
  approval:
    '`manual`: each request waits for a person. `automatic`: Crosswalk calls by itself if all conditions are met; other requests wait for a person.',
  countries: 'The countries whose numbers may be called, as in ISO 3166-1.',
  hours: 'When people are called, by their clock, in each time zone of the country of their number.',
  persona: 'The persona that speaks; null: none.',
  from: 'The number of the organization that calls; null: its only number.',
  instructions: 'Instructions for these calls; null: none.',
  limit: 'The maximum number of automatic calls of this form in 24 hours.',
  whole: 'People who send the form ask for a call; null: the form asks for no call.',
}

/** What a form with calls needs: fields of the same form, and settings for voice. */
export const callBackInput = nested({
  approval: literal(...approvals)
    .meta({ title: 'CallBackApproval' })
    .default('manual')
    .describe(about.approval),
  countries: list(country, { min: 1, max: 50 }).describe(about.countries),
  hours: callingHours.default({ start: '09:00', end: '18:00' }).describe(about.hours),
  persona_id: id().nullable().default(null).describe(about.persona),
  from_number: text({ min: 1, max: 250 }).nullable().default(null).describe(about.from),
  instructions: text({ min: 1, max: 5_000, trim: true })
    .nullable()
    .default(null)
    .describe(about.instructions),
  daily_limit: integer({ min: 1, max: 200 }).default(20).describe(about.limit),
})
  .meta({ title: 'CreateFormCallBack' })
  .nullable()
  .describe(
    `${about.whole} It needs \`voice:write\`, one required field of the type \`phone\`, and a required consent for the channel \`phone\`.`,
  )

export const shownCallBack = z
  .object({
    approval: shown.word('CallBackApproval', approvals, about.approval),
    countries: z.array(z.string()).meta({ description: about.countries, examples: [['US']] }),
    hours: CallingHours.describe(about.hours),
    persona_id: shown.id(about.persona).nullable(),
    from_number: shown.text(about.from, '+14155550100').nullable(),
    instructions: shown.text(about.instructions, 'Ask what they need, and offer a demo.').nullable(),
    daily_limit: shown.count(about.limit, 20),
  })
  .meta({ title: 'FormCallBack' })
  .nullable()
  .describe(about.whole)

/** How a form calls the people who send it. */
export type CallBack = NonNullable<z.output<typeof shownCallBack>>
