import { trackingNouns } from './tracking-nouns.ts'

const ofRecords = (noun: string) => ({
  created: `A ${noun} was created.`,
  updated: `Fields of a ${noun} changed.`,
  archived: `A ${noun} was archived.`,
  restored: `An archived ${noun} was restored.`,
  erased: `A ${noun} was erased permanently.`,
  merged: `A ${noun} absorbed another one, or another one absorbed it.`,
  unmerged: `A merge of two ${noun} records was undone.`,
})

const ofChanges = (noun: string) => ({
  created: `A ${noun} was created.`,
  updated: `A ${noun} changed.`,
  deleted: `A ${noun} was deleted.`,
})

const ofSettings = (about: string) => ({ updated: `The settings of ${about} changed.` })

/**
 * The events by noun: the kind of object that changed, the permission to read it, and a description of each verb.
 * docs/reference/events.md lists them.
 */
export const nouns = {
  contact: { object: 'contact', permission: 'contacts:read', verbs: ofRecords('contact') },
  company: { object: 'company', permission: 'companies:read', verbs: ofRecords('company') },
  deal: {
    object: 'deal',
    permission: 'deals:read',
    verbs: {
      ...ofRecords('deal'),
      closed: 'A deal was won or lost.',
      reopened: 'A closed deal is open again.',
    },
  },
  deal_stages: {
    object: 'deal_stages',
    permission: 'deals:read',
    verbs: { updated: 'The stages of deals changed.' },
  },
  close_reason: {
    object: 'close_reason',
    permission: ['deals:read', 'close_reasons:read'],
    verbs: {
      created: 'A close reason was created.',
      updated: 'A close reason changed.',
      archived: 'A close reason was archived.',
      restored: 'An archived close reason was restored.',
    },
  },
  field: {
    object: 'field',
    permission: ['contacts:read', 'companies:read', 'deals:read'],
    verbs: {
      created: 'A field was defined.',
      updated: 'The definition of a field changed.',
      deleted: 'The definition of a field was deleted. Records keep their values.',
    },
  },
  note: {
    object: 'note',
    permission: 'notes:read',
    verbs: {
      created: 'A note was written.',
      updated: 'The text of a note changed.',
      deleted: 'A note was deleted, or erased together with its record.',
    },
  },
  task: {
    object: 'task',
    permission: 'tasks:read',
    verbs: {
      created: 'A task was created.',
      updated: 'A task changed, or its assignee left the organization.',
      completed: 'A task was completed.',
      reopened: 'A completed task is open again.',
      deleted: 'A task was deleted, or erased together with its record.',
    },
  },
  segment: {
    object: 'segment',
    permission: ['contacts:read', 'companies:read', 'deals:read'],
    verbs: ofChanges('segment'),
  },
  merge: {
    object: 'merge',
    permission: 'duplicates:read',
    verbs: {
      dismissed: 'A proposal to merge two records was dismissed.',
      reopened: 'The dismissal of a proposal was undone.',
    },
  },
  duplicate_settings: {
    object: 'duplicate_settings',
    permission: 'duplicates:read',
    verbs: ofSettings('duplicates'),
  },
  connected_app: {
    object: 'connected_app',
    permission: 'members:read',
    verbs: {
      connected: 'A member connected an AI host.',
      updated: 'A connected app lost permissions.',
      revoked: 'An app was disconnected, by a person or because somebody used one of its tokens twice.',
    },
  },
  approval: {
    object: 'approval',
    permission: 'members:read',
    verbs: {
      approved: 'A member approved the call of a tool.',
      declined: 'A member declined the call of a tool.',
    },
  },
  api_key: {
    object: 'api_key',
    permission: 'api_keys:read',
    verbs: {
      created: 'An API key was created.',
      updated: 'The name or the permissions of an API key changed.',
      rotated: 'An API key was created that replaces another one.',
      deleted: 'An API key was deleted.',
    },
  },
  org: {
    object: 'organization',
    permission: 'organization:read',
    verbs: {
      created: 'The organization was created.',
      updated: 'The name, the country or the limits of the organization changed.',
      agency_linked: 'An agency may act on the organization.',
      agency_unlinked: 'An agency may no longer act on the organization.',
    },
  },
  agency: {
    object: 'agency_client',
    permission: 'agency:read',
    verbs: {
      client_created: 'The agency created a client.',
      client_linked: 'An organization became a client of the agency.',
      client_unlinked: 'An organization is no longer a client of the agency.',
      invitation_created: 'The agency invited an organization.',
      invitation_revoked: 'The agency revoked an invitation.',
    },
  },
  sandbox: {
    object: 'sandbox',
    permission: 'organization:read',
    verbs: {
      created: 'A sandbox was created.',
      deleted: 'A sandbox was deleted, or it expired.',
    },
  },
  import: {
    object: 'import',
    permission: ['contacts:read', 'companies:read'],
    verbs: {
      created: 'A file was sent for an import.',
      finished: 'An import ended.',
      failed: 'An import failed.',
      canceled: 'Somebody canceled an import. The records that it wrote stay.',
      reverting: 'The revert of an import was requested.',
      reverted: 'An import was reverted.',
    },
  },
  member: {
    object: 'member',
    permission: 'members:read',
    verbs: {
      invited: 'A link was created with which a person becomes a member. The object is the link.',
      joined: 'A person became a member.',
      updated:
        'The role, the permissions, the record access, the teams or the second factor of a member changed.',
      removed: 'A member was removed.',
      link_revoked: 'An unused link was revoked. The object is the link.',
      recovery_offered: 'A link was created with which a member sets a new password.',
      recovered: 'A member set a new password with a link.',
    },
  },
  sso: {
    object: 'organization',
    permission: 'members:read',
    verbs: {
      updated: 'The settings of single sign-on changed.',
      removed: 'Single sign-on was removed.',
    },
  },
  persona: {
    object: 'persona',
    permission: 'personas:read',
    verbs: {
      created: 'A persona was created.',
      updated: 'A persona changed.',
      archived: 'A persona was archived.',
      restored: 'An archived persona was restored.',
      activated: 'A persona was activated.',
    },
  },
  call: {
    object: 'call',
    permission: 'voice:read',
    verbs: {
      dispatched: 'A provider dials a call.',
      completed: 'A call was answered, and ended.',
      busy: 'The called number was busy.',
      no_answer: 'Nobody answered a call.',
      failed: 'A call failed.',
      canceled: 'A call was canceled.',
    },
  },
  voice_number: {
    object: 'voice_number',
    permission: 'voice:read',
    verbs: { created: 'A caller number was added.', deleted: 'A caller number was removed.' },
  },
  voice_settings: { object: 'voice_settings', permission: 'voice:read', verbs: ofSettings('calls') },
  voice_subscription: {
    object: 'voice_settings',
    permission: 'voice:read',
    verbs: { updated: 'The operator changed the subscription for calls.' },
  },
  suppression: {
    object: 'suppression',
    permission: 'voice:read',
    verbs: {
      created: 'A number was suppressed, so it is no longer called.',
      deleted: 'A number may be called again.',
    },
  },
  signature_template: {
    object: 'signature_template',
    permission: 'signatures:read',
    verbs: {
      ...ofChanges('signature template'),
      pushed: 'A signature template was pushed to its mailboxes.',
    },
  },
  mailbox: {
    object: 'mailbox',
    permission: 'signatures:read',
    verbs: {
      created: 'A mailbox was added.',
      updated: 'A mailbox changed.',
      deleted: 'A mailbox was deleted.',
      pushed: 'The signature of a mailbox was pushed.',
    },
  },
  signature: {
    object: 'mailbox',
    permission: 'signatures:read',
    verbs: {
      installed: 'A signature was installed in a mailbox.',
      failed: 'A signature could not be installed in a mailbox.',
    },
  },
  signature_settings: {
    object: 'signature_settings',
    permission: 'signatures:read',
    verbs: ofSettings('signatures'),
  },
  crm_connection: { object: 'crm_connection', permission: 'crm:read', verbs: ofChanges('CRM connection') },
  crm_job: {
    object: 'crm_job',
    permission: 'crm:read',
    verbs: { created: 'A push to a CRM was requested.', finished: 'A push to a CRM ended.' },
  },
  crm_settings: { object: 'crm_settings', permission: 'crm:read', verbs: ofSettings('CRM pushes') },
  ...trackingNouns,
  webhook_endpoint: {
    object: 'webhook_endpoint',
    permission: 'webhooks:read',
    verbs: {
      ...ofChanges('webhook endpoint'),
      secret_rotated: 'The secret of a webhook endpoint was replaced.',
      enabled: 'A webhook endpoint was enabled again.',
      failing: 'A webhook endpoint failed several times in a row.',
      disabled: 'A webhook endpoint was disabled, and gets no further events.',
    },
  },
} as const
