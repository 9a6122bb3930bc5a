import { z } from 'zod'
import { list, nested } from '../../platform/http/collections.ts'
import { id, integer, literal, parsedText, refuse, text } from '../../platform/http/fields.ts'
import * as shown from '../../platform/http/shown.ts'
import { readOrigin } from './origins.ts'

const purposes = ['track', 'identify', 'forms'] as const
/** The purposes of a key whose request names none. They do not include forms, which must be opened to the web deliberately. */
const defaultPurposes: (typeof purposes)[number][] = ['track', 'identify']
const defaultLimits = { events_per_second: 500, events_per_day: 10_000_000 }

const name = text({ min: 1, max: 120, trim: true }).describe('A label of your choice.')

const origin = parsedText(
  (value) =>
    readOrigin(value) ??
    refuse('an origin is a scheme and a host, such as https://www.example.com or https://*.example.com'),
  { maxLength: 300, examples: ['https://www.example.com'] },
)

/** Origins in their normal form, without a description. */
export const originList = list(origin, { max: 50 })

const origins = originList.describe(
  'The sites that may use the key in a browser, such as `https://www.example.com`. `https://*.example.com` is every subdomain of example.com, but not example.com itself. An empty list allows every site.',
)

const purpose = literal(...purposes).meta({ title: 'WriteKeyPurpose' })

const purposeList = list(purpose, { min: 1, max: purposes.length }).describe(
  '`track`: the calls track, page and screen. `identify`: the calls identify, group and alias. `forms`: reads forms and sends them.',
)

const eventsPerSecond = integer({ min: 1, max: 5_000 }).describe('The maximum number of events in a second.')
const eventsPerDay = integer({ min: 1, max: 100_000_000 }).describe(
  'The maximum number of events in a day (UTC).',
)

export const CreateWriteKey = z
  .object({
    name,
    mode: literal('live', 'test')
      .meta({ title: 'Mode' })
      .optional()
      .describe(
        'The mode never changes. By default it is the mode of your API key or session. Reports leave out events of a test key.',
      ),
    origins: origins.default([]),
    purposes: purposeList.default([...defaultPurposes]),
    limits: nested({
      events_per_second: eventsPerSecond.default(defaultLimits.events_per_second),
      events_per_day: eventsPerDay.default(defaultLimits.events_per_day),
    })
      .meta({
        title: 'CreateWriteKeyLimits',
        description: 'The maximum numbers of events that may come with the key.',
      })
      .default(defaultLimits),
  })
  .meta({ title: 'CreateWriteKey' })

export const UpdateWriteKey = z
  .object({
    name: name.optional(),
    origins: origins.optional(),
    purposes: purposeList.optional(),
    limits: nested({
      events_per_second: eventsPerSecond.optional(),
      events_per_day: eventsPerDay.optional(),
    })
      .meta({
        title: 'UpdateWriteKeyLimits',
        description:
          'The maximum numbers of events that may come with the key. A field that you omit keeps its value.',
      })
      .optional(),
  })
  .meta({ title: 'UpdateWriteKey' })

const graceDefault = 604_800

export const RotateWriteKey = z
  .object({
    grace_seconds: integer({ min: 0, max: 7_776_000 })
      .default(graceDefault)
      .describe(
        'For how many seconds the old key is still accepted: by default 7 days, at most 90 days. 0: it is refused at once.',
      ),
  })
  .meta({ title: 'RotateWriteKey' })
  .default({ grace_seconds: graceDefault })

export const WriteKeyPath = z.object({ write_key_id: id().describe('The id of the write key.') })

export const WriteKey = z
  .object({
    write_key_id: shown.id('The id of the write key. A rotation does not change it.'),
    key: shown.text(
      'The key that a web page shows to everybody. It can add events and read nothing.',
      'wk_live_4fQz…',
    ),
    name: shown.text('A label of your choice.', 'www.example.com'),
    mode: shown.mode('The mode of the events that come with the key.'),
    origins: z.array(z.string()).meta({
      description: 'The sites that may use the key in a browser. Empty: every site.',
      examples: [['https://www.example.com']],
    }),
    purposes: z
      .array(shown.word('WriteKeyPurpose', purposes, 'A purpose of the key.'))
      .describe('The calls that the key may make.'),
    limits: z
      .object({
        events_per_second: shown.count(
          'The maximum number of events in a second.',
          defaultLimits.events_per_second,
        ),
        events_per_day: shown.count(
          'The maximum number of events in a day (UTC).',
          defaultLimits.events_per_day,
        ),
      })
      .meta({
        title: 'WriteKeyLimits',
        description: 'The maximum numbers of events that may come with the key.',
      }),
    old_key: z
      .string()
      .nullable()
      .meta({
        description: 'The key before the last rotation, while it is still accepted; null: none.',
        examples: [null],
      }),
    old_key_expires_at: shown.pendingTime('When the old key stops working; null: there is no old key.'),
    last_seen_at: shown.pendingTime('When the last event came with the key; null: no event came.'),
    version: shown.version(),
    created_at: shown.time('When the write key was created.'),
    updated_at: shown.time('When the write key was last changed.'),
  })
  .meta({ title: 'WriteKey' })

export type CreateWriteKey = z.output<typeof CreateWriteKey>
export type UpdateWriteKey = z.output<typeof UpdateWriteKey>
export type WriteKey = z.output<typeof WriteKey>
