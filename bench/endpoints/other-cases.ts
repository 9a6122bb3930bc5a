// The cases of all endpoints that belong to no record type; see cases.ts.
import { randomInt } from 'node:crypto'
import { counts, idOf } from '../support/fill.ts'
import { bulkCases } from './bulk-cases.ts'
import { type Case, fresh, now } from './cases.ts'
import { crmCases } from './crm-cases.ts'
import type { Pools } from './subject.ts'
import { proposeMerges } from './subjects.ts'
import { webCases } from './web-cases.ts'
import { workCases } from './work-cases.ts'

const mailFrom = () => `m${fresh()}@new.example`
const template = () => ({ name: 'Plain', html: '<p><b>{{ display_name }}</b></p>' })

const keyCases: Case[] = [
  { endpoint: 'GET /organization' },
  { endpoint: 'GET /usage' },
  { endpoint: 'PATCH /organization', body: () => ({ default_country: 'US' }) },
  {
    endpoint: 'POST /agency/clients',
    agency: true,
    body: () => ({ name: 'Northwind' }),
    most: 20,
    notBare: true,
  },
  { endpoint: 'GET /agency/clients', agency: true, notBare: true },
  { endpoint: 'GET /agency/usage', agency: true, notBare: true },
  { endpoint: 'GET /agency/usage/totals', agency: true, notBare: true },
  { endpoint: 'POST /agency/invitations', agency: true, body: () => ({}), most: 20, notBare: true },
  { endpoint: 'GET /agency/invitations', agency: true, notBare: true },
  { endpoint: 'GET /organization/agencies' },
  { endpoint: 'GET /organization/sandboxes' },
  { endpoint: 'GET /voice/suppressions' },
  {
    endpoint: 'POST /voice/suppressions',
    body: () => ({ number: `+1303${String(randomInt(2_000_000, 9_999_999))}` }),
  },
  {
    ...{ endpoint: 'POST /api-keys', makes: ['new key', 'api_key_id'], most: 60, notBare: true },
    body: () => ({ name: 'Nightly sync', mode: 'test' }),
  },
  { endpoint: 'GET /api-keys' },
  { endpoint: 'GET /api-keys/{api_key_id}', id: (pools) => pools.peek('new key') },
  {
    ...{ endpoint: 'PATCH /api-keys/{api_key_id}', id: (pools) => pools.peek('new key') },
    body: () => ({ name: `Sync ${fresh()}` }),
  },
  {
    ...{ endpoint: 'POST /api-keys/{api_key_id}/rotate', id: (pools) => pools.take('new key'), most: 15 },
    ...{ body: () => ({ grace_seconds: 60 }), gives: 'rotated key', notBare: true },
  },
  {
    endpoint: 'DELETE /api-keys/{api_key_id}',
    id: (pools) => pools.take('new key'),
    most: 15,
    notBare: true,
  },
]

const merge = (pools: Pools) => {
  const [survivor_id, loser] = [pools.take('new contact'), pools.take('new contact')]
  return !survivor_id || !loser ? null : { entity_type: 'contact', survivor_id, loser_ids: [loser] }
}

const proposalsOf = (pools: Pools) => {
  const ids = [pools.take('new shadow'), pools.take('new shadow')].filter((id) => id !== null)
  return ids.length === 0 ? null : { merge_ids: ids }
}

