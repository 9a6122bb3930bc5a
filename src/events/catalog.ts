const ofRecords = ['created', 'updated', 'archived', 'restored', 'erased', 'merged', 'unmerged'] as const

/** What can happen to each kind of object; docs/reference/events.md lists them. */
const happenings = {
  contact: ofRecords,
  company: ofRecords,
  deal: [...ofRecords, 'closed', 'reopened'],
  deal_stages: ['updated'],
  close_reason: ['created', 'updated', 'archived', 'restored'],
  merge: ['dismissed'],
  duplicate_settings: ['updated'],
  api_key: ['created', 'updated', 'rotated', 'deleted'],
  org: ['created', 'updated', 'agency_linked', 'agency_unlinked'],
  agency: ['client_created', 'client_linked', 'client_unlinked', 'invitation_created', 'invitation_revoked'],
  sandbox: ['created', 'deleted'],
  import: ['created', 'finished', 'failed', 'reverting', 'reverted'],
  persona: ['created', 'updated', 'archived', 'restored', 'activated'],
  call: ['dispatched', 'completed', 'busy', 'no_answer', 'failed', 'canceled'],
  voice_number: ['created', 'deleted'],
  voice_settings: ['updated'],
  voice_subscription: ['updated'],
  suppression: ['created', 'deleted'],
  signature_template: ['created', 'updated', 'deleted', 'pushed'],
  mailbox: ['created', 'updated', 'deleted', 'pushed'],
  signature: ['installed', 'failed'],
  signature_settings: ['updated'],
  crm_connection: ['created', 'updated', 'deleted'],
  crm_job: ['created', 'finished'],
  crm_settings: ['updated'],
} as const

type Happenings = typeof happenings

/** `<noun>.<past participle>`: `contact.created`. */
export type EventType = {
  [Noun in keyof Happenings]: `${Noun}.${Happenings[Noun][number]}`
}[keyof Happenings]

export const eventTypes: readonly EventType[] = Object.entries(happenings).flatMap(([noun, verbs]) =>
  verbs.map((verb) => `${noun}.${verb}` as EventType),
)
