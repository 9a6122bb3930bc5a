import { z } from 'zod'
import { id, integer, literal } from '../../platform/http/fields.ts'
import * as shown from '../../platform/http/shown.ts'

const graceDefault = 604_800

export const RotateIdentitySecret = z
  .object({
    grace_seconds: integer({ min: 0, max: 7_776_000 })
      .default(graceDefault)
      .describe(
        'For how many seconds the old secret is still accepted: by default 7 days, at most 90 days. 0: it is refused at once.',
      ),
  })
  .meta({ title: 'RotateIdentitySecret' })
  .default({ grace_seconds: graceDefault })

export const IdentitySecret = z
  .object({
    created_at: shown.pendingTime('When the identity secret was made; null: there is none.'),
    old_secret_expires_at: shown.pendingTime(
      'When the secret before the last rotation stops working; null: there is no old secret.',
    ),
  })
  .meta({ title: 'IdentitySecret' })

export const NewIdentitySecret = IdentitySecret.extend({
  org_id: shown.id('The id of the organization.'),
  identity_secret: shown.text(
    'The secret with which your server signs the tokens of its users. It is shown once: store it on your server, and never in a page.',
    'idsec_4fQz…',
  ),
  user_hash_secret: shown.text(
    'The secret with which your server signs a `userHash`, if it sends no tokens. It is derived from the identity secret, and cannot sign tokens.',
    'uhsec_9bTk…',
  ),
}).meta({ title: 'NewIdentitySecret' })

export const IdentityPath = z.object({
  visitor_id: id().describe('The id of the visitor: the `visitor_id` of an event.'),
})

export const LinkPath = IdentityPath.extend({
  link_id: id().describe('The `link_id` of a link of the visitor, or the `claim_id` of a claim.'),
})

export const IdentityMode = z.object({
  mode: literal('live', 'test')
    .meta({ title: 'Mode' })
    .optional()
    .describe('The mode of the events. By default the mode of your key.'),
})

export const AcceptClaim = z
  .object({
    claim_id: id().describe('The `claim_id` of a claim of the visitor.'),
    contact_id: id()
      .optional()
      .describe(
        'The contact of the person. By default the only contact with the claimed user id or address. If there is no such contact, the own contact of the visitor.',
      ),
  })
  .meta({ title: 'AcceptClaim' })

const named = {
  user_key: shown.text('The `userId` of the person; null: none.', 'user-7').nullable(),
  email: shown.text('The e-mail address that was sent with it; null: none.', 'ada@example.com').nullable(),
  since: shown.time(
    'From when the events of the visitor belong to this person. Events up to 30 days before the first identify call belong to its person.',
  ),
  until: shown.pendingTime(
    'The time until which they belong to this person, because another person then used the browser; null: until now.',
  ),
  contact_ids: z
    .array(shown.id('The id of a contact.'))
    .describe('The active contacts with this user id or, without one, with this address.'),
}

const link = z
  .object({
    link_id: shown.id('The id of the link.'),
    ...named,
    trust: shown.word(
      'LinkTrust',
      ['verified', 'trusted', 'accepted'],
      '`verified`: a token or hash of your server proved it. `trusted`: an API key sent it. `accepted`: a person accepted the claim.',
    ),
  })
  .meta({ title: 'VisitorLink' })

const claim = z
  .object({ claim_id: shown.id('The id of the claim.'), ...named })
  .meta({ title: 'VisitorClaim' })

/** The members of a visitor that say who it is. */
export const identityShape = {
  links: z.array(link).describe('The people to whom the visitor is linked, the oldest link first.'),
  claims: z
    .array(claim)
    .describe('The people whom the visitor only claims to be, the oldest claim first. A claim is not proof.'),
  own_contact_id: shown
    .id('The contact that only statements of this visitor made; null: there is none.')
    .nullable(),
}

export const VisitorIdentity = z
  .object({
    visitor_id: shown.id('The id of the visitor.'),
    ...identityShape,
    merge_id: shown
      .id('The merge that the request made, which can be undone; null: the request merged nothing.')
      .nullable(),
  })
  .meta({ title: 'VisitorIdentity' })

export type IdentitySecret = z.output<typeof IdentitySecret>
export type NewIdentitySecret = z.output<typeof NewIdentitySecret>
export type VisitorIdentity = z.output<typeof VisitorIdentity>