const duplicateCases: Case[] = [
  {
    endpoint: 'POST /duplicates/merge',
    body: merge,
    makes: ['new merge', 'merge_id'],
    most: 25,
    notBare: true,
  },
  { endpoint: 'GET /duplicates/recent-merges', grows: 'counts them' },
  {
    endpoint: 'GET /duplicates/recent-merges',
    query: (pools) => `?rule=same_email&min_score=0.5&created_since=1&record_id=${pools.some('contact')}`,
  },
  {
    endpoint: 'GET /duplicates/merges/{merge_id}',
    id: (pools) => pools.some('merge', counts(pools.size).merges),
  },
  {
    ...{ endpoint: 'POST /duplicates/undo-merge/{id}', id: (pools) => pools.take('new merge'), most: 20 },
    ...{ body: () => ({}), gives: 'undone merge', notBare: true },
  },
  {
    ...{ endpoint: 'POST /duplicates/redo-merge/{id}', id: (pools) => pools.take('undone merge'), most: 18 },
    notBare: true,
  },
  { endpoint: 'GET /duplicates/settings' },
  { endpoint: 'PATCH /duplicates/settings', body: () => ({ contact: { review_threshold: 0.95 } }) },
  {
    endpoint: 'POST /duplicates/settings/preview',
    body: () => ({ contact: { review_threshold: 0.9 } }),
    ...{ most: 20, notBare: true, grows: 'judges the pairs of a week' },
  },
  {
    endpoint: 'GET /duplicates/candidates',
    query: (pools) => `?entity_type=contact&record_id=${pools.some('contact')}`,
  },
  {
    ...{ endpoint: 'POST /duplicates/shadow/{id}/apply', id: (pools) => pools.take('new shadow'), most: 20 },
    ...{ notBare: true, prepare: (subject) => proposeMerges(subject, 240) },
  },
  {
    ...{
      endpoint: 'POST /duplicates/shadow/{id}/dismiss',
      id: (pools) => pools.take('new shadow'),
      most: 20,
    },
    ...{ gives: 'dismissed shadow', notBare: true },
  },
  {
    endpoint: 'POST /duplicates/shadow/{id}/reopen',
    ...{ id: (pools) => pools.take('dismissed shadow'), most: 18, notBare: true },
  },
  {
    endpoint: 'POST /duplicates/shadow/apply',
    body: (pools) => proposalsOf(pools),
    ...{ most: 10, notBare: true },
  },
  {
    endpoint: 'POST /duplicates/shadow/dismiss',
    body: (pools) => proposalsOf(pools),
    ...{ most: 10, notBare: true },
  },
  { endpoint: 'POST /duplicates/scans', body: () => ({ entity_type: 'contact' }), most: 20, notBare: true },
  { endpoint: 'GET /duplicates/scans' },
  { endpoint: 'GET /duplicates/scans/{scan_id}', id: (pools) => pools.some('scan', 50) },
]

const persona = '/personas/{persona_id}'
const voiceCases: Case[] = [
  { endpoint: 'GET /personas' },
  {
    endpoint: 'POST /personas',
    body: () => ({ name: 'Mia' }),
    makes: ['new persona', 'persona_id'],
    most: 60,
  },
  { endpoint: `GET ${persona}`, id: (pools) => pools.some('persona', 50) },
  {
    endpoint: `PATCH ${persona}`,
    id: (pools) => pools.some('persona', 50),
    body: () => ({ greeting: fresh() }),
  },
  {
    ...{ endpoint: `POST ${persona}/archive`, id: (pools) => pools.take('new persona'), most: 50 },
    gives: 'archived persona',
  },
  {
    ...{ endpoint: `POST ${persona}/restore`, id: (pools) => pools.take('archived persona'), most: 50 },
    gives: 'restored persona',
  },
  { endpoint: `POST ${persona}/activate`, id: (pools) => pools.take('restored persona'), most: 50 },
  { endpoint: 'GET /voice/numbers' },
  {
    ...{ endpoint: 'POST /voice/numbers', makes: ['new number', 'number_id'], most: 60, notBare: true },
    body: () => ({ number: `+1415${randomInt(2_000_000, 9_999_999)}` }),
  },
  { endpoint: 'DELETE /voice/numbers/{number_id}', id: (pools) => pools.take('new number'), most: 25 },
  { endpoint: 'GET /voice/settings' },
  { endpoint: 'PATCH /voice/settings', body: () => ({ concurrent_call_cap: 1000 }) },
  {
    ...{ endpoint: 'POST /voice/calls', makes: ['new call', 'call_id'], most: 50, notBare: true },
    body: () => ({ to_number: '+12025550100', from_number: '+14155550123' }),
  },
  { endpoint: 'GET /voice/calls' },
  { endpoint: 'GET /voice/calls', query: () => '?status=busy', grows: 'counts what the filter finds' },
  {
    endpoint: 'GET /voice/calls',
    query: () => `?to_number=%2B1415555${String(randomInt(10_000)).padStart(4, '0')}`,
    grows: 'counts what the filter finds',
  },
  { endpoint: 'GET /voice/calls/{call_id}', id: (pools) => pools.some('call') },
  {
    endpoint: 'POST /voice/calls/{call_id}/cancel',
    id: (pools) => pools.take('new call'),
    most: 40,
    notBare: true,
  },
  { endpoint: 'GET /voice/usage' },
]

