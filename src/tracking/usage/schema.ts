import { z } from 'zod'
import { id, literal } from '../../platform/http/fields.ts'
import * as shown from '../../platform/http/shown.ts'
import { timeSteps } from '../../platform/http/time-steps.ts'
import { dropReasons } from '../wire/event.ts'
import { refusedCodes } from '../wire/refused.ts'

export const outcomes = ['accepted', 'duplicate', 'bot', 'dropped', 'refused'] as const

export type Outcome = (typeof outcomes)[number]

export const TrackingUsageQuery = z.object({
  ...timeSteps,
  mode: literal('live', 'test')
    .meta({ title: 'Mode' })
    .optional()
    .describe('By default the mode of your API key or session.'),
  write_key_id: id().optional().describe('Only events that came with this write key.'),
})

const meanings =
  '`accepted`: stored events. `duplicate`: events that were stored already. `bot`: events of bots. `dropped`: bad events. `refused`: requests that were refused as a whole.'

const counts = z
  .object({
    accepted: shown.count('Stored events.', 120),
    duplicate: shown.count('Events that were stored already.', 3),
    bot: shown.count('Events of bots.', 0),
    dropped: shown.count('Bad events.', 2),
    refused: shown.count('Requests that were refused as a whole.', 0),
  })
  .meta({ title: 'TrackingCounts', description: 'The numbers of the whole range.' })

const sample = z
  .object({
    at: shown.time('When the event or request was received.'),
    write_key_id: shown.id('The write key; null: an API key.').nullable(),
    type: shown
      .text('The call of the event; `other`: no call has this name; null: not known.', 'track')
      .nullable(),
    name: shown.text('The name that the event has; null: none.', 'Signed Up').nullable(),
    library: shown
      .text('The client and its version; null: unknown.', 'analytics.js npm:next-1.84.3')
      .nullable(),
    origin: shown
      .text('The site whose browser sent it; null: not a browser.', 'https://www.example.com')
      .nullable(),
  })
  .meta({
    title: 'TrackingSample',
    description: 'The last event or request that was not stored. It has no ids, properties or addresses.',
  })

const problem = z
  .object({
    outcome: shown.word(
      'TrackingProblemOutcome',
      ['dropped', 'refused'],
      '`dropped`: `n` counts events. `refused`: `n` counts requests.',
    ),
    reason: shown.word(
      'TrackingProblemReason',
      [...dropReasons, ...refusedCodes],
      'The reason. For a refused request, the code of the answer.',
      'no_id',
    ),
    n: shown.count('The number in the whole range.', 2),
    hint: shown.text('The advice about this problem.', 'Send `anonymousId` or `userId` with each event.'),
    sample: sample.nullable().describe('The last event or request of this kind; null: none is stored.'),
  })
  .meta({ title: 'TrackingProblem' })

export const TrackingUsage = z
  .object({
    totals: counts,
    series: z
      .array(
        z
          .object({
            name: shown.word('TrackingUsageSeriesName', outcomes, meanings),
            points: z.array(z.array(z.int())).meta({
              description:
                'A pair for each step, the oldest first: the beginning of the step in Unix seconds, and the number.',
              examples: [[[1790000000 - (1790000000 % 3600), 120]]],
            }),
          })
          .meta({ title: 'TrackingUsageSeries' }),
      )
      .describe('All series have the same steps.'),
    write_keys: z
      .array(
        z
          .object({
            write_key_id: shown.id('The write key; null: all API keys together.').nullable(),
            name: shown
              .text(
                'The name of the write key; null: it is deleted, or an API key sent the events.',
                'www.example.com',
              )
              .nullable(),
            counts,
          })
          .meta({ title: 'TrackingUsageOfKey' }),
      )
      .describe('The numbers of each key that was used. Keys with the most accepted events come first.'),
    problems: z
      .array(problem)
      .describe('The reasons of dropped events and refused requests, the most frequent first.'),
  })
  .meta({ title: 'TrackingUsage' })

export type TrackingUsageQuery = z.output<typeof TrackingUsageQuery>
export type TrackingUsage = z.output<typeof TrackingUsage>
