/** The events of tracking, in the form of `nouns`. */
export const trackingNouns = {
  write_key: {
    object: 'write_key',
    permission: 'tracking:read',
    verbs: {
      created: 'A write key was created.',
      updated: 'A write key changed.',
      rotated: 'The key of a write key was replaced.',
      deleted: 'A write key was deleted.',
    },
  },
  form: {
    object: 'form',
    permission: 'forms:read',
    verbs: {
      created: 'A form was created.',
      updated: 'A form changed.',
      deleted: 'A form was deleted.',
      reverted: 'Submissions of a form were reverted.',
    },
  },
  form_submission: {
    object: 'form_submission',
    permission: 'forms:read',
    verbs: {
      created: 'A person sent a form.',
      marked_spam: 'A person marked a submission as spam.',
      restored: 'A submission that was spam or reverted was accepted.',
    },
  },
  call_back_request: {
    object: 'call_back_request',
    permission: 'voice:read',
    verbs: {
      created: 'A visitor asked to be called.',
      refused: 'A call-back request was refused: by a limit, because of an objection, or as spam.',
      called: 'A call-back request was approved, and the call is placed.',
      declined: 'A call-back request was declined.',
    },
  },
  visitor: {
    object: 'visitor',
    permission: 'visitors:read',
    verbs: {
      erased: 'The web events of a visitor were erased.',
      claim_accepted: 'A person confirmed who a visitor claims to be.',
      link_undone: 'A link or a claim of a visitor was undone.',
    },
  },
  tracking_settings: {
    object: 'tracking_settings',
    permission: 'tracking:read',
    verbs: {
      updated: 'The settings of tracking changed.',
      identity_secret_rotated: 'The identity secret was made or replaced.',
      identity_secret_deleted: 'The identity secret was deleted.',
    },
  },
} as const
