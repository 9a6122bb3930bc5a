import { z } from 'zod'
import { entityTypes } from '../../matching/entity-type.ts'
import { type Failure, failure } from '../../platform/http/failure.ts'
import { listQuery } from '../../platform/http/list.ts'
import * as shown from '../../platform/http/shown.ts'
import { entityType } from '../schema.ts'

export const ScanRequest = z.object({ entity_type: entityType }).meta({ title: 'ScanRequest' })

export const ScanQuery = z.object({
  entity_type: entityType.optional().describe('Only scans of this record type.'),
  ...listQuery,
})
export type ScanQuery = z.output<typeof ScanQuery>

const scanErrors = ['internal_error'] as const
export type ScanError = Failure<(typeof scanErrors)[number]>

const Counts = z
  .object({
    records_read: shown.count('Records that were read.', 1200),
    pairs_compared: shown.count('Pairs of records that were compared.', 3400),
    proposals_opened: shown.count('Proposals that the scan created.', 17),
    merges_applied: shown.count('Merges that the scan applied.', 5),
  })
  .meta({ title: 'ScanCounts' })

export const Scan = z
  .object({
    scan_id: shown.id('The id of the scan.'),
    entity_type: shown.word('EntityType', entityTypes, 'The type of the compared records.'),
    status: shown.word(
      'ScanStatus',
      ['queued', 'running', 'succeeded', 'failed'],
      'The state of the scan. The last two are final.',
      'succeeded',
    ),
    progress: z
      .number()
      .meta({ description: 'The share of the scan that is finished, from 0 to 1.', examples: [1] }),
    counts: Counts.describe('The progress of the scan so far.'),
    error: failure('ScanFailure', scanErrors, 'Why the scan failed; null: it did not.'),
    created_at: shown.time('When the scan was requested.'),
    started_at: shown.time('When the scan began; null: not yet.').nullable(),
    finished_at: shown.time('When the scan ended; null: not yet.').nullable(),
  })
  .meta({ title: 'DuplicateScan' })
export type Scan = z.output<typeof Scan>
