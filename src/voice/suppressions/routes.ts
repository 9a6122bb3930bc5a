import { z } from 'zod'
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { id } from '../../platform/http/fields.ts'
import { csvFile } from '../../platform/http/send-file.ts'
import { exportSuppressions } from './export.ts'
import { readFile, readItems, storeRows } from './import.ts'
import {
  CreatedSuppression,
  CreateSuppression,
  csvRowsMax,
  ImportedSuppressions,
  ImportSuppressions,
  jsonRowsMax,
  Suppression,
  SuppressionQuery,
} from './schema.ts'
import { createSuppression, deleteSuppression, findSuppression, listSuppressions } from './suppressions.ts'

const path = '/voice/suppressions'
const tag = 'Voice'
const fileExamples = {
  csv: 'number,reason,source,since\r\n+12025550148,Asked not to be called,Support,2026-01-01T00:00:00Z\r\n',
}
const params = z.object({ suppression_id: id().describe('The id of the entry.') })
const errors = { 404: 'No suppression of this organization has this id' }

export const suppressionEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path,
    name: 'list_suppressions',
    sdk: 'voice.suppressions.list',
    summary: 'List the numbers that are never called',
    description:
      'Newest first. A call to a number on this list is a 400 with the code `number_suppressed`, in dry runs and in test mode too.',
    tag,
    permission: 'voice:read',
    query: SuppressionQuery,
    shape: 'page',
    response: z.array(Suppression),
    handle: ({ org, context, query }) => listSuppressions(org, context.cursors, query),
  }),
  endpoint({
    method: 'POST',
    path,
    name: 'create_suppression',
    sdk: 'voice.suppressions.create',
    summary: 'Suppress a number',
    description:
      'The organization then never calls this number. If the number is already on the list, its entry stays, and `outcome` is `existing`.',
    tag,
    permission: 'voice:write',
    body: CreateSuppression,
    shape: 'data',
    response: CreatedSuppression,
    example: { number: '+12025550147', reason: 'Asked not to be called', source: 'support' },
    handle: ({ org, body }) => org.transact((tx) => createSuppression(tx, body)),
  }),
  endpoint({
    method: 'GET',
    path: `${path}/export`,
    name: 'export_suppressions',
    sdk: 'voice.suppressions.export',
    summary: 'Export the numbers that are never called',
    description:
      'A CSV file with the columns `number`, `reason`, `source` and `since`, oldest first. The import reads it. An apostrophe precedes texts that a spreadsheet would take for formulas; the import removes it.',
    tag,
    permission: 'voice:read',
    shape: 'file',
    fileExamples,
    handle: async ({ org }) => csvFile('suppressions', exportSuppressions(org)),
  }),
  endpoint({
    method: 'POST',
    path: `${path}/import`,
    name: 'import_suppressions',
    sdk: 'voice.suppressions.import',
    summary: 'Suppress many numbers',
    description: `Send up to ${jsonRowsMax.toLocaleString('en')} suppressions as JSON, or a CSV file of up to ${csvRowsMax.toLocaleString('en')} rows and 1 MiB as text/csv, with the columns of the export. Rows that cannot be read are reported and left out. All other rows are stored in one transaction: after an error, none of them is stored.`,
    tag,
    permission: 'voice:write',
    body: ImportSuppressions,
    streams: ['text/csv'],
    fileExamples,
    expectedBody:
      'The file itself with Content-Type: text/csv (curl --data-binary @file.csv), or {"suppressions": [{"number": "…"}, …]} with Content-Type: application/json',
    shape: 'data',
    response: ImportedSuppressions,
    example: { suppressions: [{ number: '+12025550148', reason: 'National do-not-call list' }] },
    staging: {
      take: ({ org, caller, body, stream, streamBytes }) =>
        stream ? readFile(org, caller, stream, streamBytes) : readItems(org, body!),
      drop: async () => {},
    },
    handle: ({ org, staged }) => org.transact((tx) => storeRows(tx, staged)),
  }),
  endpoint({
    method: 'GET',
    path: `${path}/{suppression_id}`,
    name: 'get_suppression',
    sdk: 'voice.suppressions.get',
    summary: 'Read a suppression',
    tag,
    permission: 'voice:read',
    params,
    shape: 'data',
    response: Suppression,
    errors,
    handle: ({ org, params }) => org.read((tx) => findSuppression(tx, params.suppression_id)),
  }),
  endpoint({
    method: 'DELETE',
    path: `${path}/{suppression_id}`,
    name: 'delete_suppression',
    sdk: 'voice.suppressions.delete',
    summary: 'Allow calls to a number again',
    description:
      'After this, calls to the number are allowed, unless a contact with the number denied consent to phone calls.',
    tag,
    permission: 'voice:manage',
    params,
    shape: 'none',
    errors,
    handle: ({ org, params }) =>
      org.transact(async (tx) => {
        await deleteSuppression(tx, params.suppression_id)
        return undefined
      }),
  }),
]
