import { createPrivateKey } from 'node:crypto'
import { SignJWT } from 'jose'
import { membersOf } from '../../platform/members.ts'
import type { ServiceAccount } from './google-account.ts'
import {
  askGoogle,
  type GoogleAccess,
  type GoogleFault,
  refusedByGoogle,
  retryLater,
} from './google-answers.ts'

/** The scope to read and change signatures (developers.google.com/workspace/gmail/api/auth/scopes). */
const gmailScope = 'https://www.googleapis.com/auth/gmail.settings.basic'

const timeoutMs = 15_000

/**
 * Requests an access token for the mailbox of one user. Returns the reason if Google refuses. The service account
 * acts for the user by domain-wide delegation (RFC 7523, section 2.1;
 * developers.google.com/identity/protocols/oauth2/service-account).
 */
export async function accessToken(
  { client_email: account, private_key: key }: ServiceAccount,
  user: string,
  access: GoogleAccess & { tokenUrl: string },
): Promise<{ token: string } | GoogleFault> {
  const { tokenUrl } = access
  const assertion = await new SignJWT({ scope: gmailScope })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(account)
    .setSubject(user)
    .setAudience(tokenUrl)
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(createPrivateKey(key))
  const grant = new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion })
  const reply = await askGoogle(access, {
    method: 'POST',
    url: tokenUrl,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: grant.toString(),
    timeoutMs,
    trusted: true,
  })
  if ('fault' in reply) return reply
  const { access_token: token, error, error_description: why } = membersOf(reply.json)
  if (reply.status === 200 && typeof token === 'string') return { token }
  if (reply.status === 200) return retryLater('Google’s sign-in answered without an access token', reply)
  if (error === 'unauthorized_client' || error === 'access_denied')
    return refusedByGoogle(
      `${account} may not act for ${user}: allow it domain-wide delegation with the scope ${gmailScope} (admin.google.com, Security, API controls)`,
    )
  if (error === 'invalid_grant')
    return refusedByGoogle(
      `Google refuses access to ${user} (${typeof why === 'string' ? why : 'invalid_grant'}): check that it is a mailbox of the domain, and that the key of ${account} is still valid`,
    )
  if (reply.status === 429 || reply.status >= 500)
    return retryLater(`Google’s sign-in answered ${reply.status}`, reply)
  return refusedByGoogle(
    `Google’s sign-in refused the service account: ${typeof error === 'string' ? error : `status ${reply.status}`}`,
  )
}
