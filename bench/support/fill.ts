// Makes orgs of any size, by statements that insert all rows at once.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from 'pg'
import { type Bench, connected } from './installation.ts'

/** An org of the benchmark, with the number of its contacts and one key. */
export type Filled = { size: number; orgId: string; token: string }

/** The start of the ids of each kind. The rest of an id is the number of the object. */
const kinds = {
  contact: 1,
  company: 2,
  deal: 3,
  event: 4,
  merge: 5,
  call: 6,
  persona: 7,
  template: 8,
  push: 9,
  rollout: 10,
  connection: 11,
  job: 12,
  import: 13,
  scan: 14,
  number: 15,
} as const
type Kind = keyof typeof kinds

// Ten million records, 10 s apart, are all in the past: the event log has no partitions for later years.
const firstMs = Date.UTC(2023, 0, 1)
const apartMs = 10_000

/** The id of number `n` of a kind, equal in all orgs: a UUIDv7 whose time increases with `n`. */
export function idOf(kind: Kind, n: number): string {
  const hex = (firstMs + n * apartMs).toString(16).padStart(12, '0')
  const rest = (kinds[kind] * 2 ** 40 + n).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${rest}`
}

/** SQL of the id of record `n` of a kind. `n` is SQL too. */
function id(kind: Kind, n = 'n'): string {
  const hex = `lpad(to_hex(${firstMs} + (${n})::bigint * ${apartMs}), 12, '0')`
  const rest = `lpad(to_hex(${kinds[kind] * 2 ** 40} + (${n})::bigint), 12, '0')`
  return `(substr(${hex}, 1, 8) || '-' || substr(${hex}, 9) || '-7000-8000-' || ${rest})::uuid`
}
const at = (n = 'n') => `to_timestamp((${firstMs} + (${n})::bigint * ${apartMs}) / 1000.0)`
/** SQL of the hash that `keyHash` in src/records/keys.ts computes. */
const hashOf = (kind: string, value: string) =>
  `('x' || encode(substr(sha256(convert_to('${kind}', 'UTF8') || '\\x00' || convert_to(${value}, 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint`

const given = `(array['Ada','Grace','Connor','Emily','Joshua','Sienna','Harley','Madeline','Benjamin','Olivia'])[1 + n % 10]`
const phone = `'+1415555' || lpad((n % 10000)::text, 4, '0')`

/** How many other objects an org with this many contacts has. */
export const counts = (size: number) => ({
  companies: Math.ceil(size / 5),
  deals: Math.ceil(size / 10),
  merges: Math.ceil(size / 50),
  mailboxes: Math.ceil(size / 100),
  items: Math.ceil(size / 10),
  jobs: Math.ceil(size / 1_000),
})

/** The statements that fill the org of $1, for two connections. */
function statements(size: number, custom: string): [string[], string[]] {
  const { companies, deals, merges, mailboxes, items, jobs } = counts(size)
  const rows = (count: number) => `generate_series(0, ${count - 1}) as n`
  const words = (...sql: string[]) =>
    `array_to_tsvector(array[${sql.map((word) => `right($1::uuid::text, 8) || ':' || lower(${word})`).join(', ')}])`
  const keys = (entity: string, kind: string, value: string, count: number) =>
    `insert into ${entity}_key select $1, '${kind}', ${hashOf(kind, value)}, ${id(entity as Kind)} from ${rows(count)}`
  const tagged = (entity: string) =>
    `insert into record_total select $1, '${entity} tagged ' || app.tag_counted(tag), count(*)
     from ${entity}, unnest(tags) as tag where org_id = $1 group by tag`
  const connection = id('connection', '0')
  return [
    [
      `insert into contact (org_id, contact_id, email, emails, phone, phones, first_name, last_name, company_raw_id, company_id,
         company_name, job_title, city, country, tags, custom, external_ids, source, search, created_at, updated_at)
       select $1, ${id('contact')}, 'p' || n || '@x.example', array['p' || n || '@x.example'], ${phone}, array[${phone}], ${given},
         'Last' || n % 5000, c, c, 'Company ' || n % ${companies}, 'Engineer', 'London', 'GB',
         array['t' || n % 1000] || case n % 10 when 0 then array['tenth'] end,
         ${custom}, jsonb_build_object('crm', n::text), 'bench',
         ${words(given, `'last' || n % 5000`, `'p' || n || '@x.example'`, phone, `'company'`, `(n % ${companies})::text`)}, ${at()}, ${at()}
       from ${rows(size)}, lateral (select ${id('company', `n % ${companies}`)} as c) as company`,
      keys('contact', 'email', `'p' || n || '@x.example'`, size),
      keys('contact', 'phone', phone, size),
      keys('contact', 'tag', `'t' || n % 1000`, size),
      `insert into contact_key select $1, 'tag', ${hashOf('tag', `'tenth'`)}, ${id('contact', 'n * 10')} from ${rows(Math.ceil(size / 10))}`,
      tagged('contact'),
    ],
    [
      `insert into company (org_id, company_id, name, domain, domains, industry, search, created_at, updated_at)
       select $1, ${id('company')}, 'Company ' || n, 'x' || n || '.example', array['x' || n || '.example'], 'Software',
         ${words(`'company'`, 'n::text', `'x' || n || '.example'`)}, ${at()}, ${at()} from ${rows(companies)}`,
      keys('company', 'domain', `'x' || n || '.example'`, companies),
      `insert into deal (org_id, deal_id, name, amount_cents, currency, stage, deal_status, closed_at, company_raw_id, company_id,
         tags, search, created_at, updated_at)
       select $1, ${id('deal')}, 'Deal ' || n, n * 100, 'USD', (array['New','Qualified','Proposal'])[1 + n % 3],
         case n % 4 when 0 then 'won' else 'open' end, case n % 4 when 0 then ${at()} end,
         ${id('company', `n % ${companies}`)}, ${id('company', `n % ${companies}`)}, array['t' || n % 1000],
         ${words(`'deal'`, 'n::text')}, ${at()}, ${at()} from ${rows(deals)}`,
      keys('deal', 'tag', `'t' || n % 1000`, deals),
      `insert into deal_contact (org_id, deal_id, contact_raw_id, contact_id, position)
       select $1, ${id('deal')}, c, c, 0 from ${rows(deals)}, lateral (select ${id('contact', `n * 10 % ${size}`)} as c) as contact`,
      `insert into deal_total select $1, deal_status, app.stage_counted(deal_status, stage), app.month_counted(closed_at),
         close_reason_id, currency, count(*), sum(amount_cents) from deal where org_id = $1 group by 2, 3, 4, 5, 6`,
      `insert into record_total values ($1, 'contact', ${size}), ($1, 'company', ${companies}), ($1, 'deal', ${deals}),
         ($1, 'event', ${size})`,
      `insert into record_total select $1, 'deal in ' || stage, count(*) from deal where org_id = $1 group by stage`,
      tagged('deal'),
      `insert into event (org_id, event_id, type, object_id, mode, changed, created_at)
       select $1, ${id('event')}, case n % 50 when 0 then 'contact.updated' else 'contact.created' end, ${id('contact')}, 'live',
         case n % 50 when 0 then '{city}'::text[] end, ${at()} from ${rows(size)}`,
      `insert into match_key select $1, 1, kind, hashint8(n * 7 + kind)::bigint << 20, ${id('contact')}
       from ${rows(size)}, generate_series(1, 2) as kind`,
      `insert into merge (org_id, merge_id, merge_group_id, entity, status, survivor_id, loser_id, seq, rule, score, method, merged_at)
       select $1, ${id('merge')}, ${id('merge')}, 'contact', case n % 2 when 0 then 'shadow' else 'undone' end,
         ${id('contact', 'n * 2')}, ${id('contact', 'n * 2 + 1')}, case n % 2 when 1 then n end, 'same_email', 0.9, 'api',
         case n % 2 when 1 then ${at()} end from ${rows(merges)}`,
      `insert into call (org_id, call_id, mode, status, provider, to_number, from_number, variables, metadata, duration_seconds,
         created_at, ended_at)
       select $1, ${id('call')}, 'live', case n % 10 when 0 then 'busy' else 'completed' end, 'simulator', ${phone}, '+14155550123',
         '{}', '{}', 60, ${at()}, ${at()} from ${rows(size)}`,
      `insert into record_total select $1, 'call', ${size} where exists (select from pg_trigger where tgrelid = 'call'::regclass and tgname = 'count_appended')`,
      `insert into voice_settings (org_id, concurrent_call_cap) values ($1, 1000)`,
      `insert into voice_number (org_id, number_id, number) select $1, ${id('number')}, '+14155550' || (123 + n)::text from ${rows(20)}`,
      `insert into persona (org_id, persona_id, name) select $1, ${id('persona')}, 'Mia ' || n from ${rows(50)}`,
      `insert into signature_template (org_id, template_id, name, html, created_at, updated_at)
       select $1, ${id('template')}, 'Plain ' || n, '<b>{{ display_name }}</b>', now(), now() from ${rows(50)}`,
      `insert into signature_mailbox (org_id, email, email_key, display_name, provider, template_id, fields)
       select $1, e, e, 'Ada', 'sandbox', ${id('template', 'n % 2')}, '{}'
       from ${rows(mailboxes)}, lateral (select 'm' || n || '@mail.example' as e) as email`,
      `insert into signature_rollout values ($1, ${id('rollout', '0')}, ${id('template', '0')}, 1, 'live', null, now())`,
      `with m as (select mailbox_id, row_number() over () - 1 as n from signature_mailbox where org_id = $1)
       insert into signature_push (org_id, push_id, mailbox_id, mode, version, number, rollout_id, outcome, revision, created_at, finished_at)
       select $1, ${id('push')}, mailbox_id, 'live', 1, 1, ${id('rollout', '0')}, 'installed', 1, now(), now() from m`,
      `insert into signature_deployment (org_id, mailbox_id, mode, status, asked, taken, done, in_bulk, try_at, revision, html_sha256, installed_at)
       select $1, mailbox_id, 'live', 'installed', 1, 1, 1, false, now(), 1, '', now() from signature_mailbox where org_id = $1`,
      `insert into sandbox_signature select $1, 'live', mailbox_id, '<b>Ada</b>', 'Ada', 1, now() from signature_mailbox where org_id = $1`,
      `insert into crm_connection (org_id, connection_id, provider, name, system, field_map, settings, created_at, updated_at)
       values ($1, ${connection}, 'sandbox', 'Sandbox', 'sandbox', '{}', '{}', now(), now())`,
      `insert into crm_job (org_id, job_id, kind, status, connection_id, mode, selection, large_population_confirmed, threshold, failed, created_at, finished_at)
       select $1, ${id('job')}, 'contacts_push', 'partially_succeeded', ${connection}, 'live', '{}', true, 1000, ${Math.ceil(items / 100)}, ${at()}, ${at()} from ${rows(jobs)}`,
      `insert into crm_job_item select $1, ${id('job', '0')}, ${id('contact')}, case n % 100 when 0 then 'failed' else 'created' end,
         case n % 100 when 0 then null else n::text end, case n % 100 when 0 then json_build_object('code', 'refused', 'message', 'refused') end from ${rows(items)}`,
      `insert into crm_link select $1, ${connection}, 'live', 'contact', ${id('contact')}, n::text, '', now() from ${rows(items)}`,
      `insert into crm_sandbox_record select $1, ${connection}, 'live', 'contact', ${id('contact')}, ${id('contact')}, '{}', now(), now() from ${rows(items)}`,
      `insert into import (org_id, import_id, entity, status, mode, refused_count, created_at)
       select $1, ${id('import')}, 'contact', 'succeeded', 'live', ${mailboxes}, ${at()} from ${rows(100)}`,
      `insert into import_refusal select $1, ${id('import', '0')}, n, 'no address' from ${rows(mailboxes)}`,
      `insert into duplicate_scan (org_id, scan_id, entity, mode, status, created_at)
       select $1, ${id('scan')}, 'contact', 'live', 'succeeded', ${at()} from ${rows(50)}`,
      `insert into idempotency_key (org_id, scope, fingerprint, status, headers, body, expires_at)
       select $1, sha256(convert_to(n::text, 'UTF8')), '\\x00', 201, '{}', '\\x7b7d', now() + interval '10 years' from ${rows(items)}`,
    ],
  ]
}

const keptFrom = 100_000

const plainCustom = `'{"plan":"basic"}'`

/**
 * Returns an org with this many contacts. A large org comes from the folder if this version of the file has filled
 * it. Small orgs are always new.
 * @param custom SQL of the member `custom` of contact `n`
 */
export async function filledOrg(
  bench: Bench,
  folder: string,
  size: number,
  custom: string = plainCustom,
): Promise<Filled> {
  const source = createHash('sha256')
    .update(readFileSync(import.meta.filename))
    .update(custom)
    .digest('hex')
  const path = join(folder, `org-${size}-${source.slice(0, 8)}.json`)
  // Indexes are missing while a large org is filled.
  const unfinished = join(folder, 'unfinished-fill')
  if (existsSync(unfinished))
    throw new Error(`An earlier run stopped while it filled the database: delete ${folder}`)
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8'))
  const filled = { size, ...(await bench.newOrg()) }
  if (size >= keptFrom) writeFileSync(unfinished, '')
  await fillOrg(bench.url, filled, custom)
  if (size >= keptFrom) writeFileSync(path, JSON.stringify(filled))
  rmSync(unfinished, { force: true })
  return filled
}

/** Fills an empty org. `url` must log in as a superuser. */
export function fillOrg(
  url: string,
  org: Pick<Filled, 'size' | 'orgId'>,
  custom: string = plainCustom,
): Promise<void> {
  return connected(url, (client) => fill(client, url, org, custom))
}

async function fill(
  client: Client,
  url: string,
  { size, orgId }: Pick<Filled, 'size' | 'orgId'>,
  custom: string,
): Promise<void> {
  const [first, others] = statements(size, custom)
  // Drop the indexes and build them at the end, which is much faster. Do this only if the tables have few other rows.
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select c.relname as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid in ('contact'::regclass, 'event'::regclass, 'call'::regclass, 'deal'::regclass) and not i.indisprimary`,
  )
  const indexes = size >= keptFrom ? rows : []
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  const run = (list: readonly string[]) =>
    connected(url, async (each) => {
      // Skip triggers and foreign keys. Other statements write the totals.
      await each.query(
        `set session_replication_role = replica; set synchronous_commit = off; set work_mem = '256MB'`,
      )
      for (const text of list) await each.query(text, text.includes('$1') ? [orgId] : [])
    })
  await Promise.all([run(first), run(others)])
  const build = (list: typeof rows) =>
    connected(url, async (each) => {
      await each.query(`set maintenance_work_mem = '512MB'; set max_parallel_maintenance_workers = 0`)
      for (const { definition } of list) await each.query(definition)
    })
  await Promise.all([0, 1].map((half) => build(indexes.filter((_, index) => index % 2 === half))))
  await client.query(size >= keptFrom ? 'vacuum (analyze, parallel 0)' : 'analyze')
  if (size >= keptFrom) await client.query('checkpoint')
}
