import { z } from 'zod'
import { entityTypes } from '../../matching/entity-type.ts'
import { type Failure, failure } from '../../platform/http/failure.ts'
import { listQuery } from '../../platform/http/list.ts'
import { entityType } from '../schema.ts'

export const ScanRequest = z.object({ entity_type: entityType })

export const ScanQuery = z.object({ entity_type: entityType.optional(), ...listQuery })
export type ScanQuery = z.output<typeof ScanQuery>

const scanErrors = ['internal_error'] as const
export type ScanError = Failure<(typeof scanErrors)[number]>

export const Scan = z
  .object({
    scan_id: z.string(),
    entity_type: z.enum(entityTypes),
    status: z.enum(['queued', 'running', 'succeeded', 'failed']),
    progress: z.number().describe('From 0 to 1.'),
    counts: z.object({
      records_read: z.int(),
      pairs_compared: z.int().describe('Pairs of records that were compared.'),
      proposals_opened: z.int(),
      merges_applied: z.int(),
    }),
    error: failure(scanErrors, 'Why the scan failed.'),
    created_at: z.int(),
    started_at: z.int().nullable(),
    finished_at: z.int().nullable(),
  })
  .meta({ title: 'DuplicateScan' })
export type Scan = z.output<typeof Scan>
