import { z } from 'zod'
import { entityTypes } from '../matching/entity-type.ts'
import { dictionaryOf, nested } from '../platform/http/collections.ts'
import { integer, literal, number, text } from '../platform/http/fields.ts'
import { modes } from './settings.ts'

/** A record type in a request. */
export const entityType = literal(...entityTypes)

const mode = literal(...modes)
// With a threshold of 0, the engine would propose every pair that it compares.
const threshold = () => number({ min: 0.01, max: 1 }).nullable().optional()

const change = nested({
  mode: mode
    .nullable()
    .optional()
    .describe(
      'The action of the engine for duplicates: nothing (`off`), propose (`shadow`) or merge (`auto`). Deals cannot have `auto`.',
    ),
  rules: dictionaryOf(mode.nullable(), { max: 50 })
    .nullable()
    .optional()
    .describe(
      'Modes of single rules that override `mode`. Rules that the request does not name keep their mode; null removes the mode of a rule.',
    ),
  auto_threshold: threshold().describe(
    'Probability (0.01 to 1) from which the engine merges two records even if no rule applies. It must be at least `review_threshold`.',
  ),
  review_threshold: threshold().describe(
    'Probability (0.01 to 1) from which the engine proposes two records.',
  ),
  survivorship: dictionaryOf(text({ max: 50 }).nullable(), { max: 50 })
    .nullable()
    .optional()
    .describe(
      'By field, the policy that decides between two values: `primary`, `furthest_stage`, `min`, `max`, `longest` or `members`. Each field supports some of them; null restores the default.',
    ),
  undo_days: integer({ min: 1, max: 3650 })
    .nullable()
    .optional()
    .describe('For how many days a merge can be undone; null: without limit.'),
})
  .nullable()
  .optional()

export const ChangeDuplicateSettings = z
  .object({ contact: change, company: change, deal: change })
  .meta({ title: 'ChangeDuplicateSettings' })

const settings = z.object({
  mode: z.enum(modes),
  rules: z.record(z.string(), z.enum(modes)).describe('Modes of single rules that override `mode`.'),
  auto_threshold: z.number(),
  review_threshold: z.number(),
  survivorship: z
    .record(z.string(), z.string())
    .describe('By field, a policy that overrides the field’s own policy.'),
  undo_days: z.int().nullable(),
})

export const DuplicateSettings = z
  .object({ contact: settings, company: settings, deal: settings })
  .meta({ title: 'DuplicateSettings' })
