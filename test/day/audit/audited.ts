import type { Ledger } from '../ledger.ts'
import type { Actor } from '../orgs.ts'
import type { Requests } from '../requests.ts'

/** The input of the audit: the answers, and access to the database and the API. */
export type Audited = {
  ledger: Ledger
  requests: Requests
  actors: readonly Actor[]
  rows<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>
}

export type AuditResult = { name: string; checked: number; findings: string[] }

export type Stored = {
  table: string
  id: string
  /** SQL of the nonce of the creation; null if only the id is known. */
  nonce: string | null
  /** SQL of the fields that clients write, by their names in the ledger. */
  fields: Record<string, string>
  /** SQL of a condition on rows that may remain when the object is deleted; by default, none may. */
  isThere?: string
}

const record = (name: string, more: Record<string, string>): Stored => ({
  ...{ table: name, id: `${name}_id`, nonce: 'source' },
  fields: { $status: 'status', ...more },
})
const word = (column: string) => `split_part(${column}, ' ', 1)`
const same = (...names: string[]) => Object.fromEntries(names.map((name) => [name, name]))

export const stored: Record<string, Stored> = {
  contact: record('contact', same('city', 'job_title', 'region')),
  'merged contact': record('contact', {}),
  company: record('company', same('city', 'industry')),
  'merged company': record('company', {}),
  deal: record('deal', { owner_email: 'owner_email', status: 'deal_status' }),
  'merged deal': record('deal', {}),
  deal_pipeline: {
    ...{ table: 'deal_pipeline', id: 'org_id', nonce: null },
    fields: { stages: 'array_to_json(stages)::text' },
  },
  close_reason: {
    ...{ table: 'close_reason', id: 'close_reason_id', nonce: word('label') },
    fields: { outcome: 'outcome', $archived: `case when archived_at is null then 'no' else 'yes' end` },
  },
  field: {
    ...{ table: 'field_definition', id: 'field_id', nonce: word('label') },
    fields: same('description'),
  },
  note: { table: 'note', id: 'note_id', nonce: word('text'), fields: {} },
  task: { table: 'task', id: 'task_id', nonce: word('title'), fields: same('text') },
  segment: { ...{ table: 'segment', id: 'segment_id', nonce: word('name') }, fields: same('q') },
  merge: { table: 'merge', id: 'merge_id', nonce: null, fields: same('status') },
  duplicate_settings: {
    ...{
      table: `(select * from duplicate_settings where entity = 'contact') as settings`,
      id: 'org_id',
      nonce: null,
    },
    fields: { contact: `settings ->> 'review_threshold'` },
  },
  persona: {
    ...{ table: 'persona', id: 'persona_id', nonce: word('name') },
    fields: same('greeting', 'description', 'status'),
  },
  voice_number: { table: 'voice_number', id: 'number_id', nonce: word('label'), fields: {} },
  voice_settings: {
    ...{ table: 'voice_settings', id: 'org_id', nonce: null },
    fields: { concurrent_call_cap: 'concurrent_call_cap::text' },
  },
  call: { table: 'call', id: 'call_id', nonce: `metadata ->> 'nonce'`, fields: same('status') },
  template: { table: 'signature_template', id: 'template_id', nonce: word('name'), fields: same('html') },
  mailbox: {
    ...{ table: 'signature_mailbox', id: 'mailbox_id', nonce: `split_part(email, '@', 1)` },
    fields: same('display_name'),
  },
  push: { table: 'signature_push', id: 'push_id', nonce: null, fields: {} },
  rollout: { table: 'signature_rollout', id: 'rollout_id', nonce: null, fields: {} },
  connection: {
    ...{ table: 'crm_connection', id: 'connection_id', nonce: word('name'), fields: {} },
    isThere: 'deleted_at is null',
  },
  crm_job: { table: 'crm_job', id: 'job_id', nonce: null, fields: {} },
  crm_settings: {
    ...{ table: 'crm_settings', id: 'org_id', nonce: null },
    fields: { threshold: 'threshold::text' },
  },
  tracking_settings: {
    ...{ table: 'tracking_settings', id: 'org_id', nonce: null },
    fields: { retention_days: 'retention_days::text' },
  },
  import: {
    // An upload whose process died leaves a row that no list shows. A later upload removes it.
    table: `(select * from import where status <> 'uploading') as import`,
    ...{ id: 'import_id', nonce: word('file_name'), fields: same('status') },
  },
  api_key: { table: 'api_key', id: 'api_key_id', nonce: word('name'), fields: {} },
  form: { table: 'form', id: 'form_id', nonce: word('name'), fields: {} },
  write_key: { table: 'write_key', id: 'write_key_id', nonce: word('name'), fields: {} },
  org: { table: 'org', id: 'org_id', nonce: word('name'), fields: same('default_country') },
}
