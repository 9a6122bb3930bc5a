const ofRecords = ['created', 'updated', 'archived', 'restored', 'erased', 'merged', 'unmerged'] as const

/** The events of each kind of object. docs/reference/events.md lists them. */
const verbsByNoun = {
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

type VerbsByNoun = typeof verbsByNoun

/** `<noun>.<past participle>`: `contact.created`. */
export type EventType = {
  [Noun in keyof VerbsByNoun]: `${Noun}.${VerbsByNoun[Noun][number]}`
}[keyof VerbsByNoun]

export const eventTypes: readonly EventType[] = Object.entries(verbsByNoun).flatMap(([noun, verbs]) =>
  verbs.map((verb) => `${noun}.${verb}` as EventType),
)

const ofAbsorbed = {
  erased: ['survivor_id'],
  merged: ['merge_id', 'survivor_id', 'loser_id'],
  unmerged: ['merge_id', 'survivor_id', 'restored_id'],
}
const mailbox = ['mailbox_id']

/**
 * The members that `data` may have, by noun and verb. Events that are not listed have no data. docs/reference/events.md
 * lists them.
 */
const members: {
  readonly [Noun in keyof VerbsByNoun]?: Readonly<
    Partial<Record<VerbsByNoun[Noun][number], readonly string[]>>
  >
} = {
  contact: ofAbsorbed,
  company: ofAbsorbed,
  deal: ofAbsorbed,
  merge: { dismissed: ['survivor_id', 'loser_id'] },
  api_key: { created: ['is_agency', 'key_mode'], rotated: ['rotated_from'] },
  org: { agency_linked: ['invitation_id'] },
  agency: { client_linked: ['invitation_id'] },
  call: {
    dispatched: ['provider'],
    completed: ['provider'],
    busy: ['provider'],
    no_answer: ['provider'],
    failed: ['provider'],
    canceled: ['provider'],
  },
  voice_settings: { updated: ['ai_disclosure', 'ai_disclosure_text'] },
  signature_template: { pushed: ['rollout_id', 'version', 'mailboxes'] },
  mailbox: {
    created: mailbox,
    updated: mailbox,
    deleted: mailbox,
    pushed: ['mailbox_id', 'version', 'push_id'],
  },
  signature: { installed: ['mailbox_id', 'revision'], failed: ['mailbox_id', 'revision'] },
  crm_job: { created: ['kind', 'connection_id'], finished: ['status', 'processed', 'failed'] },
}

/** The members that `data` of each event may have. Events that are not listed have no data. */
export const eventData: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(members).flatMap(([noun, verbs]) =>
    Object.entries(verbs).map(([verb, names]) => [`${noun}.${verb}`, names] as const),
  ),
)
