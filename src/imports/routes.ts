import { z } from 'zod'
import { companies } from '../companies/companies.ts'
import { contacts } from '../contacts/contacts.ts'
import { type Endpoint, endpoint } from '../platform/http/endpoint.ts'
import { listQuery } from '../platform/http/list.ts'
import type { RecordType } from '../records/record-type.ts'
import { findImport, listImports, listRefusals } from './imports.ts'
import { revertImport } from './jobs.ts'
import { beginRevert } from './revert.ts'
import { Import, ImportBody, ImportPath, ImportQuery, Refusal, RefusalQuery } from './schema.ts'
import { upload } from './upload.ts'

const tag = 'Imports'
const jsonBytesMax = 10 * 1024 * 1024
const errors = { 404: 'No import of this organization has this id' }

function importEndpoint(
  type: RecordType,
  example: { csv: string; mapping: Record<string, string> },
): Endpoint {
  const plural = type.path.slice(1)
  return endpoint({
    method: 'POST',
    path: `${type.path}/imports`,
    name: `import_${plural}`,
    summary: `Import ${plural} from a CSV file`,
    description:
      'Send the file as text/csv (streamed, up to IMPORT_MAX_BYTES), or as JSON. Columns are mapped by common header names, or by `mapping`; other columns go to `custom`. The rows are created in the background: poll GET /imports/{import_id}.',
    tag,
    permission: `${plural}:write`,
    query: ImportQuery,
    body: ImportBody,
    stream: 'text/csv',
    bodyLimit: jsonBytesMax,
    status: 202,
    shape: 'data',
    response: Import,
    errors: { 413: 'The file is larger than is taken' },
    example,
    handle: ({ org, caller, context, query, body, stream }) => {
      const { maxBytes, source, ...given } = stream
        ? { ...query, source: stream, maxBytes: context.config.importMaxBytes }
        : { ...body, source: body!.csv, maxBytes: jsonBytesMax }
      return upload(org, caller, context.jobs, {
        type,
        source,
        maxBytes,
        fileName: given.file_name,
        mapping: given.mapping,
      })
    },
  })
}

export const importEndpoints: Endpoint[] = [
  importEndpoint(contacts, {
    csv: 'Given name,Surname,Mail\nAda,Lovelace,ada@example.com\n',
    mapping: { Mail: 'email' },
  }),
  importEndpoint(companies, { csv: 'Company,Site\nAcme,acme.example\n', mapping: { Site: 'domain' } }),
  endpoint({
    method: 'GET',
    path: '/imports',
    name: 'list_imports',
    summary: 'List the imports',
    description: 'Newest first.',
    tag,
    permission: 'contacts:read',
    query: z.object(listQuery),
    shape: 'page',
    response: z.array(Import),
    handle: ({ org, context, query }) => listImports(org, context.cursors, query),
  }),
  endpoint({
    method: 'GET',
    path: '/imports/{import_id}',
    name: 'get_import',
    summary: 'Read how an import is doing',
    tag,
    permission: 'contacts:read',
    params: ImportPath,
    shape: 'data',
    response: Import,
    errors,
    handle: ({ org, params }) => org.read((tx) => findImport(tx, params.import_id)),
  }),
  endpoint({
    method: 'GET',
    path: '/imports/{import_id}/rows',
    name: 'list_import_rows',
    summary: 'List the rows that were refused, and why',
    description:
      'In the order of the file. The records that were created: GET /contacts?import_id=… (or /companies).',
    tag,
    permission: 'contacts:read',
    params: ImportPath,
    query: RefusalQuery,
    shape: 'page',
    response: z.array(Refusal),
    errors,
    handle: ({ org, context, params, query }) => listRefusals(org, context.cursors, params.import_id, query),
  }),
  endpoint({
    method: 'POST',
    path: '/imports/{import_id}/revert',
    name: 'revert_import',
    summary: 'Take an import back',
    description:
      'Archives the records that it created, in the background. Those that were changed since stay, and are counted as kept.',
    tag,
    permission: 'contacts:manage',
    params: ImportPath,
    status: 202,
    shape: 'data',
    response: Import,
    errors: { ...errors, 409: 'The import still runs, or was reverted before' },
    handle: ({ org, caller, context, params }) =>
      org.transact(async (tx) => {
        await beginRevert(tx, caller, params.import_id)
        await context.jobs.enqueue(tx, revertImport, { org_id: org.orgId, import_id: params.import_id })
        return findImport(tx, params.import_id)
      }),
  }),
]
