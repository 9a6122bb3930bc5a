import type { IncomingHttpHeaders } from 'node:http'
import { forbidden, invalid } from '../platform/domain-error.ts'
import type { KnownKey } from './known-keys.ts'
import type { ClientLinks } from './known-links.ts'
import { thenMaybeSync } from './maybe-sync.ts'
import { refuseMisspelledHeaders } from './misspelled-headers.ts'

/**
 * The organization that a request with an API key acts on: the key's own, or the client that an agency key names.
 * @throws DomainError invalid for misspelled or empty headers; forbidden for the id of another organization
 */
export function orgNamedBy(
  links: ClientLinks,
  key: KnownKey,
  headers: IncomingHttpHeaders,
): string | Promise<string> {
  refuseMisspelledHeaders(headers)
  const { 'x-org-id': guard, 'x-target-org-id': target } = headers
  if (typeof guard === 'string' && guard !== '' && guard.toLowerCase() !== key.orgId) {
    throw forbidden(
      'org_id_mismatch',
      'X-Org-Id names another organization than the one of this API key; cross-tenant requests are refused. Leave the header out, or use a key of that organization',
    )
  }
  if (!key.isAgency || typeof target !== 'string') return key.orgId
  // A script whose variable is not set must not change the agency instead of its client.
  if (target === '')
    throw invalid(
      'target_org_empty',
      'X-Target-Org-Id is empty. Send the id of a client, or leave the header out to act on the agency itself',
    )
  const orgId = target.toLowerCase()
  if (orgId === key.orgId) return orgId
  return thenMaybeSync(links.find(key.orgId, orgId), (link) => {
    if (link) return orgId
    throw forbidden(
      'client_not_linked',
      'X-Target-Org-Id names an organization that is not a client of this agency; GET /agency/clients lists the clients that it may act on',
    )
  })
}
