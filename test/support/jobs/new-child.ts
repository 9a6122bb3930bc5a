import { createOrg, linkOrgs } from '../../../src/orgs/operator.ts'
import { sql } from '../../../src/platform/db/sql.ts'
import type { TestApp } from '../app.ts'

/** Creates an organization that is a client of an agency, or a sandbox of another organization. Returns its id. */
export const newChild = (
  app: TestApp,
  { agency, owner }: { agency?: string; owner?: string },
): Promise<string> =>
  app.operate(async (tx) => {
    const orgId = await createOrg(tx, { name: 'Child', isAgency: false, country: null })
    if (agency) await linkOrgs(tx, agency, orgId)
    if (owner) await tx.run(sql`update org set sandbox_of = ${owner} where org_id = ${orgId}`)
    return orgId
  })
