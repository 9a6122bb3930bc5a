import { exampleId, exampleTime } from '../platform/http/example-ids.ts'
import type { EventActor } from './actor.ts'
import { type EventType, eventCatalog, nounOf } from './catalog.ts'

/** `sample`: the `data` of a type with example values. `others`: the fields of `data` that only some events have. */
type Data = { sample: Readonly<Record<string, unknown>>; others?: readonly string[] }

const [mergeId, survivorId, loserId] = [
  exampleId('merge_id'),
  exampleId('survivor_id'),
  exampleId('loser_id'),
]
const erased: Data = { sample: {}, others: ['survivor_id'] }
const merged: Data = { sample: { merge_id: mergeId, loser_id: loserId }, others: ['survivor_id'] }
const unmerged: Data = {
  sample: { merge_id: mergeId, restored_id: exampleId('restored_id') },
  others: ['survivor_id'],
}
const ofAgency: Data = { sample: { name: 'Bright Agency' } }
const ofClient: Data = { sample: { name: 'Northwind' } }
const ofCall: Data = { sample: { provider: 'twilio' } }
const about: Data = { sample: { entity_type: 'contact', record_id: exampleId('contact_id') } }
const mailbox = { mailbox_id: 255 }
const ofTool: Data = { sample: { tool: 'place_call' }, others: ['connected_app_id'] }

/** The data of each type. A type that is not listed has none. docs/reference/events.md lists the fields. */
const data: { readonly [Type in EventType]?: Data } = {
  ...{ 'contact.erased': erased, 'contact.merged': merged, 'contact.unmerged': unmerged },
  ...{ 'company.erased': erased, 'company.merged': merged, 'company.unmerged': unmerged },
  ...{ 'deal.erased': erased, 'deal.merged': merged, 'deal.unmerged': unmerged },
  ...{ 'note.created': about, 'note.updated': about, 'note.deleted': about },
  ...{ 'task.created': about, 'task.updated': about, 'task.completed': about },
  ...{ 'task.reopened': about, 'task.deleted': about },
  'visitor.claim_accepted': { sample: { merge_id: exampleId('merge_id') } },
  'merge.dismissed': { sample: { survivor_id: survivorId, loser_id: loserId } },
  'merge.reopened': { sample: { survivor_id: survivorId, loser_id: loserId } },
  ...{ 'approval.approved': ofTool, 'approval.declined': ofTool },
  'api_key.created': { sample: { is_agency: false, key_mode: 'live' } },
  'api_key.rotated': { sample: { rotated_from: exampleId('rotated_from') } },
  'org.agency_linked': { ...ofAgency, others: ['invitation_id'] },
  'agency.client_linked': { ...ofClient, others: ['invitation_id'] },
  ...{ 'org.agency_unlinked': ofAgency, 'agency.client_unlinked': ofClient },
  'agency.client_created': ofClient,
  ...{ 'call.dispatched': ofCall, 'call.completed': ofCall, 'call.busy': ofCall },
  ...{ 'call.no_answer': ofCall, 'call.failed': ofCall, 'call.canceled': ofCall },
  'voice_settings.updated': {
    sample: { ai_disclosure: { old: true, new: false } },
    others: ['ai_disclosure_text'],
  },
  'signature_template.pushed': {
    sample: { rollout_id: exampleId('rollout_id'), version: 1, mailboxes: 12 },
  },
  'mailbox.created': { sample: mailbox },
  'mailbox.updated': { sample: mailbox },
  'mailbox.deleted': { sample: mailbox },
  'mailbox.pushed': { sample: { ...mailbox, version: 3, push_id: exampleId('push_id') } },
  'signature.installed': { sample: { ...mailbox, revision: 3 } },
  'signature.failed': { sample: { ...mailbox, revision: 3 } },
  'crm_job.created': { sample: { kind: 'leads_push', connection_id: exampleId('connection_id') } },
  'form_submission.created': { sample: { form_id: exampleId('form_id') } },
  'call_back_request.created': { sample: { form_id: exampleId('form_id') } },
  'call_back_request.refused': { sample: { form_id: exampleId('form_id') } },
  'call_back_request.called': { sample: { call_id: exampleId('call_id'), automatic: false } },
  'form.reverted': { sample: { submissions: 12 } },
  'crm_job.finished': { sample: { status: 'succeeded', processed: 120, failed: 0 } },
  'webhook_endpoint.disabled': { sample: { reason: 'no_success' } },
}

