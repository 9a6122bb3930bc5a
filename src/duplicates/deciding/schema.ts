import { z } from 'zod'
import { dictionaryOf, nested } from '../../platform/http/collections.ts'
import { integer, literal, number, text } from '../../platform/http/fields.ts'
import { modes } from '../settings.ts'

const mode = literal(...modes)
// From 0 on, all that is compared would be proposed.
const threshold = () => number({ min: 0.01, max: 1 }).nullable().optional()

const change = nested({
  mode: mode
    .nullable()
    .optional()
    .describe('What becomes of duplicates that are found; deals are never `auto`.'),
  rules: dictionaryOf(mode.nullable(), { max: 50 })
    .nullable()
    .optional()
    .describe(
      'Modes of single rules, where they are not `mode`; those that are named change, null takes one back.',
    ),
  auto_threshold: threshold().describe(
    'Probability (0.01 to 1) from which two are merged without a rule that says so; at least `review_threshold`.',
  ),
  review_threshold: threshold().describe('Probability (0.01 to 1) from which two are proposed.'),
  survivorship: dictionaryOf(text({ max: 50 }).nullable(), { max: 50 })
    .nullable()
    .optional()
    .describe(
      'By field, what decides between two values: `primary`, `furthest_stage`, `min`, `max`, `longest` or `members`, as it fits the field; null takes one back.',
    ),
  undo_days: integer({ min: 1, max: 3650 })
    .nullable()
    .optional()
    .describe('For how many days a merge can be undone; null: for good.'),
})
  .nullable()
  .optional()

export const ChangeDuplicateSettings = z
  .object({ contact: change, company: change, deal: change })
  .meta({ title: 'ChangeDuplicateSettings' })

const settings = z.object({
  mode: z.enum(modes),
  rules: z.record(z.string(), z.enum(modes)).describe('Modes of single rules, where they are not `mode`.'),
  auto_threshold: z.number(),
  review_threshold: z.number(),
  survivorship: z
    .record(z.string(), z.string())
    .describe('By field, where it is not the field’s own policy.'),
  undo_days: z.int().nullable(),
})

export const DuplicateSettings = z
  .object({ contact: settings, company: settings, deal: settings })
  .meta({ title: 'DuplicateSettings' })
