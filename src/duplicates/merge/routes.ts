import { z } from 'zod'
import { requirePermission } from '../../auth/permissions.ts'
import { takeTurn } from '../../platform/db/turns.ts'
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { exampleId } from '../../platform/http/example-ids.ts'
import { id, refuse } from '../../platform/http/fields.ts'
import { detailAt, ValidationError } from '../../platform/http/validation.ts'
import { Json } from '../../platform/json.ts'
import { reloadRecord } from '../../records/find.ts'
import { recordTypes, resourceOf } from '../entities.ts'
import { answerRefusal, readableTypes } from '../permissions.ts'
import { withDryRun } from './dry-run.ts'
import { listMerges, readMerge, readMergesById } from './list-merges.ts'
import { mergeRecords } from './merge.ts'
import { DryRun, Merge, MergeAnswer, MergeQuery, MergeRequest, UndoAnswer } from './schema.ts'
import { redoMerge, undoMerge } from './undo.ts'

const tag = 'Duplicates'
const params = z.object({
  id: id().meta({ description: 'The `merge_id` of the merge.', examples: [exampleId('merge_id')] }),
})
const mergeNotFound = 'No merge of this organization has this id'

/** @throws ValidationError if a loser is the survivor, or is listed twice */
function requireDistinct({ survivor_id: survivorId, loser_ids: loserIds }: MergeRequest): void {
  const problems = loserIds.flatMap((loserId, index) => {
    const at = (msg: string) => [detailAt(['body', 'loser_ids', index], refuse(msg))]
    if (loserId === survivorId)
      return at('a record cannot be merged with itself: send an id that is not survivor_id')
    return loserIds.indexOf(loserId) < index ? at('this record is listed twice') : []
  })
  if (problems.length > 0) throw new ValidationError(problems)
}

/** The merge of a dry run does not exist, so it cannot be undone. */
const asDryRun = (merge: Merge): Merge => ({ ...merge, can_undo: false, undo_blocked_reason: 'dry_run' })

export const mergeEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/duplicates/recent-merges',
    name: 'list_merges',
    sdk: 'duplicates.merges.list',
    summary: 'List merges, and whether each can be undone',
    description:
      'Newest first, including undone merges; `sort=-score` has the highest score first. The list has only the record types that the API key may read. `can_undo` says whether POST /duplicates/undo-merge/{id} would succeed now.',
    tag,
    permission: 'duplicates:read',
    query: MergeQuery,
    shape: 'page',
    response: z.array(Merge),
    handle: ({ org, caller, context, query }) =>
      // The total counts all merges of the organization.
      takeTurn(caller.payerId, () =>
        listMerges(org, caller, context.cursors, readableTypes(caller, query.entity_type), query),
      ),
  }),
  endpoint({
    method: 'GET',
    path: '/duplicates/merges/{merge_id}',
    name: 'get_merge',
    sdk: 'duplicates.merges.get',
    summary: 'Read a merge or a proposal',
    description:
      'Also reads undone merges and closed proposals. The API key also needs the read permission of the record type.',
    tag,
    permission: 'duplicates:read',
    params: z.object({ merge_id: id().describe('The id of the merge or the proposal.') }),
    shape: 'data',
    response: Merge,
    errors: { 404: mergeNotFound },
    handle: ({ org, caller, params }) =>
      org.read(async (tx) => {
        const merge = await readMerge(tx, caller, params.merge_id)
        requirePermission(caller, `${resourceOf(merge.entity_type)}:read`)
        return merge
      }),
  }),
  endpoint({
    method: 'POST',
    path: '/duplicates/merge',
    name: 'merge_records',
    sdk: 'duplicates.merges.create',
    summary: 'Merge records into one',
    description:
      'All ids then lead to the survivor. Its blank fields are filled, lists are combined, and the stricter consent wins. Each merge can be undone separately; `undo_days` of the settings may limit the time. A dry run changes nothing: `record` shows the result, and the merges in the answer do not exist. The API key also needs the write permission of the record type, such as `contacts:write`.',
    tag,
    permission: 'duplicates:write',
    body: MergeRequest,
    refusesStored: answerRefusal,
    shape: 'data',
    response: MergeAnswer,
    errors: {
      404: 'No record of this organization has one of the ids',
      409: 'A record is archived or already merged, or two records have the verdict "different"',
    },
    example: {
      entity_type: 'contact',
      survivor_id: exampleId('survivor_id'),
      loser_ids: [exampleId('loser_id')],
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
        reason: { method: 'api' as const },
      }
      return org.transact((tx) =>
        withDryRun(tx, body.dry_run, async (locked) => {
          const mergeIds = await mergeRecords(tx, order, context.jobs, locked)
          const read = await readMergesById(tx, caller, mergeIds)
          const merges = body.dry_run ? read.map(asDryRun) : read
          const { json } = await reloadRecord(tx, recordTypes[entityType], survivorId)
          // Insert the record's JSON text: parsing it would lose digits of large numbers.
          const answer = JSON.stringify({
            dry_run: body.dry_run,
            merge_group_id: merges[0]?.merge_group_id,
            merges,
          })
          return new Json(`${answer.slice(0, -1)},"record":${json.text}}`)
        }),
      )
    },
  }),
  endpoint({
    method: 'POST',
    path: '/duplicates/undo-merge/{id}',
    name: 'undo_merge',
    sdk: 'duplicates.merges.undo',
    summary: 'Undo a merge',
    description:
      'Restores the loser as if this merge had never happened. Later edits, later merges and new references stay. The engine never proposes these two records again. The API key also needs the write permission of the record type.',
    tag,
    permission: 'duplicates:write',
    params,
    body: DryRun,
    refusesStored: answerRefusal,
    shape: 'data',
    response: UndoAnswer,
    example: { dry_run: false },
    errors: {
      404: mergeNotFound,
      409: 'The merge cannot be undone now; the text gives the reason, as undo_blocked_reason does in the list',
    },
    handle: ({ org, caller, context, params, body }) =>
      org.transact((tx) =>
        withDryRun(tx, body.dry_run, async (locked) => {
          const undone = await undoMerge(tx, caller, params.id, context.jobs, locked)
          return {
            dry_run: body.dry_run,
            ...(await readMerge(tx, caller, params.id)),
            restored_id: undone.restoredId,
            returned_children: caller.recordAccess ? null : undone.returnedReferrers,
            kept_children: caller.recordAccess ? null : undone.keptReferrers,
            warnings: undone.warnings,
          }
        }),
      ),
  }),
  endpoint({
    method: 'POST',
    path: '/duplicates/redo-merge/{id}',
    name: 'redo_merge',
    sdk: 'duplicates.merges.redo',
    summary: 'Redo an undone merge',
    description:
      'The merge returns to its old place in history. Writes since then stay. The API key also needs the write permission of the record type.',
    tag,
    permission: 'duplicates:write',
    params,
    refusesStored: answerRefusal,
    shape: 'data',
    response: Merge,
    errors: {
      404: mergeNotFound,
      409: 'The merge is not undone, or its loser is archived or merged into another record',
    },
    handle: ({ org, caller, context, params }) =>
      org.transact(async (tx) => {
        await redoMerge(tx, caller, params.id, context.jobs)
        return readMerge(tx, caller, params.id)
      }),
  }),
]
