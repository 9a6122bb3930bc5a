import { sweepJobs } from './crm-sync/jobs/sweep.ts'
import { checkDuplicates } from './duplicates/checks/check-loop.ts'
import { fillMatchKeys } from './duplicates/fill-match-keys.ts'
import { keepMonths } from './events/keep-months.ts'
import { sweepImports } from './imports/sweep.ts'
import { sweepTools } from './mcp/sweep.ts'
import { sweepSessions } from './members/sweep.ts'
import { sweepOauth } from './oauth/sweep.ts'
import type { Context } from './platform/context.ts'
import { foldTotals } from './platform/db/fold-totals.ts'
import type { SystemScope } from './platform/db/system.ts'
import { sweepAnswers } from './platform/idempotency/sweep.ts'
import { recordTotals } from './records/totals.ts'
import { sweepSandboxes } from './sandboxes/purge.ts'
import { sweepSignatures } from './signatures/deploy/requeue-stranded.ts'
import { applyFactsSoon } from './tracking/identity/apply-facts.ts'
import { eventTotals } from './tracking/store/counts.ts'
import { foldReports } from './tracking/store/fold-reports.ts'
import { keepDays } from './tracking/store/keep-days.ts'
import { finishErasuresSoon, sweepTracking } from './tracking/sweep.ts'
import { rollUpUsage } from './usage/past-hours.ts'
import { reconcileCalls } from './voice/calls/reconcile.ts'
import { simulateCalls } from './voice/calls/simulation.ts'
import { sweepCalls } from './voice/calls/sweep.ts'
import { pollEndpoints } from './webhooks/poll-endpoints.ts'

/** Starts what each process with background jobs repeats. Returns functions that stop it. */
export function startChores(scope: SystemScope, context: Context): (() => Promise<void>)[] {
  const { config, log } = context
  return [
    foldTotals(scope, log, [...recordTotals, eventTotals]),
    foldReports(scope, log),
    sweepAnswers(scope, log),
    sweepSignatures(scope, context),
    sweepImports(scope, context),
    sweepSandboxes(scope, log),
    sweepSessions(scope, log),
    sweepOauth(scope, log),
    sweepTools(scope, log),
    rollUpUsage(scope, log),
    sweepCalls(scope, log, config.callRetentionDays),
    sweepJobs(scope, log, config.crmJobRetentionDays),
    keepMonths(scope, log, config.eventRetention),
    keepDays(scope, log, config.trackingRetentionDays),
    sweepTracking(scope, log),
    finishErasuresSoon(scope, log),
    applyFactsSoon(scope, context),
    pollEndpoints(scope, context),
    ...(config.checksDuplicates ? [checkDuplicates(scope, context), fillMatchKeys(scope, context)] : []),
    ...(config.movesCalls ? [simulateCalls(scope, context), reconcileCalls(scope, context)] : []),
  ]
}
