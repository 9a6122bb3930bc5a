import { Note } from '../parts/note.tsx'

/** Why a single sign-on failed, by the code in `#sso_error=`. */
const faults: Readonly<Record<string, string>> = {
  sso_not_set_up:
    'This organization has no single sign-on. Sign in another way. If you joined with single sign-on and the organization stays closed, ask an owner or admin to remove you and to invite you again.',
  sso_provider_unreachable: 'The sign-in server of your company did not answer. Try again in a minute.',
  sso_expired: 'This sign-in took too long, or began in another browser. Start again.',
  sso_refused: 'The sign-in server of your company refused. Start again, or ask its administrator.',
  sso_client_refused:
    'The sign-in server does not accept the client id or the client secret of your organization. Ask an owner to correct them.',
  sso_invalid:
    'The answer of the sign-in server was not valid. Ask an owner of your organization to check the settings.',
  sso_email_unverified:
    'Your company account has no verified e-mail address. Ask its administrator to verify it.',
  sso_domain_not_allowed:
    'The e-mail address of your company account has a domain that this organization does not allow. Ask an owner.',
  sso_not_invited: 'You are not a member of this organization yet. Ask an owner or admin for an invitation.',
  sso_other_account:
    'A member of this organization has your e-mail address, but another company account. Ask an owner or admin to remove this member and to invite you again.',
  sso_other_person: 'You confirmed as another person. Confirm with the account with which you are signed in.',
}

/** Why a single sign-on failed, and what to do. */
export const SsoFault = ({ code }: { code: string }) => (
  <Note kind="bad">{faults[code] ?? 'The single sign-on failed. Start again.'}</Note>
)
