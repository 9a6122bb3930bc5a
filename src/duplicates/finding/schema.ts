import { z } from 'zod'
import { id, integer } from '../../platform/http/fields.ts'
import { listQuery } from '../../platform/http/list.ts'
import { entityTypes } from '../entities.ts'
import { Evidence, entityType } from '../schema.ts'

export const ScanRequest = z.object({ entity_type: entityType })

export const ScanQuery = z.object({ entity_type: entityType.optional(), ...listQuery })
export type ScanQuery = z.output<typeof ScanQuery>

export const Scan = z
  .object({
    scan_id: z.string(),
    entity_type: z.enum(entityTypes),
    status: z.enum(['queued', 'running', 'succeeded', 'failed']),
    progress: z.number().describe('0 to 1.'),
    counts: z.object({
      records_read: z.int(),
      pairs_compared: z.int().describe('Pairs that had anything in common.'),
      proposals_opened: z.int(),
      merges_applied: z.int(),
    }),
    error: z.string().nullable().describe('Why it failed.'),
    created_at: z.int(),
    started_at: z.int().nullable(),
    finished_at: z.int().nullable(),
  })
  .meta({ title: 'DuplicateScan' })
export type Scan = z.output<typeof Scan>

export const CandidateQuery = z.object({
  entity_type: entityType,
  record_id: id().describe('A record; of one that was merged, the one that stands for it.'),
  limit: integer({ min: 1, max: 100 }).default(10),
})

export const Candidate = z
  .object({
    record_id: z.string(),
    name: z.string().nullable(),
    score: z.number().describe('Probability that the two are one, 0 to 1.'),
    rule: z.string().nullable().describe('The rule that holds; null: none does.'),
    evidence: z.array(Evidence),
    veto: z
      .string()
      .nullable()
      .describe('What forbids that the two are merged by themselves, or at all, in words.'),
    outcome: z
      .enum(['auto', 'review', 'none'])
      .describe('What the engine does: it merges where the mode is `auto`, it proposes, or it does nothing.'),
    would_apply: z.boolean().describe('Whether mode `auto` would merge the two.'),
    merge_id: z.string().nullable().describe('The open proposal to merge the two.'),
  })
  .meta({ title: 'Candidate' })
export type Candidate = z.output<typeof Candidate>
