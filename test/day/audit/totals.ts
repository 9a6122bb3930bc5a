import { ActorClient } from '../actions/action.ts'
import { inTheEnd, possibleValues } from '../ledger.ts'
import type { Audited, AuditResult } from './audited.ts'

const lists: Record<string, { id: string; from: string; query?: Record<string, string> }> = {
  list_contacts: { id: 'contact_id', from: `contact where status = 'active'` },
  list_companies: { id: 'company_id', from: `company where status = 'active'` },
  list_deals: { id: 'deal_id', from: `deal where status = 'active'` },
  list_merges: { id: 'merge_id', from: `merge where status in ('applied', 'undone')` },
  list_scans: { id: 'scan_id', from: 'duplicate_scan where true' },
  list_personas: { id: 'persona_id', from: 'persona where archived_at is null' },
  list_voice_numbers: { id: 'number_id', from: 'voice_number where true' },
  list_suppressions: { id: 'suppression_id', from: 'voice_suppression where true' },
  list_calls: { id: 'call_id', from: 'call where true' },
  list_signature_templates: { id: 'template_id', from: 'signature_template where true' },
  list_mailboxes: { id: 'mailbox_id', from: 'signature_mailbox where true' },
  list_signature_pushes: { id: 'push_id', from: 'signature_push where true' },
  list_crm_connections: { id: 'connection_id', from: 'crm_connection where deleted_at is null' },
  list_crm_jobs: { id: 'job_id', from: 'crm_job where true' },
  list_bulk_changes: { id: 'bulk_change_id', from: 'bulk_change where true' },
  list_imports: { id: 'import_id', from: `import where status <> 'uploading'` },
  list_events: { id: 'event_id', from: 'event where true' },
}
const fieldsOf: Record<string, [kind: string, fields: string[]]> = {
  list_contacts: ['contact', ['city', 'job_title', 'region']],
  list_companies: ['company', ['city', 'industry']],
  list_deals: ['deal', ['owner_email', 'status']],
  list_personas: ['persona', ['greeting', 'description', 'status']],
}

/** Checks that each list shows the stored rows and the right total, in agreement with other answers. */
export async function auditLists(audited: Audited): Promise<AuditResult[]> {
  const complete: AuditResult = {
    name: 'lists are complete, and their totals are exact',
    checked: 0,
    findings: [],
  }
  const values: AuditResult = { name: 'lists show the last written values', checked: 0, findings: [] }
  const { actors, ledger, requests, rows } = audited
  for (const [name, { id, from }] of Object.entries(lists)) {
    const all = Map.groupBy(
      await rows<{ org: string; id: string }>(`select org_id::text as org, ${id}::text as id from ${from}`),
      ({ org }) => org,
    )
    for (const actor of actors) {
      const there = new Set((all.get(actor.orgId) ?? []).map((row) => row.id))
      const { shown, total } = await walk(new ActorClient(actor, requests), name)
      complete.checked++
      const ids = new Set(shown.map((row) => String(row[id])))
      const missing = there.difference(ids)
      if (ids.size !== shown.length)
        complete.findings.push(`${name} of ${actor.marker} shows something twice`)
      if (missing.size > 0)
        complete.findings.push(`${name} of ${actor.marker} leaves out ${[...missing].slice(0, 3)}`)
      if (ids.size !== there.size || total !== there.size)
        complete.findings.push(
          `${name} of ${actor.marker}: ${ids.size} listed, total ${total}, ${there.size} stored`,
        )
      const [kind, fields] = fieldsOf[name] ?? []
      for (const row of kind ? shown : [])
        for (const field of fields ?? []) {
          const writes = ledger.writes.get(`${kind} ${row[id]} ${field}`)
          if (!writes) continue
          values.checked++
          if (!possibleValues(writes, inTheEnd).has(row[field]))
            values.findings.push(`${kind} ${row[id]} ${field} is listed as ${String(row[field])}`)
        }
    }
  }
  return [complete, values, await auditTotals(audited)]
}

async function walk(api: ActorClient, name: string) {
  const shown: Record<string, unknown>[] = []
  for (let cursor: string | null = ''; ; ) {
    const answer = await api.send(name, { query: { limit: 100, ...(cursor && { cursor }) } })
    shown.push(...answer.body.data)
    cursor = answer.body.pagination.next_cursor
    if (cursor === null) return { shown, total: answer.body.pagination.total as number }
  }
}

async function auditTotals({ rows }: Audited): Promise<AuditResult> {
  const verdict: AuditResult = { name: 'stored totals equal the counted rows', checked: 0, findings: [] }
  const everyRow = ['event', 'call', 'voice_suppression']
  const counts = ['contact', 'company', 'deal', ...everyRow].map(
    (name) =>
      `select org_id, '${name}' as entity, count(*) as n from ${name} ${everyRow.includes(name) ? '' : `where status = 'active'`} group by 1`,
  )
  const ofOwners = ['contact', 'company', 'deal'].map(
    (name) =>
      `select org_id, '${name} of ' || owner_id, count(*) from ${name} where status = 'active' and owner_id is not null group by org_id, owner_id`,
  )
  const ofTags = ['contact', 'company', 'deal'].map(
    (name) =>
      `select org_id, '${name} tagged ' || app.tag_counted(tag), count(*) from ${name}, unnest(tags) as tag where status = 'active' group by org_id, tag`,
  )
  const ofStages = `select org_id, 'deal in ' || stage, count(*) from deal where status = 'active' group by org_id, stage`
  const kept = `select org_id, entity, sum(n) as n from (
    select org_id, entity, total as n from record_total union all select org_id, entity, delta from record_delta) as k group by 1, 2`
  const shape = 'org_id, deal_status, stage, month, close_reason_id, currency'
  const deals = `select org_id, deal_status, app.stage_counted(deal_status, stage) as stage, app.month_counted(closed_at) as month,
    close_reason_id, currency, count(*) as n, sum(coalesce(amount_cents, 0)) as cents from deal where status = 'active' group by 1, 2, 3, 4, 5, 6`
  const dealsKept = `select ${shape}, sum(n) as n, sum(cents) as cents from (
    select ${shape}, deals as n, amount_cents as cents from deal_total
    union all select ${shape}, deals, amount_cents from deal_delta) as k group by ${shape}`
  const differing = [
    `select 'record', k.org_id, entity, k.n as kept, c.n as counted from (${kept}) as k
     full join (${[...counts, ...ofOwners, ...ofTags, ofStages].join(' union all ')}) as c using (org_id, entity) where coalesce(k.n, 0) <> coalesce(c.n, 0)`,
    `select 'deals', * from ((${dealsKept}) except (${deals})) as more where n <> 0 or cents <> 0`,
    `select 'deals', * from ((${deals}) except (${dealsKept})) as fewer`,
  ]
  for (const text of differing) {
    verdict.checked++
    for (const row of await rows(text)) verdict.findings.push(JSON.stringify(row))
  }
  return verdict
}
