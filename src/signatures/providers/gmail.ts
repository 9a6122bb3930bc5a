import { setTimeout as delay } from 'node:timers/promises'
import { membersOf } from '../../platform/outbound/answers.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { canonicalHtml } from '../compile/canonical.ts'
import { type GmailQuota, units } from './gmail-quota.ts'
import type { ServiceAccount } from './google-account.ts'
import { askGoogle, type Fault, isObject, later, type Reply, refused } from './google-answers.ts'
import { accessToken } from './google-token.ts'
import type { Order, Outcome, Provider } from './provider.ts'

/** The way to Google; addresses without a slash at the end. */
export type GmailAccess = { outbound: Outbound; apiUrl: string; tokenUrl: string; quota: GmailQuota }

const timeoutMs = 15_000
/** What has to wait longer for its quota is put off. */
const longestWaitMs = 5_000

/** A mailbox's address and its signature (users.settings.sendAs). */
type SendAs = { email: string; isPrimary: boolean; signature: string }

/**
 * Gmail's sendAs settings, by a service account that acts for each mailbox
 * (developers.google.com/workspace/gmail/api/reference/rest/v1/users.settings.sendAs).
 */
export function gmailProvider(account: ServiceAccount, access: GmailAccess): Provider {
  const { outbound, apiUrl, quota } = access
  const project = account.client_email.split('@')[1]!

  async function install({ email: user, html }: Order, signal: AbortSignal): Promise<Outcome> {
    const got = await accessToken(account, user, access)
    if ('fault' in got) return got.fault
    const settings = `${apiUrl}/gmail/v1/users/${encodeURIComponent(user)}/settings/sendAs`
    const headers = { authorization: `Bearer ${got.token}`, 'content-type': 'application/json' }
    const ask = async (method: 'GET' | 'PATCH', cost: number, path = '', body?: object) => {
      const wait = quota.take(project, user, cost)
      if (wait > longestWaitMs)
        return later('Gmail’s quota is used up for now', { retryAfter: Math.ceil(wait / 1000) })
      if (wait > 0) await delay(wait, undefined, { signal })
      // Whoever took over may have installed something newer by now.
      signal.throwIfAborted()
      const request = { method, url: settings + path, headers, timeoutMs, trusted: true }
      const reply = await askGoogle(outbound, body ? { ...request, body: JSON.stringify(body) } : request)
      if ('fault' in reply) return reply
      if (reply.status !== 200) return faultOf(reply, user)
      return isObject(reply.json) ? reply : later('Gmail’s answer cannot be read', reply)
    }

    const listed = await ask('GET', units.list)
    if ('fault' in listed) return listed.fault
    const address = addressIn(listed, user)
    if (!address) return refused(`Gmail has no address ${user} to send from in this mailbox`).fault
    // A try before this one may have come through, though its answer did not.
    if (isSame(address.signature, html)) return { outcome: 'installed' }

    const path = `/${encodeURIComponent(address.email)}`
    const changed = await ask('PATCH', units.update, path, { signature: html })
    if ('fault' in changed) return changed.fault
    const kept = await ask('GET', units.get, path)
    if ('fault' in kept) return kept.fault
    const { signature } = sendAsOf(kept.json)
    return isSame(signature, html) ? { outcome: 'installed' } : refused(differenceOf(html, signature)).fault
  }

  return { install }
}

const sendAsOf = (json: unknown): SendAs => {
  const { sendAsEmail, isPrimary, signature } = membersOf(json)
  return {
    email: typeof sendAsEmail === 'string' ? sendAsEmail : '',
    isPrimary: isPrimary === true,
    signature: typeof signature === 'string' ? signature : '',
  }
}

/** The mailbox's own address among those that it sends from. */
function addressIn({ json }: Reply, user: string): SendAs | undefined {
  const { sendAs } = membersOf(json)
  const addresses = Array.isArray(sendAs) ? sendAs.map(sendAsOf) : []
  const named = addresses.find(({ email }) => email.toLowerCase() === user.toLowerCase())
  return named ?? addresses.find(({ isPrimary }) => isPrimary)
}

/** Gmail writes HTML in its own way, and takes out what it does not allow. */
const isSame = (kept: string, sent: string) => canonicalHtml(kept) === canonicalHtml(sent)

/** `{error: {code, message, errors: [{reason}]}}` (developers.google.com/workspace/gmail/api/guides/handle-errors). */
function faultOf(reply: Reply, user: string): Fault {
  const { message, errors } = membersOf(membersOf(reply.json).error)
  const reasons = (Array.isArray(errors) ? errors : []).map((each) => membersOf(each).reason)
  const words = typeof message === 'string' ? message : `status ${reply.status}`
  const isBusy =
    reply.status === 429 ||
    reply.status >= 500 ||
    (reply.status === 403 && reasons.some((reason) => /^(user)?rateLimitExceeded$/i.test(String(reason))))
  if (isBusy) return later(`Gmail is busy: ${words}`, reply)
  if (reply.status === 401) return refused(`Gmail does not take our access to ${user}: ${words}`)
  if (reply.status === 404) return refused(`Gmail has no mailbox ${user}: ${words}`)
  return refused(`Gmail refused the signature of ${user}: ${words}`)
}

const shownAround = 30

/** Where what Gmail keeps differs from what it was sent. */
function differenceOf(sent: string, kept: string): string {
  const [wanted, got] = [canonicalHtml(sent), canonicalHtml(kept)]
  if (got === '') return 'Gmail kept no signature at all of what it was sent'
  let at = 0
  while (at < wanted.length && wanted[at] === got[at]) at++
  const around = (text: string) => text.slice(Math.max(0, at - shownAround), at + shownAround)
  return `Gmail changed the signature when it kept it: it was sent …${around(wanted)}…, and keeps …${around(got)}… Leave out of the template what it takes out`
}
