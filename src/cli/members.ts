import { type Role, roles } from '../auth/roles.ts'
import { operatorLink } from '../members/invite.ts'
import { linkUrl } from '../members/links.ts'
import { operatorRemovesTotp } from '../members/second-factor.ts'
import { readEmail } from '../normalize/email.ts'
import { operatorOf } from '../platform/actor.ts'
import { linkOrigin } from '../platform/config.ts'
import { OrgTx } from '../platform/db/org-tx.ts'
import { OperatorError } from '../platform/report.ts'
import { type Command, readId } from './command.ts'
import { requireOrg } from './orgs.ts'

export const memberCommands: Command[] = [
  {
    name: 'members link',
    args: ['<email>'],
    summary: 'Create a link with which a person joins an organization, or recovers the account',
    options: { org: { value: '<org_id>', required: true }, role: { value: roles.join('|') } },
    async run({ scope, config, print }, [address = ''], values) {
      const orgId = readId(String(values.org), '--org')
      const role = (values.role ?? 'owner') as Role
      if (!roles.includes(role)) throw new OperatorError(`--role must be one of ${roles.join(', ')}.`)
      const email = requireEmail(address)
      const made = await scope.transact(async (tx) => {
        await requireOrg(tx, orgId)
        return operatorLink(tx, new OrgTx(tx, operatorOf(orgId)), { email, role })
      })
      const url = linkUrl(linkOrigin(config), made.kind, made.token)
      const hours = made.kind === 'recovery' ? '1 hour' : '7 days'
      const { memberOf } = made
      const shown = {
        link_id: made.linkId,
        kind: made.kind,
        url,
        expires_at: made.expiresAt,
        member_of: memberOf,
      }
      print(shown, [
        url,
        '',
        made.kind === 'recovery'
          ? 'This person is a member already: the link sets a new password.'
          : `With this link the person becomes ${role} of the organization.`,
        `It works once, within ${hours}. Send it to the person yourself.`,
        ...(made.kind === 'invite' && memberOf[0] !== undefined
          ? [
              `The address has an account already, in ${memberOf.join(', ')}. The link asks for its password.`,
              `If the person never chose one: npm run crosswalk -- members link ${email} --org ${memberOf[0]}`,
            ]
          : []),
      ])
    },
  },
  {
    name: 'members remove-second-factor',
    args: ['<email>'],
    summary: 'Remove the authenticator app of a person who lost it and the recovery codes',
    async run({ scope, print }, [address = '']) {
      const email = requireEmail(address)
      const found = await scope.transact((tx) => operatorRemovesTotp(tx, email))
      if (!found) throw new OperatorError(`Nobody has an account with ${email}.`)
      const { memberId, isRemoved } = found
      print(
        { member_id: memberId, removed: isRemoved },
        isRemoved
          ? [
              'Removed, and all sessions of this person ended. This person now signs in with the password alone.',
              'If the password is lost, too: npm run crosswalk -- members link <email> --org <org_id>',
            ]
          : ['This person has no authenticator app. Nothing was changed.'],
      )
    },
  },
]

/** @throws OperatorError if it is not an e-mail address */
function requireEmail(address: string): string {
  const read = readEmail(address)
  if (!('email' in read)) throw new OperatorError(`"${address}" is not an e-mail address.`)
  return read.email
}