const mailbox = '/signatures/mailboxes/{mailbox_id}'
const oneTemplate = '/signatures/templates/{template_id}'
const signatureCases: Case[] = [
  { endpoint: 'GET /signatures/templates', grows: 'counts the mailboxes of each' },
  {
    endpoint: 'POST /signatures/templates',
    body: template,
    makes: ['new template', 'template_id'],
    most: 60,
  },
  { endpoint: `GET ${oneTemplate}`, id: () => idOf('template', randomInt(2, 50)) },
  { endpoint: `PATCH ${oneTemplate}`, id: () => idOf('template', randomInt(2, 50)), body: template },
  { endpoint: `DELETE ${oneTemplate}`, id: (pools) => pools.take('new template'), most: 50 },
  {
    ...{ endpoint: `POST ${oneTemplate}/push`, id: () => idOf('template', 0), body: () => ({ version: 1 }) },
    ...{ most: 2, grows: 'asks for a push of each of its mailboxes', notBare: true },
  },
  { endpoint: 'GET /signatures/mailboxes', grows: 'counts them' },
  {
    ...{
      endpoint: 'POST /signatures/mailboxes',
      makes: ['new mailbox', 'mailbox_id'],
      notBare: true,
      most: 150,
    },
    body: () => ({ email: mailFrom(), template_id: idOf('template', 5), fields: { title: 'Head' } }),
  },
  { endpoint: `GET ${mailbox}`, id: (pools) => pools.peek('mailbox') },
  {
    endpoint: `PATCH ${mailbox}`,
    id: (pools) => pools.peek('mailbox'),
    body: () => ({ fields: { title: fresh() } }),
    notBare: true,
  },
  { endpoint: `GET ${mailbox}/preview`, id: (pools) => pools.peek('mailbox') },
  { endpoint: `GET ${mailbox}/sandbox`, id: (pools) => pools.peek('mailbox') },
  {
    ...{ endpoint: `POST ${mailbox}/push`, id: (pools) => pools.take('new mailbox'), most: 60 },
    ...{ body: () => ({ version: 1 }), gives: 'pushed mailbox', notBare: true },
  },
  { endpoint: `DELETE ${mailbox}`, id: (pools) => pools.take('pushed mailbox'), most: 50, notBare: true },
  { endpoint: 'GET /signatures/pushes', grows: 'counts them' },
  {
    endpoint: 'GET /signatures/pushes/{push_id}',
    id: (pools) => pools.some('push', counts(pools.size).mailboxes),
  },
  {
    ...{ endpoint: 'GET /signatures/rollouts/{rollout_id}', id: () => idOf('rollout', 0) },
    grows: 'counts its pushes',
  },
  { endpoint: 'GET /signatures/settings' },
  { endpoint: 'PATCH /signatures/settings', body: () => ({ gmail: { service_account: null } }) },
]

const csv = { contacts: 'Mail\nada@example.com\n', companies: 'Company\nAcme\n' }
const importCases: Case[] = [
  {
    ...{ endpoint: 'POST /contacts/imports', body: () => ({ csv: csv.contacts }), most: 40, notBare: true },
    makes: ['queued import', 'import_id'],
  },
  {
    endpoint: 'POST /imports/{import_id}/cancel',
    ...{ id: (pools) => pools.take('queued import'), most: 30, notBare: true },
  },
  { endpoint: 'POST /companies/imports', body: () => ({ csv: csv.companies }), most: 40, notBare: true },
  { endpoint: 'GET /imports' },
  {
    ...{ endpoint: 'GET /imports/{import_id}', id: () => idOf('import', 0) },
    grows: 'sums up the rows that it refused',
  },
  { endpoint: 'GET /imports/{import_id}/rows', id: () => idOf('import', 0) },
  {
    ...{ endpoint: 'POST /imports/{import_id}/revert', id: (pools) => pools.take('new import') },
    ...{ most: 9, notBare: true },
  },
]

const eventCases: Case[] = [
  { endpoint: 'GET /events' },
  { endpoint: 'GET /events', query: () => '?type=contact.updated', grows: 'counts what the filter finds' },
  { endpoint: 'GET /events', query: (pools) => `?object_id=${pools.some('contact')}` },
  {
    endpoint: 'GET /events',
    query: () => `?created_since=${now() - 60}`,
    grows: 'counts what this run wrote',
  },
]

export const otherCases: Case[] = [
  ...[...keyCases, ...duplicateCases, ...voiceCases],
  ...[...signatureCases, ...crmCases, ...importCases, ...eventCases, ...bulkCases],
  ...[...workCases, ...webCases],
]
