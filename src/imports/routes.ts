import type { Readable } from 'node:stream'
import { z } from 'zod'
import { lockCallerRights } from '../auth/caller-rights.ts'
import { allows, requirePermission } from '../auth/permissions.ts'
import { companies } from '../companies/companies.ts'
import { contacts } from '../contacts/contacts.ts'
import type { Caller } from '../platform/caller.ts'
import { type Endpoint, endpoint } from '../platform/http/endpoint.ts'
import { refuse } from '../platform/http/fields.ts'
import { csvFile } from '../platform/http/send-file.ts'
import { detailAt, ValidationError } from '../platform/http/validation.ts'
import type { RecordType } from '../records/record-type.ts'
import { fileTypes, requestedEncoding } from './accepted-files.ts'
import { cancelImport } from './cancel.ts'
import { deleteUpload, findImport, listImports } from './imports.ts'
import { inspectEndpoints } from './inspect/routes.ts'
import { revertImport } from './jobs.ts'
import { hasCreatedCompanies, recordTypes } from './progress.ts'
import { exportRefusals, listRefusals } from './refusals.ts'
import { requestRevert } from './revert.ts'
import {
  Import,
  type ImportBody,
  ImportPath,
  type ImportQuery,
  ImportsQuery,
  importBody,
  importQuery,
  Refusal,
  RefusalQuery,
} from './schema.ts'
import type { Entity } from './synonyms.ts'
import { enqueueImport, storeUpload, type Upload } from './upload.ts'

const tag = 'Imports'
const jsonBytesMax = 10 * 1024 * 1024
const errors = { 404: 'No import of this organization has this id' }
const readers = ['contacts:read', 'companies:read']

/** An import needs the permission for the records that it writes. */
const permissionFor = (entity: Entity, action: 'read' | 'write' | 'manage') =>
  `${recordTypes[entity].path.slice(1)}:${action}`

/** @throws DomainError forbidden */
const requireRead = (caller: Caller, found: Import) =>
  requirePermission(caller, permissionFor(found.entity_type, 'read'))

/**
 * Refuses options in the query if the body is JSON, which contains them.
 * @throws ValidationError
 */
function refuseQuery(query: object): void {
  const why = refuse('send this in the JSON body; only a text/csv body needs it in the query')
  const details = Object.keys(query).map((name) => detailAt(['query', name], why))
  if (details.length > 0) throw new ValidationError(details)
}

type SentFile = Omit<Upload, 'type' | 'bytesAnnounced'>

const optionsOf = (sent: Omit<ImportQuery | ImportBody, 'mapping'>) => ({
  fileName: sent.file_name,
  dryRun: sent.dry_run ?? false,
  matchOn: sent.match_on,
  defaultCountry: sent.default_country,
  decimalSign: sent.decimal_sign,
  dateOrder: sent.date_order,
})

const streamed = (
  source: Readable,
  charset: string | undefined,
  { mapping, encoding, ...options }: ImportQuery,
  maxBytes: number,
): SentFile => {
  const loc = { file: ['body'], mapping: ['query', 'mapping'], match_on: ['query', 'match_on'] }
  return {
    source,
    mapping,
    encoding: requestedEncoding(encoding, charset),
    maxBytes,
    loc,
    ...optionsOf(options),
  }
}

const inJson = ({ csv, mapping, ...options }: ImportBody): SentFile => {
  const loc = { file: ['body', 'csv'], mapping: ['body', 'mapping'], match_on: ['body', 'match_on'] }
  return { source: csv, mapping, encoding: 'utf-8', maxBytes: jsonBytesMax, loc, ...optionsOf(options) }
}

function importEndpoint(
  type: RecordType,
  example: { csv: string; mapping: Record<string, string> },
): Endpoint {
  const plural = type.path.slice(1)
  const permission = `${plural}:write`
  return endpoint({
    method: 'POST',
    path: `${type.path}/imports`,
    name: `import_${plural}`,
    sdk: `${plural}.imports.create`,
    summary: `Import ${plural} from a CSV file or a spreadsheet`,
    description:
      'Send the file as text/csv (streamed, up to IMPORT_MAX_BYTES) or .xlsx, or the text of a CSV file as JSON. Columns are mapped by common header names, or by `mapping`; other columns go to `custom`, and so do values that do not fit their field, such as an unknown stage. With `match_on`, rows update the records that match. The rows are written in the background: poll GET /imports/{import_id}.',
    tag,
    permission,
    query: importQuery(type),
    body: importBody(type),
    streams: fileTypes,
    fileExamples: { csv: example.csv },
    expectedBody:
      'The file itself with Content-Type: text/csv (curl --data-binary @file.csv), or {"csv": "…", "mapping": {…}} with Content-Type: application/json; forms are not read',
    bodyLimit: jsonBytesMax,
    status: 202,
    location: '/imports/{import_id}',
    shape: 'data',
    response: Import,
    errors: {
      409: '100 imports of the organization wait or run already (`limit_reached`)',
      413: 'The file is larger than the limit',
    },
    example,
    staging: {
      take: ({ org, caller, context, query, body, stream, streamBytes, streamCharset }) => {
        if (!stream) refuseQuery(query)
        const sent = stream
          ? streamed(stream, streamCharset, query, context.config.importMaxBytes)
          : inJson(body)
        return storeUpload(org, caller.payerId, { ...sent, type, bytesAnnounced: streamBytes })
      },
      drop: (org, { importId }) => org.transact((tx) => deleteUpload(tx, importId)),
    },
    handle: ({ org, caller, context, staged }) =>
      org.transact(async (tx) => {
        // Check again that the key exists: the upload may have taken an hour.
        await lockCallerRights(tx, caller, permission)
        if (staged.makesCompanies) await lockCallerRights(tx, caller, 'companies:write')
        return enqueueImport(tx, context.jobs, staged)
      }),
  })
}

