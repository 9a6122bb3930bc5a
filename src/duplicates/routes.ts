import { z } from 'zod'
import { requirePermission } from '../auth/permissions.ts'
import type { Tx } from '../platform/db/tx.ts'
import { type Endpoint, endpoint } from '../platform/http/endpoint.ts'
import { id, refuse } from '../platform/http/fields.ts'
import { detailAt, ValidationError } from '../platform/http/validation.ts'
import { Json } from '../platform/json.ts'
import { reloadRecord } from '../records/find.ts'
import { decidingEndpoints } from './deciding/routes.ts'
import { recordTypes, resourceOf } from './entities.ts'
import { findingEndpoints } from './finding/routes.ts'
import { mergeRecords } from './merge.ts'
import { listMerges, shownMerges } from './recent.ts'
import { kindsToSee, refusalToSee } from './refusals.ts'
import { DryRun, Merge, MergeAnswer, MergeQuery, MergeRequest, UndoAnswer } from './schema.ts'
import { redoMerge, undoMerge } from './undo.ts'

const tag = 'Duplicates'
const params = z.object({ id: id() })
const unknownMerge = 'No merge of this organization has this id'

/**
 * What would be: undoes everything that `work` did, whatever transaction it is part of. `work` calls `locked` once
 * it has locked its records, and before it writes: they stay locked, so that who erases one finds the answer kept.
 */
async function tryOut<Result>(
  tx: Tx,
  dryRun: boolean,
  work: (locked: () => Promise<unknown>) => Promise<Result>,
): Promise<Result> {
  if (!dryRun) return work(async () => {})
  const result = await work(() => tx.run({ text: 'savepoint dry_run', values: [] }))
  await tx.run({ text: 'rollback to savepoint dry_run', values: [] })
  return result
}

/** @throws ValidationError for a record that is to be merged with itself, or is named twice */
function requireDistinct({ survivor_id: survivorId, loser_ids: loserIds }: MergeRequest): void {
  const problems = loserIds.flatMap((loserId, index) => {
    const at = (msg: string) => [detailAt(['body', 'loser_ids', index], refuse(msg))]
    if (loserId === survivorId)
      return at('a record cannot be merged with itself: name another one than survivor_id')
    return loserIds.indexOf(loserId) < index ? at('this record is named twice') : []
  })
  if (problems.length > 0) throw new ValidationError(problems)
}

export const duplicateEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/duplicates/recent-merges',
    name: 'list_merges',
    summary: 'List merges, and whether each can be undone',
    description:
      'Newest first, undone ones too; of the kinds of records that the key may read. `can_undo` tells what POST /duplicates/undo-merge/{id} would answer now.',
    tag,
    permission: 'duplicates:read',
    query: MergeQuery,
    shape: 'page',
    response: z.array(Merge),
    handle: ({ org, caller, context, query }) =>
      listMerges(org, caller, context.cursors, kindsToSee(caller, query.entity_type), query),
  }),
  endpoint({
    method: 'POST',
    path: '/duplicates/merge',
    name: 'merge_records',
    summary: 'Merge records into one',
    description:
      'The survivor stands for all of them, under all of their ids; blanks are filled, lists come together, the stricter consent holds. Every merge can be undone by itself, whatever happens since. With dry_run nothing changes, and `record` is what would be.',
    tag,
    permission: 'duplicates:write',
    body: MergeRequest,
    refusesKept: refusalToSee,
    shape: 'data',
    response: MergeAnswer,
    errors: {
      404: 'No record of this organization has one of the ids',
      409: 'One of them is archived or merged already, or two were said to be different',
    },
    example: {
      entity_type: 'contact',
      survivor_id: '0190a3c4-0000-7000-8000-000000000001',
      loser_ids: ['0190a3c4-0000-7000-8000-000000000002'],
      dry_run: true,
    },
    handle: ({ org, caller, context, body }) => {
      const { entity_type: entityType, survivor_id: survivorId, loser_ids: loserIds } = body
      requirePermission(caller, `${resourceOf(entityType)}:write`)
      requireDistinct(body)
      const order = {
        entityType,
        survivorId,
        loserIds,
        choices: body.field_choices,
        force: body.force,
        why: { method: 'api' as const },
      }
      return org.transact((tx) =>
        tryOut(tx, body.dry_run, async (locked) => {
          const mergeIds = await mergeRecords(tx, caller, order, context.jobs, locked)
          const merges = await shownMerges(tx, caller, mergeIds)
          const { json } = await reloadRecord(tx, org.orgId, recordTypes[entityType], survivorId)
          const { merge_group_id } = merges[0]!
          // The record goes out as it is: parsing it would lose digits of what it holds.
          return new Json(`${JSON.stringify({ merge_group_id, merges }).slice(0, -1)},"record":${json.text}}`)
        }),
      )
    },
  }),
  endpoint({
    method: 'POST',
    path: '/duplicates/undo-merge/{id}',
    name: 'undo_merge',
    summary: 'Undo a merge',
    description:
      'As if it had never been: later edits, later merges and new children stay where they belong. The two are never proposed again.',
    tag,
    permission: 'duplicates:write',
    params,
    body: DryRun,
    refusesKept: refusalToSee,
    shape: 'data',
    response: UndoAnswer,
    example: { dry_run: false },
    errors: {
      404: unknownMerge,
      409: 'It cannot be undone now; the text says why, as undo_blocked_reason does in the list',
    },
    handle: ({ org, caller, context, params, body }) =>
      org.transact((tx) =>
        tryOut(tx, body.dry_run, async (locked) => {
          const { restoredId, returnedChildren, keptChildren, warnings } = await undoMerge(
            tx,
            caller,
            params.id,
            context.jobs,
            locked,
          )
          const [merge] = await shownMerges(tx, caller, [params.id])
          return {
            ...merge!,
            restored_id: restoredId,
            returned_children: returnedChildren,
            kept_children: keptChildren,
            warnings,
          }
        }),
      ),
  }),
  endpoint({
    method: 'POST',
    path: '/duplicates/redo-merge/{id}',
    name: 'redo_merge',
    summary: 'Bring back a merge that was undone',
    description: 'At its old place in history: what was written since stands.',
    tag,
    permission: 'duplicates:write',
    params,
    refusesKept: refusalToSee,
    shape: 'data',
    response: Merge,
    errors: {
      404: unknownMerge,
      409: 'It is not undone, or its loser is archived or was merged into another',
    },
    handle: ({ org, caller, context, params }) =>
      org.transact(async (tx) => {
        await redoMerge(tx, caller, params.id, context.jobs)
        const [merge] = await shownMerges(tx, caller, [params.id])
        return merge!
      }),
  }),
  ...decidingEndpoints,
  ...findingEndpoints,
]
