import type { OrgTx } from '../../../platform/db/org-tx.ts'
import { rawSql, sql } from '../../../platform/db/sql.ts'
import type { Refused } from './reasons.ts'

/** Requests for a number: one in 24 hours, and two in 7 days. */
const perNumberAndDay = 1
const perNumberAndWeek = 2
/** Requests of a visitor in 24 hours. */
const perVisitor = 3
/** Open requests of an organization, in each mode. */
const openMax = 1_000
/** Automatic calls of an organization in 24 hours, over all forms. */
const automaticMax = 100

type Counts = { number_day: number; number_week: number; visitor: number; open: number }

// Literals, so that PostgreSQL knows that the partial indexes fit.
const isOpen = rawSql("status in ('waiting', 'scheduled')")
const counts = rawSql("status <> 'refused'")

/** Why a further request is refused; null: it is not. The caller holds the lock of the requests of the organization. */
export async function limitReached(
  tx: OrgTx,
  { number, visitorId, mode }: { number: string; visitorId: string; mode: 'live' | 'test' },
): Promise<Refused | null> {
  const found = await tx.first(sql<Counts>`
    select
      (select count(*)::int from call_back_request where org_id = ${tx.orgId} and number = ${number} and mode = ${mode}
        and ${counts} and (${isOpen} or created_at > now() - interval '24 hours')) as number_day,
      (select count(*)::int from call_back_request where org_id = ${tx.orgId} and number = ${number} and mode = ${mode}
        and ${counts} and created_at > now() - interval '7 days') as number_week,
      (select count(*)::int from call_back_request where org_id = ${tx.orgId} and visitor_id = ${visitorId}
        and mode = ${mode} and ${counts} and created_at > now() - interval '24 hours') as visitor,
      (select count(*)::int from call_back_request where org_id = ${tx.orgId} and mode = ${mode} and ${isOpen}) as open`)
  if (!found) throw new Error('PostgreSQL returned no counts')
  if (found.number_day >= perNumberAndDay || found.number_week >= perNumberAndWeek) return 'number_limit'
  if (found.visitor >= perVisitor) return 'visitor_limit'
  return found.open >= openMax ? 'waiting_limit' : null
}

/** Which limit of automatic calls in 24 hours is reached; null: none. Scheduled calls count. */
export async function automaticLimitReached(
  tx: OrgTx,
  { formId, mode, dailyLimit }: { formId: string; mode: 'live' | 'test'; dailyLimit: number },
): Promise<'form_limit' | 'organization_limit' | null> {
  const found = await tx.first(sql<{ form: number; org: number }>`
    select count(*)::int as org, (count(*) filter (where form_id = ${formId}))::int as form from call_back_request
    where org_id = ${tx.orgId} and automatic and mode = ${mode} and created_at > now() - interval '24 hours'`)
  if ((found?.form ?? 0) >= dailyLimit) return 'form_limit'
  return (found?.org ?? 0) >= automaticMax ? 'organization_limit' : null
}
