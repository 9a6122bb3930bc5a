import { markers } from '../orgs.ts'
import type { Audited, AuditResult } from './audited.ts'

const uuids = /[0-9a-f]{8}-[0-9a-f]{4}-[78][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** Checks that no row of an org contains another org's marker, or refers to its data. */
export async function auditTenancy({ actors, rows, ledger }: Audited): Promise<AuditResult[]> {
  const verdict: AuditResult = { name: 'no row contains data of another org', checked: 0, findings: [] }
  const relatives = new Map(actors.map(({ orgId, relatives }) => [orgId, relatives]))
  for (const [sandbox, parent] of ledger.sandboxes)
    relatives.set(sandbox, new Set([sandbox, ...(relatives.get(parent) ?? [])]))
  const tables = await rows<{ name: string; key: string | null }>(`
    select c.table_name as name, (
      select string_agg(k.column_name, ',' order by k.ordinal_position) from information_schema.key_column_usage k
      join information_schema.table_constraints t using (constraint_schema, constraint_name)
      where t.table_schema = 'public' and t.table_name = c.table_name and t.constraint_type = 'PRIMARY KEY') as key
    from information_schema.columns c join information_schema.tables using (table_schema, table_name)
    where c.table_schema = 'public' and c.column_name = 'org_id' and table_type = 'BASE TABLE' order by 1`)
  const owners = new Map<string, string>(actors.map(({ orgId }) => [orgId, orgId]))
  for (const { name, key } of tables) {
    const [, id] = /^org_id,(\w+_id)$/.exec(key ?? '') ?? []
    if (!id) continue
    for (const row of await rows<{ org: string; id: string }>(
      `select org_id::text as org, ${id}::text as id from ${name}`,
    ))
      owners.set(row.id, row.org)
  }
  for (const { name } of tables) {
    // A stored answer is JSON in a bytea column.
    const text =
      name === 'idempotency_key'
        ? `case when secret_of is null then convert_from(coalesce(body, ''), 'UTF8') else '' end`
        : 't::text'
    for (const row of await rows<{ org: string; text: string }>(
      `select org_id::text as org, ${text} as text from ${name} t`,
    )) {
      verdict.checked++
      const may = relatives.get(row.org)
      const isStrange = (owner: string) => owner !== row.org && !may?.has(owner)
      for (const [marker] of row.text.matchAll(markers))
        if (!may?.has(marker)) verdict.findings.push(`a row of ${name} of ${row.org} holds ${marker}`)
      for (const [id] of row.text.matchAll(uuids)) {
        const owner = owners.get(id)
        if (owner !== undefined && isStrange(owner))
          verdict.findings.push(`a row of ${name} of ${row.org} names ${id} of ${owner}`)
      }
    }
  }
  return [verdict]
}
