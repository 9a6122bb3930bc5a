import { ApiError } from '../../../sdk/src/errors.ts'
import type { Session, SsoOrganization } from './generated/types.ts'
import { baseUrl } from './sign-in-api.ts'

const lastKey = 'crosswalk.sso'

/** The address that leads to an organization's provider, and back to a page of the console. */
export function ssoAddress(orgId: string, { returnTo = '/console', confirms = false } = {}): string {
  const query = new URLSearchParams({
    org_id: orgId,
    return_to: returnTo,
    ...(confirms && { confirm: 'true' }),
  })
  return `${baseUrl}/sso/start?${query}`
}

/** If a sign-in was refused because of single sign-on: the organizations that require it. */
export function ssoOffers(error: unknown): SsoOrganization[] {
  if (!(error instanceof ApiError)) return []
  const { sso } = Object(error.body) as { sso?: unknown }
  return Array.isArray(sso) ? (sso as SsoOrganization[]) : []
}

/** Remembers whether this browser uses single sign-on. Stores no name, because strangers may see the sign-in page. */
export function rememberSso({ sso_org_id }: Session): void {
  if (sso_org_id) localStorage.setItem(lastKey, sso_org_id)
}

export const lastSsoOrg = (): string | null => localStorage.getItem(lastKey)

/** Why a single sign-on failed, by the code in `#sso_error=`. */
const faults: Readonly<Record<string, string>> = {
  sso_not_set_up: 'This organization has no single sign-on. Sign in another way.',
  sso_provider_unreachable: 'The sign-in server of your company did not answer. Try again in a minute.',
  sso_expired: 'This sign-in took too long, or began in another browser. Start again.',
  sso_refused: 'The sign-in server of your company refused. Start again, or ask its administrator.',
  sso_invalid:
    'The answer of the sign-in server was not valid. Ask an owner of your organization to check the settings.',
  sso_email_unverified:
    'Your company account has no verified e-mail address. Ask its administrator to verify it.',
  sso_domain_not_allowed:
    'The e-mail address of your company account has a domain that this organization does not allow. Ask an owner.',
  sso_not_invited: 'You are not a member of this organization yet. Ask an owner or admin for an invitation.',
  sso_other_person: 'You confirmed as another person. Confirm with the account with which you are signed in.',
}

/** Reads the fragment of the address: why a single sign-on failed, or which organization to ask about. */
export function readSsoFragment(hash: string): { fault: string | null; orgId: string | null } {
  const fragment = new URLSearchParams(hash.slice(1))
  const code = fragment.get('sso_error')
  return {
    fault: code === null ? null : (faults[code] ?? 'The single sign-on failed. Start again.'),
    orgId: fragment.get('sso'),
  }
}