/** The fields that an event's `data` can have, by type. */
export const eventData: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(data).map(([type, { sample, others = [] }]) => [type, [...Object.keys(sample), ...others]]),
)

/** The changed field in the sample of each `updated` event. */
const changedFields: Readonly<Record<string, string>> = {
  connected_app: 'permissions',
  ...{ contact: 'email', company: 'name', deal: 'stage', deal_stages: 'stages', close_reason: 'label' },
  ...{ field: 'options', note: 'text', task: 'due_on', segment: 'filter' },
  ...{ duplicate_settings: 'contact.mode', api_key: 'name', org: 'name', persona: 'greeting' },
  ...{ voice_settings: 'ai_disclosure', voice_subscription: 'status', signature_template: 'html' },
  ...{ mailbox: 'display_name', signature_settings: 'gmail', crm_connection: 'field_map' },
  ...{ crm_settings: 'threshold', webhook_endpoint: 'url' },
  ...{
    member: 'role',
    sso: 'is_required',
    write_key: 'origins',
    form: 'fields',
    tracking_settings: 'retention_days',
  },
}

/** The id of settings is the id of their organization. The id of a mailbox is a UUID made from its number. */
function objectIdOf(object: string): string {
  if (object === 'webhook_endpoint') return exampleId('endpoint_id')
  if (object === 'agency_invitation') return exampleId('invitation_id')
  if (object === 'mailbox') return '00000000-0000-8000-8000-0000000000ff'
  return exampleId(/^(organization|.*_settings|deal_stages)$/.test(object) ? 'org_id' : `${object}_id`)
}

/** An event of a webhook with the payload `thin`. */
export type EventSample = {
  type: EventType
  timestamp: string
  event_id: string
  org_id: string
  mode: 'live' | 'test'
  api_key_id: string | null
  actor: EventActor
  changed: readonly string[] | null
  created_at: number
  data: { object_type: string; object_id: string; details: Readonly<Record<string, unknown>> }
}

/** A sample of each type of event, with the ids of the other examples in the reference. */
export const eventSamples: readonly EventSample[] = eventCatalog.map(({ type, object }) => {
  const createdAt = exampleTime('created_at')
  const field = type.endsWith('.updated') ? changedFields[nounOf(type)] : undefined
  return {
    type,
    timestamp: new Date(createdAt * 1000).toISOString(),
    event_id: exampleId('event_id'),
    org_id: exampleId('org_id'),
    mode: 'live',
    api_key_id: exampleId('api_key_id'),
    actor: { kind: 'api_key', id: exampleId('api_key_id'), name: 'Nightly sync' },
    changed: field === undefined ? null : [field],
    created_at: createdAt,
    data: { object_type: object, object_id: objectIdOf(object), details: data[type]?.sample ?? {} },
  }
})

const byType = new Map(eventSamples.map((sample) => [sample.type, sample]))

/** Returns the sample of a type. */
export function sampleOf(type: EventType): EventSample {
  const sample = byType.get(type)
  if (!sample) throw new Error(`the type ${type} has no sample`)
  return sample
}

/**
 * The sample of a type in a webhook with the payload `full`. Its object is null if the event says that it was erased,
 * deleted or revoked.
 * @param objectOf the example object of a kind; null if no GET shows one
 */
export function fullSampleOf(
  type: EventType,
  objectOf: (object: string) => unknown,
): EventSample & { data: { object: unknown } } {
  const sample = sampleOf(type)
  const { details, ...named } = sample.data
  const exists = !/\.(erased|deleted|invitation_revoked)$/.test(type)
  return { ...sample, data: { ...named, object: exists ? objectOf(named.object_type) : null, details } }
}
