import type { Audited, AuditResult } from './audited.ts'

const living = `('active', 'archived')`

const forbidden: Record<string, string> = {
  'references name a record that is merged or erased': `
    select 'contact.company_id' as what, c.contact_id as id from contact c join company o using (org_id, company_id)
      where c.status in ${living} and o.status not in ${living}
    union all select 'deal.company_id', d.deal_id from deal d join company o using (org_id, company_id)
      where d.status in ${living} and o.status not in ${living}
    union all select 'deal_contact.contact_id', x.deal_id from deal_contact x join contact c using (org_id, contact_id)
      join deal d using (org_id, deal_id) where d.status in ${living} and c.status not in ${living}
    union all select 'deal_contact.deal_id', x.deal_id from deal_contact x join deal d using (org_id, deal_id)
      where d.status = 'erased'`,
  'every merged record leads to an existing record': ['contact', 'company', 'deal']
    .map(
      (name) => `
    select '${name}' as what, m.${name}_id as id from ${name} m left join ${name} r
      on r.org_id = m.org_id and r.${name}_id = m.merged_into_id
    where (m.status <> 'erased' and (m.status = 'merged') <> (m.merged_into_id is not null))
      or (m.merged_into_id is not null and r.status not in ('active', 'archived', 'erased'))`,
    )
    .join(' union all '),
  'every merged record has exactly one applied merge, and other records have none': [
    'contact',
    'company',
    'deal',
  ]
    .map(
      (name) => `
    select '${name}' as what, r.${name}_id as id from ${name} r
    where r.status <> 'erased' and (r.status = 'merged') <> exists (select from merge m where m.org_id = r.org_id
      and m.entity = '${name}' and m.loser_id = r.${name}_id and m.status = 'applied')`,
    )
    .join(' union all '),
  'only active records have lookup keys': ['contact', 'company', 'deal']
    .map(
      (name) => `
    select '${name}_key' as what, k.${name}_id as id from ${name}_key k join ${name} r using (org_id, ${name}_id)
    where r.status <> 'active'`,
    )
    .join(' union all '),
  'the positions of close reasons are 1 to n': `
    select 'close_reason' as what, org_id as id from close_reason where position is not null
    group by org_id having count(*) <> max(position) or min(position) <> 1`,
}

/** Checks that merges are consistent, and that references point to existing records. */
export async function auditRecords({ rows }: Audited): Promise<AuditResult[]> {
  const verdicts: AuditResult[] = []
  for (const [name, text] of Object.entries(forbidden)) {
    const found = await rows<{ what: string; id: string }>(text)
    verdicts.push({ name, checked: 1, findings: found.map(({ what, id }) => `${what} ${id}`) })
  }
  return verdicts
}

/** Checks that each row of an accepted file exists once, except rows of canceled imports. */
export async function auditImports({ ledger, rows }: Audited): Promise<AuditResult[]> {
  const verdict: AuditResult = { name: 'each row of an import made one record', checked: 0, findings: [] }
  for (const { orgId, importId, isContacts, word, rows: sent, mayBeCanceled } of ledger.imports) {
    const [table, name] = isContacts ? ['contact', 'last_name'] : ['company', 'name']
    const [found] = await rows<{ rows: number; names: number }>(
      `select count(*)::int as rows, count(distinct ${name})::int as names from ${table}
       where org_id = $1 and import_id = $2 and ${name} like $3`,
      [orgId, importId, `${word}r%`],
    )
    const wanted = mayBeCanceled && found?.rows === 0 ? 0 : sent
    verdict.checked += wanted
    if (found?.rows !== wanted || found.names !== wanted)
      verdict.findings.push(
        `import ${importId} of ${wanted} rows made ${found?.rows}, ${found?.names} of them different`,
      )
  }
  return [verdict]
}
