import { ApiError } from '../../../sdk/src/errors.ts'
import { baseUrl } from './base-url.ts'
import type { Session, SsoOrganization } from './generated/types.ts'

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

/** Reads the fragment of the address: the code of a failed single sign-on, or the organization to ask about. */
export function readSsoFragment(hash: string): { faultCode: string | null; orgId: string | null } {
  const fragment = new URLSearchParams(hash.slice(1))
  return { faultCode: fragment.get('sso_error'), orgId: fragment.get('sso') }
}
