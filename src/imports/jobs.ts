import { z } from 'zod'
import { type Job, job } from '../platform/jobs/job.ts'
import { load, Superseded } from './load.ts'
import { piecesOf } from './pieces.ts'
import { endImport, startWork } from './progress.ts'
import { giveUpRevert, revertRecords, startRevert } from './revert.ts'
import { openTable, Unusable, unusable } from './table.ts'

const importPayload = z.object({ org_id: z.string(), import_id: z.string() })
const revertPayload = importPayload.extend({
  api_key_id: z.string().nullable(),
  mode: z.enum(['live', 'test']),
})

/** Imports an uploaded file; started again after a crash, it goes on where it was. */
export const importRecords: Job<z.output<typeof importPayload>> = job({
  name: 'import_records',
  payload: importPayload,
  orgId: ({ org_id: orgId }) => orgId,
  run: async ({ payload: { org_id: orgId, import_id: importId }, context, signal }) => {
    const org = context.database.org(orgId)
    const task = await org.transact((tx) => startWork(tx, orgId, importId))
    if (!task) return
    const { type, actor, mapping, stored } = task
    try {
      const table = await openTable(piecesOf(org, importId), type, mapping, org.orgId)
      await load({ org, actor, type, importId, table, stored, signal })
      await org.transact((tx) => endImport(tx, actor, importId, null))
    } catch (error) {
      if (error instanceof Superseded) return
      if (!(error instanceof Unusable)) throw error
      await org.transact((tx) => endImport(tx, actor, importId, unusable(error)))
    }
  },
  abandoned: async ({ payload: { org_id: orgId, import_id: importId }, context }) => {
    await context.database.org(orgId).transact(async (tx) => {
      const task = await startWork(tx, orgId, importId)
      const message =
        'The import failed repeatedly. What it created is there, and can be reverted. See the log of the server for the reason.'
      const error = { code: 'internal_error', message } as const
      if (task) await endImport(tx, task.actor, importId, error)
    })
  },
})

/** Takes back what an import created, in the name of whoever asked for that. */
export const revertImport: Job<z.output<typeof revertPayload>> = job({
  name: 'revert_import',
  payload: revertPayload,
  orgId: ({ org_id: orgId }) => orgId,
  run: async ({ payload, context, signal }) => {
    const { org_id: orgId, import_id: importId, api_key_id: apiKeyId, mode } = payload
    const org = context.database.org(orgId)
    const type = await org.read((tx) => startRevert(tx, importId))
    if (type) await revertRecords(org, { orgId, apiKeyId, mode }, type, importId, signal)
  },
  abandoned: async ({ payload: { org_id: orgId, import_id: importId }, context }) => {
    await context.database.org(orgId).transact((tx) => giveUpRevert(tx, importId))
  },
})
