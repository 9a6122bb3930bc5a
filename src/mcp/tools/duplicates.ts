import { z } from 'zod'
import { tool } from '../tool.ts'
import { cursor, entityType, id, limit, recordId } from './input.ts'

const read = ['duplicates:read']
const write = ['duplicates:write']

type Rehearsed = {
  merges: { survivor_name: string | null; loser_name: string | null; loser_id: string }[]
  record: object
}

/** A name in quotes, so that it cannot be read as a part of the question. */
const quoted = (name: string): string => JSON.stringify(name.length > 80 ? `${name.slice(0, 79)}…` : name)

export const duplicateTools = [
  tool({
    name: 'find_duplicates',
    title: 'Find duplicates of a record',
    description:
      'Lists records that may be the same as one contact or company, with score, rule and evidence. To answer a waiting proposal, use list_merges and decide_duplicate; to merge records without a proposal, merge_records.',
    kind: 'read',
    scopes: read,
    input: z.object({
      entity_type: entityType,
      record_id: recordId.describe('The record.'),
      limit: limit(50, 20),
      cursor,
    }),
    run: async (query, { call }) => {
      const { data, pagination } = await call('list_duplicate_candidates', { query })
      return { candidates: data, next_cursor: pagination?.next_cursor ?? null }
    },
  }),
  tool({
    name: 'list_merges',
    title: 'List merges and proposals',
    description:
      'Lists merges, newest first. status proposed lists pairs that wait for a decision (decide_duplicate); applied and undone list the past. Send the merge_id to undo_merge.',
    kind: 'read',
    scopes: read,
    input: z.object({
      entity_type: entityType.optional(),
      record_id: recordId.optional().describe('Only merges of this record.'),
      status: z.enum(['proposed', 'applied', 'undone']).default('proposed'),
      min_score: z.number().min(0).max(1).optional(),
      limit: limit(50, 20),
      cursor,
    }),
    run: async ({ status, ...query }, { call }) => {
      const stored = status === 'proposed' ? 'shadow' : status
      const { data, pagination } = await call('list_merges', { query: { ...query, status: stored } })
      return { merges: data, total: pagination?.total, next_cursor: pagination?.next_cursor ?? null }
    },
  }),
  tool({
    name: 'decide_duplicate',
    title: 'Decide a proposed duplicate',
    description:
      'Answers a proposal of list_merges: merge joins the two records, different dismisses the pair so that it is not proposed again. A merge can be undone with undo_merge.',
    kind: 'destructive write',
    scopes: write,
    input: z.object({ merge_id: id('The proposal.'), decision: z.enum(['merge', 'different']) }),
    run: async ({ merge_id, decision }, { call, idempotencyKey }) => {
      const name = decision === 'merge' ? 'apply_shadow_merge' : 'dismiss_shadow_merge'
      return (await call(name, { params: { id: merge_id }, idempotencyKey })).data
    },
  }),
  tool({
    name: 'merge_records',
    title: 'Merge records',
    description:
      'Merges up to 20 records of one type into a survivor, which gets their data. field_choices names the record whose value a field takes. A person must confirm the merge. undo_merge can undo each merge.',
    kind: 'destructive write',
    scopes: write,
    input: z.object({
      entity_type: entityType,
      survivor_id: recordId.describe('The record that remains.'),
      loser_ids: z.array(recordId).min(1).max(20).describe('The records that are merged into it.'),
      field_choices: z
        .record(z.string(), z.string())
        .optional()
        .describe('For each field, the id of the record whose value the survivor takes.'),
    }),
    confirm: async (body, { call }) => {
      const { data } = await call<Rehearsed>('merge_records', { body: { ...body, dry_run: true } })
      const names = data.merges.map((merge) => merge.loser_name ?? merge.loser_id)
      const survivor = data.merges[0]?.survivor_name ?? body.survivor_id
      return {
        question: `Merge ${names.map(quoted).join(', ')} into ${quoted(survivor)}?`,
        facts: { merges: data.merges, result: data.record },
        isOutside: false,
      }
    },
    run: async (body, { call, idempotencyKey }) =>
      (await call('merge_records', { body, idempotencyKey })).data,
  }),
  tool({
    name: 'undo_merge',
    title: 'Undo or redo a merge',
    description:
      'Undoes a merge: both records become as they would be without it, and later changes stay. redo: true merges them again. The merge_id comes from list_merges or get_record.',
    kind: 'write',
    scopes: write,
    input: z.object({ merge_id: id('The merge.'), redo: z.boolean().default(false) }),
    run: async ({ merge_id, redo }, { call, idempotencyKey }) => {
      const name = redo ? 'redo_merge' : 'undo_merge'
      return (await call(name, { params: { id: merge_id }, idempotencyKey })).data
    },
  }),
]
