import { changeRecords } from './bulk-changes/jobs.ts'
import { forgetConnection } from './crm-sync/connections/forget.ts'
import { pushPeople } from './crm-sync/jobs/push.ts'
import { moveReferences } from './duplicates/merge/move-references.ts'
import { scanDuplicates } from './duplicates/scans/jobs.ts'
import { convertField, indexField } from './fields/jobs.ts'
import { importRecords, revertImport } from './imports/jobs.ts'
import { reassignRecords } from './owners/jobs.ts'
import type { AnyJob } from './platform/jobs/job.ts'
import { fillSandbox } from './sandboxes/jobs.ts'
import { countSegments } from './segments/jobs.ts'
import { installSignaturesJob } from './signatures/deploy/job.ts'
import { placeCallBacks } from './tracking/forms/call-back/jobs.ts'
import { archiveRevertedSubmissions } from './tracking/forms/submissions/jobs.ts'
import { deliverWebhooks, probeWebhooks, replayWebhooks } from './webhooks/jobs.ts'

export const jobs: readonly AnyJob[] = [
  importRecords,
  revertImport,
  moveReferences,
  scanDuplicates,
  indexField,
  convertField,
  reassignRecords,
  changeRecords,
  countSegments,
  installSignaturesJob,
  pushPeople,
  forgetConnection,
  fillSandbox,
  archiveRevertedSubmissions,
  placeCallBacks,
  deliverWebhooks,
  probeWebhooks,
  replayWebhooks,
]
