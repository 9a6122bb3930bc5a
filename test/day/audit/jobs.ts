import { setTimeout as delay } from 'node:timers/promises'
import type { Audited, AuditResult } from './audited.ts'

const waiting: Record<string, string> = {
  'jobs that wait or run': `select name || ' ' || state as what from pgboss.job where state in ('created', 'retry', 'active')`,
  'records that wait for a duplicate check': 'select entity::text as what from duplicate_check',
  scans: `select status as what from duplicate_scan where status in ('queued', 'running')`,
  'CRM jobs': `select status || ' ' || coalesce(error ->> 'message', '') as what from crm_job where status in ('queued', 'running')`,
  imports: `select status as what from import where status in ('queued', 'running', 'reverting')`,
  'bulk changes': `select status as what from bulk_change where status in ('queued', 'running')`,
  signatures: 'select status as what from signature_deployment where asked > done',
  calls: `select concat_ws(' ', provider, status, call_id, 'asked ' || checks || ' times, next at ' || check_at) as what
    from call where ended_at is null`,
  'references to be moved': 'select entity as what from child_move',
  'deleted sandboxes whose rows are not all deleted': `select sandbox_org_id::text as what from sandbox
    where status = 'deleted' and purge_at <= now()`,
  'match keys that are not computed yet': 'select entity as what from match_key_backlog',
  'requests whose effect is not finished': `select busy_until::text as what from idempotency_key
    where unfinished in (select call_id from call where ended_at is null)`,
}

async function left({ rows }: Pick<Audited, 'rows'>): Promise<string[]> {
  const found: string[] = []
  for (const [name, text] of Object.entries(waiting))
    for (const { what } of await rows<{ what: string }>(text)) found.push(`${name}: ${what}`)
  return found
}

/** Waits until all work has ended, for `withinMs` at most. Unfinished work is a fault. */
export async function drain(audited: Pick<Audited, 'rows'>, withinMs: number): Promise<AuditResult[]> {
  const until = Date.now() + withinMs
  for (;;) {
    const findings = await left(audited)
    if (findings.length === 0 || Date.now() > until) {
      const checked = Object.keys(waiting).length
      return [{ name: 'all background work has ended', checked, findings }, await auditFailed(audited)]
    }
    await delay(500)
  }
}

async function auditFailed({ rows }: Pick<Audited, 'rows'>): Promise<AuditResult> {
  const failed = await rows<{ what: string }>(
    `select name || ' ' || coalesce(output::text, '') as what from pgboss.job where state = 'failed'`,
  )
  return { name: 'no job ran out of retries', checked: 1, findings: failed.map(({ what }) => what) }
}

/** Checks that no transaction is open and no lock is held after all work has ended. */
export async function auditSessions({ rows }: Pick<Audited, 'rows'>): Promise<AuditResult[]> {
  // Count a lock only if two checks find it: workers that poll lock for a moment.
  const text = `
    select 'idle in transaction since ' || xact_start || ', process ' || pid as what from pg_stat_activity
      where state like 'idle in transaction%' and state_change < now() - interval '1 second'
    union all select 'advisory lock ' || objid || ' of process ' || pid from pg_locks
      where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`
  const once = new Set((await rows<{ what: string }>(text)).map(({ what }) => what))
  if (once.size > 0) await delay(5_000)
  const twice = (await rows<{ what: string }>(text)).map(({ what }) => what).filter((what) => once.has(what))
  return [{ name: 'no transaction or lock is left open', checked: 1, findings: twice }]
}
