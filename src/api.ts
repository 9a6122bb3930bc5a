import { activityEndpoints } from './activity/routes.ts'
import { agencyEndpoints } from './agencies/routes.ts'
import { clientUsageEndpoints } from './agencies/usage/routes.ts'
import { eraseEffects } from './approvals/erasure.ts'
import { bulkChangeEndpoints } from './bulk-changes/routes.ts'
import { closeReasonEndpoints } from './close-reasons/routes.ts'
import { companyEndpoints } from './companies/routes.ts'
import { connectedAppEndpoints } from './connected-apps/routes.ts'
import { contactEndpoints } from './contacts/routes.ts'
import { erasePushes } from './crm-sync/erasure.ts'
import { crmEndpoints } from './crm-sync/routes.ts'
import { dealEndpoints } from './deals/routes.ts'
import { duplicateEndpoints } from './duplicates/routes.ts'
import { eventEndpoints } from './events/routes.ts'
import { fieldEndpoints } from './fields/routes.ts'
import { eraseChanges } from './imports/changes.ts'
import { importEndpoints } from './imports/routes.ts'
import { keyEndpoints } from './keys/routes.ts'
import { eraseNotes } from './notes/notes.ts'
import { noteEndpoints } from './notes/routes.ts'
import { orgEndpoints } from './orgs/routes.ts'
import { ownerEndpoints } from './owners/routes.ts'
import { personaEndpoints } from './personas/routes.ts'
import type { Endpoint } from './platform/http/endpoint.ts'
import { sandboxEndpoints } from './sandboxes/routes.ts'
import { segmentEndpoints } from './segments/routes.ts'
import { signatureEndpoints } from './signatures/routes.ts'
import { eraseTasks } from './tasks/many-tasks.ts'
import { taskEndpoints } from './tasks/routes.ts'
import { eraseContactEvents } from './tracking/erasure/contacts.ts'
import { visitorErasureEndpoints } from './tracking/erasure/routes.ts'
import { callBackEndpoints } from './tracking/forms/call-back/routes.ts'
import { formEndpoints } from './tracking/forms/routes.ts'
import { eraseSubmissions } from './tracking/forms/submissions/erase.ts'
import { submissionEndpoints } from './tracking/forms/submissions/routes.ts'
import { identityEndpoints } from './tracking/identity/routes.ts'
import { webEventEndpoints } from './tracking/live/routes.ts'
import { trackingReportEndpoints } from './tracking/reports/routes.ts'
import { trackingSettingsEndpoints } from './tracking/settings/routes.ts'
import { snippetEndpoints } from './tracking/snippet/routes.ts'
import { trackingUsageEndpoints } from './tracking/usage/routes.ts'
import { visitorEndpoints } from './tracking/visitors/routes.ts'
import { writeKeyEndpoints } from './tracking/write-keys/routes.ts'
import { usageEndpoints } from './usage/routes.ts'
import { callEndpoints } from './voice/calls/routes.ts'
import { voiceEndpoints } from './voice/routes.ts'
import { suppressionEndpoints } from './voice/suppressions/routes.ts'
import { attemptEndpoints } from './webhooks/attempts/routes.ts'
import { eraseExcerpts } from './webhooks/delivery/erased.ts'
import { replayEndpoints } from './webhooks/replays/routes.ts'
import { webhookEndpoints } from './webhooks/routes.ts'

export const endpoints: readonly Endpoint[] = [
  ...orgEndpoints,
  ...usageEndpoints,
  ...sandboxEndpoints,
  ...agencyEndpoints,
  ...clientUsageEndpoints,
  ...keyEndpoints,
  ...connectedAppEndpoints,
  ...contactEndpoints([
    eraseEffects,
    erasePushes,
    eraseChanges,
    eraseExcerpts,
    eraseContactEvents,
    eraseSubmissions,
    eraseNotes,
    eraseTasks,
  ]),
  ...companyEndpoints([eraseChanges, eraseNotes, eraseTasks]),
  ...dealEndpoints([eraseNotes, eraseTasks]),
  ...closeReasonEndpoints,
  ...ownerEndpoints,
  ...bulkChangeEndpoints,
  ...fieldEndpoints,
  ...noteEndpoints,
  ...taskEndpoints,
  ...segmentEndpoints,
  ...duplicateEndpoints,
  ...personaEndpoints,
  ...voiceEndpoints,
  ...callEndpoints,
  ...suppressionEndpoints,
  ...signatureEndpoints,
  ...crmEndpoints,
  ...importEndpoints,
  ...writeKeyEndpoints,
  ...formEndpoints,
  ...submissionEndpoints,
  ...callBackEndpoints,
  ...webEventEndpoints,
  ...visitorEndpoints,
  ...visitorErasureEndpoints,
  ...activityEndpoints,
  ...trackingReportEndpoints,
  ...trackingUsageEndpoints,
  ...snippetEndpoints,
  ...trackingSettingsEndpoints,
  ...identityEndpoints,
  ...eventEndpoints,
  ...webhookEndpoints,
  ...attemptEndpoints,
  ...replayEndpoints,
]
