import { z } from 'zod'
import { entityTypes } from '../matching/entity-type.ts'
import { dictionaryOf, nested } from '../platform/http/collections.ts'
import { integer, literal, number, text } from '../platform/http/fields.ts'
import * as shown from '../platform/http/shown.ts'
import { engineModes } from './settings.ts'

export const entityType = literal(...entityTypes).meta({
  title: 'EntityType',
  description: 'The type of the records.',
})

const mode = literal(...engineModes).meta({ title: 'DuplicateMode' })
// With a threshold of 0, the engine would propose every compared pair.
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
    'The lowest probability (0.01 to 1) at which the engine merges two records even if no rule applies. It must be at least `review_threshold`.',
  ),
  review_threshold: threshold().describe(
    'The lowest probability (0.01 to 1) at which the engine proposes two records that no rule finds. A rule proposes its records at any score.',
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
    .describe('For how many days a merge can be undone; null: no limit.'),
})
  .meta({ title: 'ChangeDuplicateRules' })
  .nullable()
  .optional()

export const ChangeDuplicateSettings = z
  .object({
    contact: change.describe('The settings for contacts; only the fields that you send change.'),
    company: change.describe('The settings for companies; only the fields that you send change.'),
    deal: change.describe('The settings for deals; only the fields that you send change.'),
  })
  .meta({ title: 'ChangeDuplicateSettings' })

const ruleMode = z.enum(engineModes).meta({ title: 'DuplicateMode' })

const settings = z
  .object({
    mode: shown.word(
      'DuplicateMode',
      engineModes,
      'The action of the engine for duplicates: nothing (`off`), propose (`shadow`) or merge (`auto`).',
      'shadow',
    ),
    rules: z.record(z.string(), ruleMode).meta({
      description: 'Modes of single rules that override `mode`.',
      examples: [{ same_email: 'auto' }],
    }),
    auto_threshold: z.number().meta({
      description:
        'The lowest probability (0 to 1) at which the engine merges two records even if no rule applies.',
      examples: [0.99],
    }),
    review_threshold: z.number().meta({
      description: 'The lowest probability (0 to 1) at which the engine proposes two records.',
      examples: [0.9],
    }),
    survivorship: z.record(z.string(), z.string()).meta({
      description: 'By field, a policy that overrides the field’s own policy.',
      examples: [{ job_title: 'longest' }],
    }),
    undo_days: shown.count('For how many days a merge can be undone; null: no limit.', 90).nullable(),
  })
  .meta({ title: 'DuplicateRules' })

export const DuplicateSettings = z
  .object({
    contact: settings.describe('The settings for contacts.'),
    company: settings.describe('The settings for companies.'),
    deal: settings.describe('The settings for deals.'),
  })
  .meta({ title: 'DuplicateSettings' })
