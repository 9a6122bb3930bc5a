import type { Readable } from 'node:stream'
import { companies } from '../../companies/companies.ts'
import { contacts } from '../../contacts/contacts.ts'
import { FairLimiter } from '../../platform/db/fair-limiter.ts'
import { DomainError } from '../../platform/domain-error.ts'
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { timelyChunks } from '../../platform/http/timely-chunks.ts'
import type { RecordType } from '../../records/record-type.ts'
import { fileTypes, requestedEncoding } from '../accepted-files.ts'
import { limitSpreadsheets } from '../xlsx/limit-spreadsheets.ts'
import { isZip } from '../xlsx/xlsx.ts'
import { type FileSample, inspect } from './inspect.ts'
import { InspectBody, Inspection, InspectQuery } from './schema.ts'

const csvBytesMax = 64 * 1024
/**
 * The maximum size of a spreadsheet, and so of the body: a spreadsheet is in memory as a whole, because it cannot be
 * read in parts.
 */
const inspectedXlsxBytesMax = 2 * 1024 * 1024

/** Limits how many CSV files of one payer (Caller.payerId) are inspected at once. */
const inspections = new FairLimiter({ max: 2, waitMs: 10_000, waitingMax: 32 })

/** Reads the start of a file, and all of a spreadsheet. @throws DomainError request_timeout, body_too_large */
async function collect(stream: Readable): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const chunks: Buffer[] = []
  let size = 0
  let isSpreadsheet: boolean | null = null
  for await (const chunk of timelyChunks(stream)) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= 4) isSpreadsheet ??= isZip(Buffer.concat(chunks))
    if (isSpreadsheet === true && size > inspectedXlsxBytesMax) throw tooLarge()
    if (isSpreadsheet === false && size > csvBytesMax) break
  }
  const bytes = Buffer.concat(chunks)
  return isSpreadsheet || size <= csvBytesMax
    ? { bytes, isWhole: true }
    : { bytes: bytes.subarray(0, csvBytesMax), isWhole: false }
}

const tooLarge = () =>
  new DomainError(
    'body_too_large',
    'The spreadsheet is larger than 2 MiB, the maximum for an inspection. Import it with dry_run=true instead.',
  )

function textSample(csv: string): FileSample {
  const bytes = Buffer.from(csv.slice(0, csvBytesMax))
  return { bytes, isWhole: csv.length <= csvBytesMax, encoding: 'utf-8', loc: ['body', 'csv'] }
}

function inspectEndpoint(type: RecordType, csv: string): Endpoint {
  const plural = type.path.slice(1)
  return endpoint({
    method: 'POST',
    path: `${type.path}/imports/inspect`,
    name: `inspect_${plural}_file`,
    sdk: `${plural}.imports.inspect`,
    summary: `Inspect a file of ${plural} before its import`,
    description:
      'Send the file in the same way as for the import, or only its first 64 KiB. The answer shows how the import would read it: its encoding, its columns with their fields and samples, and a mapping to change and send. Send a spreadsheet as a whole; it may have up to 2 MiB. Creates nothing.',
    tag: 'Imports',
    permission: `${plural}:write`,
    query: InspectQuery,
    body: InspectBody,
    streams: fileTypes,
    fileExamples: { csv },
    expectedBody:
      'The file itself with Content-Type: text/csv (curl --data-binary @file.csv), or {"csv": "…"} with Content-Type: application/json',
    shape: 'data',
    response: Inspection,
    errors: { 413: 'The spreadsheet is larger than 2 MiB' },
    example: { csv },
    effect: 'none',
    staging: {
      take: async ({ query, body, stream, streamCharset }): Promise<FileSample> => {
        if (!stream) return textSample(body.csv)
        const encoding = requestedEncoding(query.encoding, streamCharset)
        return { ...(await collect(stream)), encoding, loc: ['body'] }
      },
      drop: async () => {},
    },
    handle({ org, caller: { payerId }, context, staged }) {
      const read = () => inspect(type, staged, org, payerId, context.config.importMaxBytes)
      return isZip(staged.bytes) ? limitSpreadsheets(payerId, read) : inspections.run(payerId, read)
    },
  })
}

export const inspectEndpoints: Endpoint[] = [
  inspectEndpoint(contacts, 'Given name,Surname,Mail\nAda,Lovelace,ada@example.com\n'),
  inspectEndpoint(companies, 'Company,Site\nAcme,acme.example\n'),
]
