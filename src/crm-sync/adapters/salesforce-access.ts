import { createPrivateKey, hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { SignJWT } from 'jose'
import { membersOf, shorten } from '../../platform/outbound/answers.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { Credentials } from '../../platform/secrets/credentials.ts'
import { AccessRefused, Unavailable, Unusable } from './adapter.ts'
import { ask, type Hide, isBusy, type Reply, textOf } from './salesforce-answers.ts'

/** A token with the address of the org that it is for. */
export type Access = { token: string; instanceUrl: string }

/** Whose access it is. */
export type Account = {
  outbound: Outbound
  /** Where people sign in, without a slash at the end. */
  loginUrl: string
  connectionId: string
  /** Others once Salesforce has replaced the refresh token. */
  credentials: Credentials
  store: CredentialStore
}

/** Where credentials are kept. */
export type CredentialStore = {
  /** Those that are kept by now; null: none. */
  read(): Promise<Credentials | null>
  /** Keeps others in place of these; no effect if these are no longer kept. */
  replace(before: Credentials, after: Credentials): Promise<void>
}

const timeoutMs = 30_000
/** So many are kept in memory; the one that was not used for longest is forgotten first. */
const cachedMax = 1_000
/** By what they were given for, so that a change of the credentials asks for another. */
const cachedAccess = new Map<string, Promise<Access>>()

/**
 * The access of a connection, asked for where none is kept.
 * @param stale one that Salesforce no longer takes: another is asked for, once for all who hold it
 * @throws AccessRefused, Unavailable, Unusable
 */
export async function accessOf(account: Account, stale?: Access): Promise<Access> {
  const key = keyOf(account)
  const known = cachedAccess.get(key)
  if (known && (stale === undefined || (await known.catch(() => stale)) !== stale)) {
    cachedAccess.delete(key)
    cachedAccess.set(key, known)
    return known
  }
  // Another may have begun to ask while this one looked at what was kept.
  const begun = cachedAccess.get(key)
  if (begun && begun !== known) return begun
  cachedAccess.delete(key)
  const asked = signIn(account)
  cachedAccess.set(key, asked)
  asked.then(
    // Whoever reads the credentials from now on has those of now.
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

/** Refresh tokens, by connection, that took the place of those that are kept, and could not be kept themselves yet. */
const unstoredTokens = new Map<string, { before: Credentials; after: Credentials }>()

/** Once more with what is kept by now, if that is something else: another process may have been given it. */
async function signIn(account: Account): Promise<Access> {
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

/** Takes secrets out of what Salesforce says, should it repeat them. */
export function secretsHider(account: Pick<Account, 'credentials'>): Hide {
  return (text) => {
    const { client_secret: secret, refresh_token: refresh, private_key: key } = account.credentials
    const secrets = [secret, refresh, key].filter((each) => each !== undefined)
    return (
      secrets
        .reduce((shown, each) => shown.replaceAll(each, '…'), text)
        // Assertions, and access tokens: the id of the org, an exclamation mark and the rest.
        .replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]+|\b00D\w{9,15}![\w.]+/g, '…')
    )
  }
}

/**
 * The refresh token flow (as jsforce 3.10 sends it, src/oauth2.ts), or the JWT bearer flow: RFC 7523, section 2.1, with the
 * consumer key as issuer and the user as subject.
 */
async function askForAccess(account: Account): Promise<Access> {
  const { outbound, loginUrl } = account
  const reply = await ask(outbound, {
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
    throw new Unavailable('Salesforce’s sign-in answered without access')
  return { token, instanceUrl: originOf(url, loginUrl) }
}

/** With refresh token rotation, the one that was sent is not taken again. */
async function storeRefreshToken(account: Account, given: unknown): Promise<void> {
  const { credentials } = account
  const { refresh_token: sent } = credentials
  if (typeof given !== 'string' || given === '' || sent === undefined || given === sent) return
  await replaceCredentials(account, { ...credentials, refresh_token: given })
}

/** Has an account go on with other credentials: this process knows them until they are kept, and nobody else does. */
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
  // Salesforce takes assertions of a few minutes only.
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
 * Who assertions are for: however orgs are reached, the place where all sign in, or that for sandboxes (as getJwtAudienceUrl of
 * @salesforce/core has it, src/util/sfdcUrl.ts). Of other hosts than Salesforce’s, themselves.
 */
export function audienceOf(loginUrl: string): string {
  const { hostname } = new URL(loginUrl)
  if (!hostname.endsWith('.salesforce.com')) return loginUrl
  const isSandbox = hostname === 'test.salesforce.com' || hostname.endsWith('.sandbox.my.salesforce.com')
  return isSandbox ? 'https://test.salesforce.com' : 'https://login.salesforce.com'
}

/** Whatever path the address has, requests have their own. Tokens go over TLS, unless those for them did not. */
function originOf(url: string, loginUrl: string): string {
  const parsed = URL.parse(url)
  const isFit = parsed?.protocol === 'https:' || (parsed?.protocol === 'http:' && /^http:/.test(loginUrl))
  if (parsed && isFit) return parsed.origin
  throw new Unusable('Salesforce’s sign-in named an address of the org that is none of https')
}

/** `{error, error_description}` (RFC 6749, section 5.2). */
function refusalOf(reply: Reply, account: Account): Error {
  const { error, error_description: description } = membersOf(reply.json)
  const hide = secretsHider(account)
  const parts = [textOf(description), textOf(error) && `(${textOf(error)})`].filter(Boolean)
  const said = shorten(hide(parts.join(' ')) || `status ${reply.status}`)
  const isLater = isBusy(reply.status) || /rate.?(limit|exceeded)|unavailable|server_error/i.test(said)
  if (isLater || reply.status < 400)
    return new Unavailable(`Salesforce’s sign-in is not ready: ${said}`, reply.retryAfter)
  const hint = refusalHints.find(({ when }) => when.test(said))?.words ?? 'send credentials that it takes'
  return new AccessRefused(`Salesforce’s sign-in refused: ${said}: ${hint}`)
}

/** What Salesforce means by the words that it has for it. */
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
    words: 'the app is not of the place where this installation signs in (SALESFORCE_LOGIN_URL)',
  },
  { when: /assertion|signature/i, words: 'the app’s certificate has to be that of private_key' },
  { when: /inactive|locked/i, words: 'activate the user in Salesforce, or connect another' },
]