export const importEndpoints: Endpoint[] = [
  importEndpoint(contacts, {
    csv: 'Given name,Surname,Mail\nAda,Lovelace,ada@example.com\n',
    mapping: { Mail: 'email' },
  }),
  importEndpoint(companies, { csv: 'Company,Site\nAcme,acme.example\n', mapping: { Site: 'domain' } }),
  ...inspectEndpoints,
  endpoint({
    method: 'GET',
    path: '/imports',
    name: 'list_imports',
    sdk: 'imports.list',
    summary: 'List the imports',
    description:
      'Newest first. The list has the imports of contacts, of companies or of both, depending on what the API key may read.',
    tag,
    permission: readers,
    query: ImportsQuery,
    shape: 'page',
    response: z.array(Import),
    handle: ({ org, caller, context, query }) => {
      const entities = (['contact', 'company'] as const).filter((entity) =>
        allows(caller.permissions, permissionFor(entity, 'read')),
      )
      return listImports(org, context.cursors, entities, query)
    },
  }),
  endpoint({
    method: 'GET',
    path: '/imports/{import_id}',
    name: 'get_import',
    sdk: 'imports.get',
    summary: 'Read the progress of an import',
    tag,
    permission: readers,
    params: ImportPath,
    shape: 'data',
    response: Import,
    errors,
    handle: async ({ org, caller, params }) => {
      const found = await org.read((tx) => findImport(tx, params.import_id))
      requireRead(caller, found)
      return found
    },
  }),
  endpoint({
    method: 'GET',
    path: '/imports/{import_id}/rows',
    name: 'list_import_rows',
    sdk: 'imports.rows.list',
    summary: 'List the refused rows with the reasons',
    description:
      'In the order of the file. GET /contacts?import_id=… (or /companies) lists the created records.',
    tag,
    permission: readers,
    params: ImportPath,
    query: RefusalQuery,
    shape: 'page',
    response: z.array(Refusal),
    errors,
    handle: ({ org, caller, context, params, query }) =>
      listRefusals(org, context.cursors, params.import_id, query, (found) => requireRead(caller, found)),
  }),
  endpoint({
    method: 'GET',
    path: '/imports/{import_id}/rows/export',
    name: 'export_import_rows',
    sdk: 'imports.rows.export',
    summary: 'Export the refused rows as a CSV file',
    description:
      'The columns `line`, `code` and `reason`, in the order of the imported file. An apostrophe precedes texts that a spreadsheet would take for formulas.',
    tag,
    permission: readers,
    params: ImportPath,
    shape: 'file',
    fileExamples: {
      csv: 'line,code,reason\r\n17,validation_failed,email: value is not a valid email address\r\n',
    },
    errors,
    handle: async ({ org, caller, params }) => {
      requireRead(caller, await org.read((tx) => findImport(tx, params.import_id)))
      return csvFile('refused-rows', exportRefusals(org, params.import_id))
    },
  }),
  endpoint({
    method: 'POST',
    path: '/imports/{import_id}/cancel',
    name: 'cancel_import',
    sdk: 'imports.cancel',
    summary: 'Cancel an import',
    description:
      'Ends an import that waits or runs. The records that it has written stay, and the import can be reverted. Canceling an import again changes nothing.',
    tag,
    permission: ['contacts:write', 'companies:write'],
    params: ImportPath,
    shape: 'data',
    response: Import,
    errors: { ...errors, 409: 'The import has ended' },
    handle: ({ org, caller, params }) =>
      org.transact(async (tx) => {
        const found = await findImport(tx, params.import_id)
        requirePermission(caller, permissionFor(found.entity_type, 'write'))
        return cancelImport(tx, found)
      }),
  }),
  endpoint({
    method: 'POST',
    path: '/imports/{import_id}/revert',
    name: 'revert_import',
    sdk: 'imports.revert',
    summary: 'Revert an import',
    description:
      'Archives the records that the import created, and restores the values that it changed in others. The revert runs in the background. Values that changed after the import are kept; `kept` counts these records.',
    tag,
    permission: ['contacts:manage', 'companies:manage'],
    params: ImportPath,
    status: 202,
    shape: 'data',
    response: Import,
    errors: { ...errors, 409: 'The import still runs, or was reverted before' },
    handle: ({ org, caller, context, params }) =>
      org.transact(async (tx) => {
        const found = await findImport(tx, params.import_id)
        requirePermission(caller, permissionFor(found.entity_type, 'manage'))
        // The revert archives these companies too.
        if (found.entity_type === 'contact' && (await hasCreatedCompanies(tx, found.import_id)))
          requirePermission(caller, permissionFor('company', 'manage'))
        await requestRevert(tx, found)
        await context.jobs.enqueue(tx, revertImport, {
          org_id: org.orgId,
          import_id: found.import_id,
          api_key_id: caller.apiKeyId,
          member_id: caller.memberId,
          mode: caller.mode,
        })
        return findImport(tx, params.import_id)
      }),
  }),
]
