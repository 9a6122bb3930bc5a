import { createPrivateKey, hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { SignJWT } from 'jose'
import { membersOf } from '../../platform/members.ts'
import { shorten } from '../../platform/outbound/answers.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { Credentials } from '../../platform/secrets/credentials.ts'
import { AccessRefused, CrmSetupError, Unavailable } from './adapter.ts'
import { isBusy, type Redact, type SalesforceReply, sendRequest, textOf } from './salesforce-answers.ts'

/** An access token, with the address of its Salesforce org. */
export type SalesforceAccess = { token: string; instanceUrl: string }

export type Account = {
  outbound: Outbound
  /** The organization of the connection. */
  owner: string
  /** The address for signing in, without a slash at the end. */
  loginUrl: string
  connectionId: string
  /** The credentials change if Salesforce replaces the refresh token. */
  credentials: Credentials
  store: CredentialStore
}

export type CredentialStore = {
  read(): Promise<Credentials | null>
  /** Replaces `before` by `after` if `before` is still stored. */
  replace(before: Credentials, after: Credentials): Promise<void>
}

/** Shorter than the 30 s for which the SDK waits for a test of the connection. */
const timeoutMs = 25_000
/** The maximum number of tokens in memory. The least recently used one is dropped first. */
const cachedMax = 1_000
/** The key of a cached access includes the credentials: changed credentials need a new token. */
const cachedAccess = new Map<string, Promise<SalesforceAccess>>()

/**
 * Returns cached access, or requests it.
 * @param stale access that Salesforce refused. All callers with this access share one new request
 * @throws AccessRefused, Unavailable, CrmSetupError
 */
export async function accessOf(account: Account, stale?: SalesforceAccess): Promise<SalesforceAccess> {
  const key = keyOf(account)
  const known = cachedAccess.get(key)
  if (known && (stale === undefined || (await known.catch(() => stale)) !== stale)) {
    cachedAccess.delete(key)
    cachedAccess.set(key, known)
    return known
  }
  // Another caller may have begun a request while this one read the credentials.
  const begun = cachedAccess.get(key)
  if (begun && begun !== known) return begun
  cachedAccess.delete(key)
  const asked = signIn(account)
  cachedAccess.set(key, asked)
  asked.then(
    // Cache it under the current credentials, which later callers have.
    () => cachedAccess.set(keyOf(account), asked),
    () => {
      if (cachedAccess.get(key) === asked) cachedAccess.delete(key)
    },
  )
  const [oldest] = cachedAccess.keys()
  if (cachedAccess.size > cachedMax && oldest) cachedAccess.delete(oldest)
  return asked
}

function keyOf({ loginUrl, connectionId, credentials }: Account): string {
  const members = Object.entries(credentials).sort(([a], [b]) => (a < b ? -1 : 1))
  return hash('sha256', JSON.stringify([loginUrl, connectionId, members]))
}

/** New refresh tokens that could not be stored yet, by connection. */
const unstoredTokens = new Map<string, { before: Credentials; after: Credentials }>()

/**
 * Signs in. If Salesforce refused credentials that another process has replaced, tries once more with the new ones.
 */
async function signIn(account: Account): Promise<SalesforceAccess> {
  const given = unstoredTokens.get(account.connectionId)
  if (given && isDeepStrictEqual(given.before, account.credentials))
    await replaceCredentials(account, given.after)
  else unstoredTokens.delete(account.connectionId)
  try {
    return await askForAccess(account)
  } catch (error) {
    const now = error instanceof AccessRefused ? await account.store.read() : null
    if (now === null || isDeepStrictEqual(now, account.credentials)) throw error
    account.credentials = now
    return askForAccess(account)
  }
}

/** Whether a match is an access token, or an assertion of three parts. */
const isSecret = (found: string) => found.startsWith('00D') || found.split('.', 3).length === 3

/** Removes secrets from Salesforce's messages, which may repeat them. */
export function makeRedactor(account: Pick<Account, 'credentials'>): Redact {
  return (text) => {
    const { client_secret: secret, refresh_token: refresh, private_key: key } = account.credentials
    const secrets = [secret, refresh, key].filter((each) => each !== undefined)
    return (
      secrets
        .reduce((shown, each) => shown.replaceAll(each, '…'), text)
        // Matches assertions and access tokens: the id of the org, an exclamation mark and further characters. A match reads
        // all characters of a token, so a long text costs linear time.
        .replaceAll(/eyJ[\w.-]+|\b00D\w{9,15}![\w.]+/g, (found) => (isSecret(found) ? '…' : found))
    )
  }
}

/**
 * Requests access by the refresh token flow (jsforce 3.10, src/oauth2.ts) or the JWT bearer flow
 * (RFC 7523, section 2.1).
 */
async function askForAccess(account: Account): Promise<SalesforceAccess> {
  const { loginUrl } = account
  const reply = await sendRequest(account, {
    method: 'POST',
    url: `${loginUrl}/services/oauth2/token`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(await grantOf(account)).toString(),
    timeoutMs,
    trusted: true,
  })
  if (reply.status !== 200) throw refusalOf(reply, account)
  const { access_token: token, instance_url: url, refresh_token: refresh } = membersOf(reply.json)
  await storeRefreshToken(account, refresh)
  if (typeof token !== 'string' || typeof url !== 'string')
    throw new Unavailable('Salesforce’s sign-in answered without an access token')
  return { token, instanceUrl: originOf(url, loginUrl) }
}

/** Stores the new refresh token. With refresh token rotation, Salesforce accepts each only once. */
async function storeRefreshToken(account: Account, given: unknown): Promise<void> {
  const { credentials } = account
  const { refresh_token: sent } = credentials
  if (typeof given !== 'string' || given === '' || sent === undefined || given === sent) return
  await replaceCredentials(account, { ...credentials, refresh_token: given })
}

/** Changes the credentials of an account. Until they are stored, only this process has them. */
async function replaceCredentials(account: Account, after: Credentials): Promise<void> {
  const { connectionId, credentials: before, store } = account
  account.credentials = after
  unstoredTokens.set(connectionId, { before, after })
  await store.replace(before, after)
  unstoredTokens.delete(connectionId)
}

async function grantOf({ loginUrl, credentials }: Account): Promise<Record<string, string>> {
  const { client_id: client = '', username = '', private_key: key, ...rest } = credentials
  if (key === undefined) return { grant_type: 'refresh_token', client_id: client, ...rest }
  // Salesforce accepts only assertions that expire within a few minutes.
  const assertion = await new SignJWT()
    .setProtectedHeader({ alg: 'RS256' })
    .setIssuer(client)
    .setSubject(username)
    .setAudience(audienceOf(loginUrl))
    .setExpirationTime('3m')
    .sign(createPrivateKey(key))
  return { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }
}

/**
 * The audience of assertions (as getJwtAudienceUrl of @salesforce/core, src/util/sfdcUrl.ts). A
 * host outside of Salesforce is its own audience.
 */
export function audienceOf(loginUrl: string): string {
  const { hostname } = new URL(loginUrl)
  if (!hostname.endsWith('.salesforce.com')) return loginUrl
  const isSandbox = hostname === 'test.salesforce.com' || hostname.endsWith('.sandbox.my.salesforce.com')
  return isSandbox ? 'https://test.salesforce.com' : 'https://login.salesforce.com'
}

/** The origin of the instance. It must use TLS if the sign-in address does, because requests contain the token. */
function originOf(url: string, loginUrl: string): string {
  const parsed = URL.parse(url)
  const isFit = parsed?.protocol === 'https:' || (parsed?.protocol === 'http:' && /^http:/.test(loginUrl))
  if (parsed && isFit) return parsed.origin
  throw new CrmSetupError(
    'Salesforce’s sign-in returned an address of the org that does not begin with https',
  )
}

/** Reads an error answer: `{error, error_description}` (RFC 6749, section 5.2). */
function refusalOf(reply: SalesforceReply, account: Account): Error {
  const { error, error_description: description } = membersOf(reply.json)
  const hide = makeRedactor(account)
  const parts = [textOf(description), textOf(error) && `(${textOf(error)})`].filter(Boolean)
  const explanation = shorten(hide(parts.join(' ')) || `status ${reply.status}`)
  const isLater = isBusy(reply.status) || /rate.?(limit|exceeded)|unavailable|server_error/i.test(explanation)
  if (isLater || reply.status < 400)
    return new Unavailable(`Salesforce’s sign-in is not available: ${explanation}`, reply.retryAfter)
  const hint =
    refusalHints.find(({ when }) => when.test(explanation))?.words ?? 'send credentials that it accepts'
  return new AccessRefused(`Salesforce’s sign-in refused: ${explanation}: ${hint}`)
}

/** Explains Salesforce's error messages. */
const refusalHints: readonly { when: RegExp; words: string }[] = [
  {
    when: /approved this consumer/i,
    words:
      'pre-authorize the user for the app (its OAuth policies: “Admin approved users are pre-authorized”, with a permission set of the user)',
  },
  {
    when: /expired access\/refresh token|invalid_token/i,
    words:
      'the refresh token was revoked, has expired, or was used by something else: authorize the app again, and send the new one',
  },
  {
    when: /audience/i,
    words: 'the app does not exist at the address where this installation signs in (SALESFORCE_LOGIN_URL)',
  },
  { when: /assertion|signature/i, words: 'the app’s certificate must belong to private_key' },
  { when: /inactive|locked/i, words: 'activate the user in Salesforce, or connect another' },
]
