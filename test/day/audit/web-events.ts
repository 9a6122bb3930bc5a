import type { Audited, AuditResult } from './audited.ts'

/**
 * Checks that each acknowledged web event is stored once, that no erased event is stored, and that visitors match
 * their events.
 */
export async function auditWebEvents({ ledger, rows }: Audited): Promise<AuditResult[]> {
  const stored: AuditResult = { name: 'web events are stored once, or erased', checked: 0, findings: [] }
  const found = await rows<{ org_id: string; key: string; n: number }>(
    'select org_id::text, message_key::text as key, count(*)::int as n from web_event group by 1, 2',
  )
  const counts = new Map(found.map(({ org_id, key, n }) => [`${org_id} ${key}`, n]))
  for (const { orgId, messageKey, erasure } of ledger.webEvents) {
    stored.checked++
    const n = counts.get(`${orgId} ${messageKey}`) ?? 0
    const isRight = erasure === 'asked' ? n <= 1 : n === (erasure === 'done' ? 0 : 1)
    if (!isRight)
      stored.findings.push(`web event ${messageKey} of ${orgId} is stored ${n} times, erasure ${erasure}`)
  }
  const visitors: AuditResult = { name: 'visitors equal their events', checked: counts.size, findings: [] }
  const differing = await rows<object>(
    `select coalesce(v.org_id, e.org_id) as org_id, coalesce(v.visitor_id, e.visitor_id) as visitor_id, v.events, e.n
     from visitor v full join (
       select org_id, visitor_id, mode, count(*) as n from web_event where visitor_id is not null group by 1, 2, 3
     ) as e using (org_id, visitor_id, mode)
     where v.events is distinct from e.n`,
  )
  visitors.findings.push(...differing.map((row) => JSON.stringify(row)))
  return [stored, visitors]
}
