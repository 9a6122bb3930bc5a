import type { Audited, AuditResult } from './audited.ts'
import { auditEvents } from './events.ts'
import { auditSessions, drain } from './jobs.ts'
import { auditImports, auditRecords } from './records.ts'
import { auditTenancy } from './tenancy.ts'
import { auditLists } from './totals.ts'
import { auditWebEvents } from './web-events.ts'
import { auditWrites } from './writes.ts'

/** Compares all answers with the database, after all work has ended. */
export async function audit(audited: Audited, drainMs: number): Promise<AuditResult[]> {
  const verdicts = [
    ...(await drain(audited, drainMs)),
    ...(await auditSessions(audited)),
    ...(await auditWrites(audited)),
    ...(await auditEvents(audited)),
    ...(await auditImports(audited)),
    ...(await auditRecords(audited)),
    ...(await auditTenancy(audited)),
    ...(await auditLists(audited)),
    ...(await auditWebEvents(audited)),
  ]
  const { faults } = audited.ledger
  const checked = [...audited.requests.counts.values()]
    .flatMap((each) => [...each.values()])
    .reduce((a, b) => a + b, 0)
  return [
    { name: 'answers match the API document and contain data of one org', checked, findings: [...faults] },
    ...verdicts,
  ]
}
