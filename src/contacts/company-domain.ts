import { requirePermission } from '../auth/permissions.ts'
import { companies } from '../companies/companies.ts'
import { domainOfWebsite } from '../normalize/website.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { companiesOfDomains } from '../records/companies-of-domains.ts'
import { domain } from '../records/fields.ts'
import { type NamedReference, type NewRecord, notCreated } from '../records/record-type.ts'
import { toCompany } from '../records/references.ts'

const member = 'company_domain'

export const companyByDomain: NamedReference = {
  member,
  field: toCompany.field,
  schema: domain
    .nullable()
    .optional()
    .describe(
      'A domain or website. The contact gets the company with this domain, or the oldest of several. If no company has it, the request creates one with the name `company_name`. A host that many companies share, such as gmail.com, gives no company. Needs `companies:write`. Not together with `company_id`.',
    ),
  title: 'NewContact',
  admit: (caller) => requirePermission(caller, 'companies:write'),
  resolve: linkCompanies,
}

async function linkCompanies(
  tx: OrgTx,
  contacts: readonly NewRecord[],
  importId: string | null,
  dryRun = false,
): Promise<void> {
  const names = new Map<string, unknown>()
  for (const { fields } of contacts) {
    const sent = fields[member]
    if (typeof sent === 'string' && !names.get(sent)) names.set(sent, fields.company_name)
  }
  const domains = [...names.keys()].filter((each) => domainOfWebsite(each) !== null)
  if (domains.length === 0) return
  const source = importId === null ? {} : { source: 'import' }
  const fieldsOf = (each: string) => ({ name: names.get(each), ...source })
  const ids = await companiesOfDomains(tx, companies, domains, fieldsOf, importId, dryRun)
  for (const { fields, state } of contacts) {
    const sent = fields[member] as string
    const companyId = ids.get(sent)
    if (companyId !== undefined) state[toCompany.rawColumn] = companyId
    if (domains.includes(sent)) fields[toCompany.field] = companyId ?? notCreated
  }
}
