import { z } from 'zod'
import { permissionPattern } from '../auth/permissions.ts'
import { recordAccesses, roles } from '../auth/roles.ts'
import { readEmail } from '../normalize/email.ts'
import { orgName } from '../orgs/schema.ts'
import { list } from '../platform/http/collections.ts'
import { id, literal, parsedText, refuse, text } from '../platform/http/fields.ts'
import * as shown from '../platform/http/shown.ts'
import { linkKinds } from './links.ts'
import { made, signedToConfirm } from './passkey-schema.ts'

const email = parsedText(
  (value) => {
    const read = readEmail(value)
    return 'email' in read ? read.email : refuse(read.problem)
  },
  { format: 'email', maxLength: 254 },
).describe('The e-mail address with which the person signs in.')

const name = text({ min: 1, max: 120 }).describe('The name of the person.')
/** Do not trim: spaces are part of a password. */
const password = text({ min: 1, max: 256, trim: false }).describe('The password.')
const token = text({ min: 1, max: 100 }).describe('The part of the link after the #.')
const role = literal(...roles).meta({ title: 'Role', description: 'What the member may do.' })
const recordAccess = literal(...recordAccesses).meta({
  title: 'RecordAccess',
  description:
    'The contacts, companies and deals that the member sees. `all`: all records. `team`: the records that the member or members of the same teams own. `own`: the records that the member owns. Owners and admins see all.',
})
const permission = parsedText(
  (value) =>
    permissionPattern.test(value) && value !== '*' ? value : refuse('a permission is such as contacts:read'),
  { pattern: permissionPattern.source },
)

export const SignIn = z.object({ email, password }).meta({ title: 'SignIn' })
export const Confirm = z
  .object({ password: password.optional(), passkey: signedToConfirm.optional() })
  .meta({ title: 'ConfirmSession' })
export const ChangePassword = z
  .object({
    password: password
      .optional()
      .describe('The current password. Only a person without a password leaves it out.'),
    new_password: password.describe('The new password.'),
  })
  .meta({ title: 'ChangePassword' })
export const OfferLinkPasskey = z
  .object({
    token,
    email: email.optional().describe('The e-mail address of the person. Only set-up links need it.'),
    name: name.optional().describe('The name of the person. Only a new account needs it.'),
  })
  .meta({ title: 'OfferLinkPasskey' })
export const OpenLink = z.object({ token }).meta({ title: 'OpenLink' })
export const UseLink = z
  .object({
    token,
    email: email.optional().describe('The e-mail address of the person. Only set-up links need it.'),
    name: name.optional().describe('The name of the person. Only a new account needs it.'),
    password: password
      .optional()
      .describe('The password of the account if the person has one, otherwise a new password.'),
    passkey: made
      .optional()
      .describe(
        'A new passkey in place of a new password: the answer of the browser to the options, unchanged.',
      ),
    passkey_name: text({ min: 1, max: 100, trim: true })
      .optional()
      .describe('The name of the new passkey, such as the name of the device.'),
    org_name: orgName
      .optional()
      .describe('The name of the new organization, if `org_name` of the opened link is null.'),
  })
  .meta({ title: 'UseLink' })
export const Invite = z
  .object({ email, role, record_access: recordAccess.optional() })
  .meta({ title: 'InviteMember' })
export const OfferRecovery = z
  .object({ member_id: id().describe('The id of the member.') })
  .meta({ title: 'OfferRecovery' })
export const UpdateMember = z
  .object({
    role: role.optional(),
    permissions: list(permission, { min: 1, max: 100 })
      .nullable()
      .optional()
      .describe('Narrows the role; null: the whole role. A new role has no limits of its own.'),
    record_access: recordAccess.optional(),
  })
  .meta({ title: 'UpdateMember' })
export const MemberPath = z.object({ member_id: id().describe('The id of the member.') })
export const RemoveMember = z.object({
  reassign_to: id()
    .optional()
    .describe('The member who gets the tasks and records of the removed member; by default nobody.'),
})
export const SessionPath = z.object({ session_id: id().describe('The id of the session.') })
export const LinkPath = z.object({ link_id: id().describe('The id of the link.') })

/** A code that a person types, perhaps with spaces, which are ignored. `fault` says what to type. */
const code = (pattern: RegExp, fault: string) =>
  parsedText(
    (value) => {
      const typed = value.replaceAll(/\s/g, '')
      return pattern.test(typed) ? typed : refuse(fault)
    },
    { minLength: 6, maxLength: 30 },
  )

export const SecondFactor = z
  .object({
    code: code(/^.{6,30}$/, 'type the six digits that the app shows, or a recovery code').describe(
      'The code that the app shows, or a recovery code.',
    ),
  })
  .meta({ title: 'SecondFactor' })
export const ActivateTotp = z
  .object({
    secret: parsedText(
      (value) =>
        /^[A-Z2-7]{32}$/.test(value) ? value : refuse('this is not the secret that the server offered'),
      { pattern: '^[A-Z2-7]{32}$' },
    ).describe('The secret that the server offered.'),
    code: code(/^\d{6}$/, 'type the six digits that the app shows').describe('The code that the app shows.'),
  })
  .meta({ title: 'ActivateTotp' })
