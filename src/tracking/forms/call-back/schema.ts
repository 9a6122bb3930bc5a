import { z } from 'zod'
import { id, literal, strictBoolean } from '../../../platform/http/fields.ts'
import { listQuery } from '../../../platform/http/list.ts'
import * as shown from '../../../platform/http/shown.ts'
import { timezone } from '../../../platform/http/timezone.ts'
import { numberFilter } from '../../../voice/number-filter.ts'
import { reasons } from './reasons.ts'

const statuses = ['waiting', 'scheduled', 'called', 'declined', 'refused', 'expired'] as const

export const RequestPath = z.object({ request_id: id().describe('The id of the request.') })

export const RequestQuery = z.object({
  ...listQuery,
  status: literal(...statuses)
    .meta({ title: 'CallBackRequestStatus' })
    .optional()
    .describe('Only requests with this status.'),
  form_id: id().optional().describe('Only requests of this form.'),
  number: numberFilter.optional().describe('Only requests for this number, in E.164.'),
  mode: literal('live', 'test').meta({ title: 'Mode' }).optional().describe('Only requests of this mode.'),
})

export const CallBackRequest = z
  .object({
    request_id: shown.id('The id of the request.'),
    form_id: shown.id('The form.'),
    form_name: shown.text('The name of the form.', 'Call me back'),
    form_version: shown.count(
      'The version of the form that the person saw, with the text of the consent.',
      3,
    ),
    submission_id: shown.id('The submission of the form.'),
    contact_id: shown.id('The own contact of the visitor; null: none.').nullable(),
    mode: shown.mode('Requests of test mode are called by the simulator.'),
    status: shown.word(
      'CallBackRequestStatus',
      statuses,
      '`waiting` for a person; `scheduled`: Crosswalk calls by itself at `call_at`; `called`: the only attempt was made; `declined` by a person; `refused` by a limit or an objection; `expired` after 7 days.',
    ),
    reason: shown
      .word(
        'CallBackReason',
        reasons,
        'Why it is refused, or why it waits although the form calls by itself.',
      )
      .nullable()
      .meta({
        description: 'Why it is refused, or why it waits although the form calls by itself; null: no reason.',
        examples: [null],
      }),
    number: shown.text('The number to call, in E.164.', '+12025550100'),
    country: shown.text('The country of the number.', 'US'),
    automatic: shown.flag('Whether the form scheduled the call, without a person.'),
    call_at: shown.time('When Crosswalk calls by itself; null: it does not.').nullable(),
    call_id: shown.id('The call; null: none yet.').nullable(),
    api_key_id: shown.id('The API key that approved or declined it; null: none.').nullable(),
    member_id: shown.id('The member who approved or declined it; null: none.').nullable(),
    decided_at: shown.time('When it was approved or declined; null: not yet.').nullable(),
    created_at: shown.time('When the person sent the form.'),
  })
  .meta({ title: 'CallBackRequest' })

export const ApproveRequest = z
  .object({
    timezone: timezone
      .nullable()
      .optional()
      .describe(
        'The time zone of the person, if you know it. By default, the hours must be open in all time zones of the country.',
      ),
  })
  .meta({ title: 'ApproveCallBackRequest' })
  .default({})

export const DeclineRequest = z
  .object({
    suppress: strictBoolean()
      .default(false)
      .describe('true: the number also gets onto the suppression list, so that nobody calls it.'),
  })
  .meta({ title: 'DeclineCallBackRequest' })
  .default({ suppress: false })

export type RequestQuery = z.output<typeof RequestQuery>
export type CallBackRequest = z.output<typeof CallBackRequest>
