import { setTimeout as delay } from 'node:timers/promises'
import { isObject, membersOf } from '../../platform/members.ts'
import { Outbound } from '../../platform/outbound/outbound.ts'
import { canonicalHtml } from '../compile/canonical.ts'
import { readGmailAccount } from '../settings.ts'
import { GmailQuota, quotaUnits } from './gmail-quota.ts'
import type { ServiceAccount } from './google-account.ts'
import {
  askGoogle,
  type GoogleAccess,
  type GoogleFault,
  type GoogleReply,
  refusedByGoogle,
  retryLater,
} from './google-answers.ts'
import { accessToken } from './google-token.ts'
import type { OpenProvider, Provider } from './provider.ts'

/** Access to Google. The URLs have no slash at the end. */
type GmailAccess = GoogleAccess & { apiUrl: string; tokenUrl: string }

const timeoutMs = 15_000
/** If the quota needs a longer wait, the install is retried later. */
const quotaWaitMaxMs = 5_000

/** Shared by all projects and all runs of the job, because the quota outlives a run. */
const quota = new GmailQuota()

/** Installs with the org's service account. Without one, every install fails. */
export const openGmail: OpenProvider = async ({ context: { config, secrets, log }, org }) => {
  const account = await org.read((tx) => readGmailAccount(tx, secrets))
  if (account === null)
    return {
      install: async () => ({ outcome: 'failed', code: 'provider_not_configured', message: noAccount }),
    }
  const outbound = new Outbound({ allowPrivate: config.outboundAllowPrivate, log })
  const { gmailApiUrl: apiUrl, googleTokenUrl: tokenUrl } = config
  return gmailFor(account, { outbound, owner: org.orgId, apiUrl, tokenUrl })
}

const noAccount =
  'Gmail needs a service account: PATCH /signatures/settings {"gmail": {"service_account": {"client_email": …, "private_key": …}}}'

/** A mailbox's address and its signature (users.settings.sendAs). */
type SendAs = { email: string; isPrimary: boolean; signature: string }

/**
 * Gmail's sendAs settings. A service account acts for each mailbox
 * (developers.google.com/workspace/gmail/api/reference/rest/v1/users.settings.sendAs).
 */
function gmailFor(account: ServiceAccount, access: GmailAccess): Provider {
  const { apiUrl } = access
  const [, project = ''] = account.client_email.split('@')
  return {
    async install({ email: user, html }, signal) {
      const got = await accessToken(account, user, access)
      if ('fault' in got) return got.fault
      const settings = `${apiUrl}/gmail/v1/users/${encodeURIComponent(user)}/settings/sendAs`
      const headers = { authorization: `Bearer ${got.token}`, 'content-type': 'application/json' }
      const ask = async (method: 'GET' | 'PATCH', cost: number, path = '', body?: object) => {
        const wait = quota.take(project, user, cost)
        if (wait > quotaWaitMaxMs)
          return retryLater('The Gmail quota is used up for now', { retryAfter: Math.ceil(wait / 1000) })
        if (wait > 0) await delay(wait, undefined, { signal })
        // Another worker may have this deployment now, and may have installed a newer signature.
        signal.throwIfAborted()
        const request = { method, url: settings + path, headers, timeoutMs, trusted: true }
        const reply = await askGoogle(access, body ? { ...request, body: JSON.stringify(body) } : request)
        if ('fault' in reply) return reply
        if (reply.status !== 200) return faultOf(reply, user)
        return isObject(reply.json) ? reply : retryLater('Gmail’s answer is not a JSON object', reply)
      }

      const listed = await ask('GET', quotaUnits.list)
      if ('fault' in listed) return listed.fault
      const address = addressIn(listed, user)
      if (!address) return refusedByGoogle(`This Gmail mailbox has no permission to send from ${user}`).fault
      // An earlier try may have succeeded although its answer was lost.
      if (isSame(address.signature, html)) return { outcome: 'installed' }

      const path = `/${encodeURIComponent(address.email)}`
      const changed = await ask('PATCH', quotaUnits.update, path, { signature: html })
      if ('fault' in changed) return changed.fault
      const stored = await ask('GET', quotaUnits.get, path)
      if ('fault' in stored) return stored.fault
      const { signature } = sendAsOf(stored.json)
      if (isSame(signature, html)) return { outcome: 'installed' }
      return refusedByGoogle(differenceOf(html, signature)).fault
    },
  }
}

const sendAsOf = (json: unknown): SendAs => {
  const { sendAsEmail, isPrimary, signature } = membersOf(json)
  return {
    email: typeof sendAsEmail === 'string' ? sendAsEmail : '',
    isPrimary: isPrimary === true,
    signature: typeof signature === 'string' ? signature : '',
  }
}

/** Finds the user's own address in the mailbox, or else the primary one. */
function addressIn({ json }: GoogleReply, user: string): SendAs | undefined {
  const { sendAs } = membersOf(json)
  const addresses = Array.isArray(sendAs) ? sendAs.map(sendAsOf) : []
  const named = addresses.find(({ email }) => email.toLowerCase() === user.toLowerCase())
  return named ?? addresses.find(({ isPrimary }) => isPrimary)
}

/** Compare the canonical form: Gmail rewrites HTML, and removes what it does not allow. */
const isSame = (stored: string, sent: string) => canonicalHtml(stored) === canonicalHtml(sent)

/**
 * Reads an error answer: `{error: {code, message, errors: [{reason}]}}`
 * (developers.google.com/workspace/gmail/api/guides/handle-errors).
 */
function faultOf(reply: GoogleReply, user: string): GoogleFault {
  const { message, errors } = membersOf(membersOf(reply.json).error)
  const reasons = (Array.isArray(errors) ? errors : []).map((each) => membersOf(each).reason)
  const words = typeof message === 'string' ? message : `status ${reply.status}`
  const isBusy =
    reply.status === 429 ||
    reply.status >= 500 ||
    (reply.status === 403 && reasons.some((reason) => /^(user)?rateLimitExceeded$/i.test(String(reason))))
  if (isBusy) return retryLater(`Gmail is busy: ${words}`, reply)
  if (reply.status === 401) return refusedByGoogle(`Gmail rejected the access token for ${user}: ${words}`)
  if (reply.status === 404) return refusedByGoogle(`Gmail has no mailbox ${user}: ${words}`)
  return refusedByGoogle(`Gmail refused the signature of ${user}: ${words}`)
}

const shownCharacters = 30

/** Describes where Gmail's stored signature differs from the sent one. */
function differenceOf(sent: string, stored: string): string {
  const [wanted, got] = [canonicalHtml(sent), canonicalHtml(stored)]
  if (got === '') return 'Gmail stored an empty signature instead of the sent one'
  let at = 0
  while (at < wanted.length && wanted[at] === got[at]) at++
  const around = (text: string) => text.slice(Math.max(0, at - shownCharacters), at + shownCharacters)
  return `Gmail changed the signature: sent …${around(wanted)}…, stored …${around(got)}… Remove from the template what Gmail removes`
}
