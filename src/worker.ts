import { forgetConnection } from './crm-sync/connections/forget.ts'
import { pushPeople } from './crm-sync/jobs/push.ts'
import { scanDuplicates } from './duplicates/finding/scan-jobs.ts'
import { moveChildren } from './duplicates/jobs.ts'
import { importRecords, revertImport } from './imports/jobs.ts'
import type { AnyJob } from './platform/jobs/job.ts'
import { installSignatures } from './signatures/deploy/job.ts'

/** Every background job. */
export const jobs: readonly AnyJob[] = [
  importRecords,
  revertImport,
  moveChildren,
  scanDuplicates,
  installSignatures,
  pushPeople,
  forgetConnection,
]
