import { z } from 'zod'
import type { Org } from '../platform/db/org.ts'
import { type Job, type JobRun, job } from '../platform/jobs/job.ts'
import { runTurn } from '../platform/jobs/run-turn.ts'
import { readFieldOverviews } from '../records/defined-fields/definition.ts'
import { ImportEnded, load } from './load.ts'
import { piecesOf } from './pieces.ts'
import { failImport, finishImport, type ImportTask, startImport } from './progress.ts'
import { failRevert, revertedType, revertNext, revertPlace, revertStart } from './revert.ts'
import type { ImportError } from './schema.ts'
import { openTable, UnusableFile, unusableFileError } from './table.ts'

const importPayload = z.object({ org_id: z.string(), import_id: z.string() })
type ImportPayload = z.output<typeof importPayload>
const revertPayload = importPayload.extend({
  api_key_id: z.string().nullable(),
  member_id: z.string().nullable().default(null),
  mode: z.enum(['live', 'test']),
  // Where this turn begins. The first turn has no place.
  place: revertPlace.optional(),
})

const failedRepeatedly: ImportError = {
  code: 'internal_error',
  message:
    'The import failed repeatedly. The records that it created still exist; the import can be reverted. The server’s log says why it failed.',
}

/** Imports an uploaded file in turns. Each turn, or a retry after a crash, continues with the lots that are not stored yet. */
export const importRecords: Job<ImportPayload> = job({
  name: 'import_records',
  payload: importPayload,
  orgId: ({ org_id: orgId }) => orgId,
  run: async ({ payload, org: orgOf, signal, nextTurn }) => {
    const started = await start(payload, orgOf)
    if (!started) return
    const { org, type, mapping, matchOn, encoding } = started
    const importId = payload.import_id
    try {
      const defined = await org.read((tx) => readFieldOverviews(tx, type.entity))
      const options = { mapping, matchOn, encoding, owner: org.payerId, defined }
      const table = await openTable(piecesOf(org, importId), type, options)
      const { isWhole } = await load({ ...started, importId, table, signal, inTurns: true })
      if (!isWhole) return nextTurn(payload)
      await org.transact((tx) => finishImport(tx, importId))
    } catch (error) {
      if (error instanceof ImportEnded) return
      if (!(error instanceof UnusableFile)) throw error
      await org.transact((tx) => failImport(tx, importId, unusableFileError(error)))
    }
  },
  abandoned: async ({ payload, org }) => {
    const started = await start(payload, org)
    await started?.org.transact((tx) => failImport(tx, payload.import_id, failedRepeatedly))
  },
})

/** Returns the work that an unfinished import still has, and an `Org` that acts as the sender of the file. */
async function start(
  { org_id: orgId, import_id: importId }: ImportPayload,
  orgOf: JobRun<ImportPayload>['org'],
): Promise<(ImportTask & { org: Org }) | null> {
  const task = await orgOf(orgId).transact((tx) => startImport(tx, importId))
  return task && { ...task, org: orgOf(orgId, task.actor) }
}

/** Reverts an import in turns of a second. Events name the API key or member that asked for this. */
export const revertImport: Job<z.output<typeof revertPayload>> = job({
  name: 'revert_import',
  payload: revertPayload,
  orgId: ({ org_id: orgId }) => orgId,
  run: async (work) => {
    const { payload } = work
    const { org_id: orgId, import_id: importId, mode } = payload
    const org = work.org(orgId, { mode, apiKeyId: payload.api_key_id, memberId: payload.member_id })
    const type = await org.read((tx) => revertedType(tx, importId))
    if (type === null) return
    let place = payload.place ?? revertStart
    const step = async () => {
      const next = await revertNext(org, type, importId, place)
      if (next !== null) place = next
      return next === null
    }
    await runTurn(work, step, () => ({ ...payload, place }))
  },
  abandoned: async ({ payload: { org_id: orgId, import_id: importId }, context }) => {
    await context.database.org(orgId).transact((tx) => failRevert(tx, importId))
  },
})
