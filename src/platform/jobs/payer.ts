import { type Sql, sql } from '../db/sql.ts'

// A sandbox counts with its owner, and a client with its agency: each new client or sandbox would get a share of its own
// otherwise. If a client has several agencies, the oldest link counts.

/** Joins the tables `payer_org` and `payer_agency`, from which `payerId` reads. */
export const joinPayer = (orgId: Sql): Sql => sql`
  left join org payer_org on payer_org.org_id = ${orgId}
  left join lateral (
    select l.agency_org_id from agency_client l
    where l.client_org_id = coalesce(payer_org.sandbox_of, payer_org.org_id)
    order by l.created_at, l.agency_org_id limit 1
  ) as payer_agency on true`

/** The agency of an organization, or the owner of a sandbox; null: the organization has neither, and pays itself. */
export const payerId: Sql = sql`coalesce(payer_agency.agency_org_id, payer_org.sandbox_of)`
