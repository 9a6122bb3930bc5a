import { z } from 'zod'
import { companies } from '../companies/companies.ts'
import { contacts } from '../contacts/contacts.ts'
import type { Actor } from '../events/record.ts'
import type { Org } from '../platform/db/org.ts'
import { type Job, job } from '../platform/jobs/job.ts'
import type { RecordType } from '../records/record-type.ts'
import { endImport } from './imports.ts'
import { load, type Progress, Superseded, Unusable } from './load.ts'
import { revertRecords } from './revert.ts'
import { piecesOf } from './upload.ts'

const payload = z.object({ org_id: z.string(), import_id: z.string() })

/** Imports an uploaded file; started again after a crash, it goes on where it was. */
export const importRecords: Job<z.output<typeof payload>> = job({
  name: 'import_records',
  payload,
  run: async ({ payload: { org_id: orgId, import_id: importId }, context, signal }) => {
    const org = context.database.org(orgId)
    const task = await begin(org, importId)
    if (!task) return
    const { type, actor, mapping, progress } = task
    try {
      await load({ org, actor, type, importId, source: piecesOf(org, importId), mapping, progress, signal })
      await org.transact((tx) => endImport(tx, actor, importId, null))
    } catch (error) {
      if (error instanceof Superseded) return
      if (!(error instanceof Unusable)) throw error
      await org.transact((tx) => endImport(tx, actor, importId, error.message))
    }
  },
})

/** Takes back what an import created. */
export const revertImport: Job<z.output<typeof payload>> = job({
  name: 'revert_import',
  payload,
  run: async ({ payload: { org_id: orgId, import_id: importId }, context, signal }) => {
    const org = context.database.org(orgId)
    const task = await begin(org, importId)
    if (task) await revertRecords(org, task.actor, task.type, importId, signal)
  },
})

type Task = {
  type: RecordType
  actor: Actor
  mapping: Record<string, string> | undefined
  progress: Progress
}

/** What there is to do, null if the import has ended; a queued one is running from now on. */
function begin(org: Org, importId: string): Promise<Task | null> {
  return org.transact(async (tx) => {
    const row = await tx.first<{
      entity: 'contact' | 'company'
      mode: 'live' | 'test'
      api_key_id: string | null
      mapping: Record<string, string> | null
      rows_read: number
      created_count: number
      refused_count: number
    }>({
      text: `
        update import set status = case status when 'queued' then 'running' else status end,
          started_at = coalesce(started_at, now()), progressed_at = now()
        where org_id = app.org_id() and import_id = $1 and status in ('queued', 'running', 'reverting')
        returning entity, mode, api_key_id, mapping, rows_read, created_count, refused_count`,
      values: [importId],
    })
    return row
      ? {
          type: row.entity === 'contact' ? contacts : companies,
          actor: { orgId: org.orgId, mode: row.mode, apiKeyId: row.api_key_id },
          mapping: row.mapping ?? undefined,
          progress: { rowsRead: row.rows_read, created: row.created_count, refused: row.refused_count },
        }
      : null
  })
}
