import type { Audited, AuditResult } from './audited.ts'

const created: Record<string, string> = {
  ...{ contact: 'contact.created', company: 'company.created', deal: 'deal.created' },
  ...{
    'merged contact': 'contact.created',
    'merged company': 'company.created',
    'merged deal': 'deal.created',
  },
  ...{
    persona: 'persona.created',
    close_reason: 'close_reason.created',
    field: 'field.created',
    note: 'note.created',
    task: 'task.created',
    segment: 'segment.created',
    voice_number: 'voice_number.created',
  },
  ...{
    template: 'signature_template.created',
    connection: 'crm_connection.created',
    crm_job: 'crm_job.created',
  },
  ...{
    import: 'import.created',
    api_key: 'api_key.created',
    write_key: 'write_key.created',
    form: 'form.created',
    call: 'call.dispatched',
  },
}

export async function auditEvents({ ledger, rows }: Audited): Promise<AuditResult[]> {
  const verdict: AuditResult = { name: 'each change has exactly one event', checked: 0, findings: [] }
  const counted = await rows<{ org_id: string; type: string; object_id: string; count: number }>(
    `select org_id::text, type, object_id::text, count(*)::int as count from event
     where api_key_id is not null group by 1, 2, 3`,
  )
  const counts = new Map(counted.map((row) => [`${row.org_id} ${row.type} ${row.object_id}`, row.count]))
  for (const { kind, orgId, id } of ledger.creations) {
    const type = created[kind]
    if (id === null || type === undefined) continue
    verdict.checked++
    const count = counts.get(`${orgId} ${type} ${id}`) ?? 0
    if (count !== 1 && kind !== 'call') verdict.findings.push(`${count} events ${type} of ${id}`)
    if (count > 1 && kind === 'call') verdict.findings.push(`${count} events ${type} of ${id}`)
  }
  for (const { orgId, type, objectId, acknowledged, doubtful } of ledger.effects.values()) {
    verdict.checked++
    const count = counts.get(`${orgId} ${type} ${objectId}`) ?? 0
    if (count < acknowledged || count > acknowledged + doubtful)
      verdict.findings.push(
        `${count} events ${type} of ${objectId} for ${acknowledged} acknowledged and ${doubtful} doubtful effects`,
      )
  }
  return [verdict, await auditVersions({ ledger, rows })]
}

/** Checks that no answer contained a higher version than the stored one. */
async function auditVersions({ ledger, rows }: Pick<Audited, 'ledger' | 'rows'>): Promise<AuditResult> {
  const verdict: AuditResult = {
    name: 'versions are not lower than those in earlier answers',
    checked: 0,
    findings: [],
  }
  for (const kind of ['contact', 'company', 'deal', 'persona'])
    for (const { id, version } of await rows<{ id: string; version: number }>(
      `select ${kind}_id::text as id, version from ${kind}`,
    )) {
      const highest = ledger.highestVersion(kind, id)
      if (highest === 0) continue
      verdict.checked++
      if (version < highest)
        verdict.findings.push(`${kind} ${id} has version ${version}, and an answer had ${highest}`)
    }
  return verdict
}