export const OfferedTotp = z
  .object({
    secret: shown.text('The secret, to type into the app.', 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'),
    url: shown.text('The secret as an address, for a QR code.', 'otpauth://totp/Crosswalk:…'),
  })
  .meta({ title: 'OfferedTotp' })
export const RecoveryCodes = z
  .object({
    recovery_codes: z.array(z.string()).meta({
      description: 'Ten codes, shown only in this answer. Each code replaces the app once.',
      examples: [['ABCD-EFGH-IJKL-MNOP']],
    }),
  })
  .meta({ title: 'RecoveryCodes' })

const shownRole = shown.word('Role', roles, 'What the member may do.')
const shownRecordAccess = shown.word(
  'RecordAccess',
  recordAccesses,
  'The contacts, companies and deals that the member sees. `all`: all records. `team`: the records that the member or members of the same teams own. `own`: the records that the member owns.',
)
const permissions = z
  .array(z.string())
  .nullable()
  .meta({ description: 'Permissions; null: all of the role.', examples: [null] })

const Membership = z
  .object({
    org_id: shown.id('The id of the organization.'),
    org_name: shown.text('The name of the organization.', 'Acme'),
    role: shownRole,
    via: shown.word(
      'MembershipVia',
      ['member', 'agency', 'sandbox'],
      'Why the member may act on the organization: as its member, as a member of its agency, or of the organization that made the sandbox.',
    ),
    permissions: permissions.describe('What the member may do in the organization; null: everything.'),
    record_access: shownRecordAccess,
    is_agency: shown.flag('True if the member can read and link the clients of the organization.'),
  })
  .meta({ title: 'Membership' })

export const Session = z
  .object({
    session_id: shown.id('The id of this session.'),
    member: z
      .object({
        member_id: shown.id('The id of the member.'),
        email: shown.text('The e-mail address of the member.', 'ada@acme.example'),
        name: shown.text('The name of the member.', 'Ada Lovelace'),
        has_second_factor: shown.flag('Whether the member has a second factor.'),
        recovery_codes: shown.count('How many recovery codes are left.'),
        has_password: shown.flag('Whether the member has a password.', true),
        passkeys: shown.count('How many passkeys the member has.'),
      })
      .meta({ title: 'SignedInMember' })
      .describe('The member who is signed in.'),
    second_factor: z.array(z.string()).meta({
      description: 'The ways to send the missing second factor; empty: none is missing.',
      examples: [[]],
    }),
    sso_org_id: shown
      .id(
        'After single sign-on, the only organization that this session reaches; null: the session reaches all organizations of the member.',
      )
      .nullable(),
    sso_required: z
      .array(
        z
          .object({
            org_id: shown.id('The id of the organization.'),
            org_name: shown.text('The name of the organization.', 'Acme'),
          })
          .meta({ title: 'SsoOrganization' }),
      )
      .describe('The organizations of the member that only single sign-on reaches.'),
    memberships: z.array(Membership).describe('The organizations on which the member can act.'),
    confirmed_until: shown.pendingTime(
      'The time until which the person need not confirm their identity again; null: they must confirm it first.',
    ),
    expires_at: shown.time('When the session ends.'),
  })
  .meta({ title: 'Session' })

/** The session after the use of a link. Its memberships may be hidden until the second factor was sent. */
export const UsedLink = Session.extend({
  link_org_id: shown.id('The organization to which the link led.'),
}).meta({ title: 'UsedLink' })

export const SessionList = z.array(
  z
    .object({
      session_id: shown.id('The id of the session.'),
      user_agent: shown.text('The browser, as its User-Agent header describes it.', 'Mozilla/5.0 …'),
      is_current: shown.flag('Whether it is the session of this request.', true),
      created_at: shown.time('When the member signed in.'),
      seen_at: shown.time('The last use, to the hour.'),
      expires_at: shown.time('When the session ends at the latest.'),
    })
    .meta({ title: 'SessionEntry' }),
)

const shownLink = {
  kind: shown.word('LinkKind', linkKinds, 'The purpose of the link.', 'invite'),
  email: shown
    .text('The e-mail address that the link is for; null: the person gives it.', 'ada@acme.example')
    .nullable(),
  role: shownRole,
}

export const ShownLink = z
  .object({
    ...shownLink,
    org_name: shown
      .text('The name of the organization; null: the person names a new one.', 'Acme')
      .nullable(),
    has_account: shown.flag('Whether the person has an account, and sends its password.'),
    sso_org_id: shown
      .id(
        'The organization, if it requires single sign-on for the address of the invitation; null: it does not.',
      )
      .nullable(),
  })
  .meta({ title: 'OpenedLink' })

export const MadeLink = z
  .object({
    link_id: shown.id('The id of the link.'),
    url: shown.text(
      'The link, shown only in this answer. Send it to the person yourself.',
      'https://…/console/invite#…',
    ),
    expires_at: shown.time('When the link stops working.'),
  })
  .meta({ title: 'MadeLink' })

export const LinkList = z.array(
  z
    .object({
      link_id: shown.id('The id of the link.'),
      ...shownLink,
      record_access: shownRecordAccess,
      created_at: shown.time('When the link was created.'),
      expires_at: shown.time('When the link stops working.'),
    })
    .meta({ title: 'PendingLink' }),
)

export const Member = z
  .object({
    member_id: shown.id('The id of the member.'),
    email: shown.text('The e-mail address of the member.', 'ada@acme.example'),
    name: shown.text('The name of the member.', 'Ada Lovelace'),
    role: shownRole,
    permissions,
    record_access: shownRecordAccess,
    has_second_factor: shown.flag('Whether the member has a second factor.'),
    seen_at: shown.time('The last use of the console, to the hour; null: signed out.').nullable(),
    invited_by_org_id: shown
      .id('The agency whose people invited the member; null: no agency.')
      .nullable()
      .meta({ examples: [null] }),
    created_at: shown.time('When the person became a member.'),
    version: shown.version(),
  })
  .meta({ title: 'Member' })
