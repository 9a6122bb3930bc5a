import { mayStore } from './consent.ts'
import { randomHex } from './random.ts'
import { prefix, read, remove, write } from './storage.ts'

const idName = `${prefix}id`
const userName = `${prefix}user`
/** 395 days: browsers cut longer ages to 400 days. */
const ageSeconds = 34_128_000

let isRefreshed = false
let domain: string | null = null

/** True: the server sets the cookie, because WebKit deletes cookies of scripts after 7 days. */
let isSetByServer = false

export function leaveCookieToServer(): void {
  isSetByServer = true
}

/** The id of this browser on this site. The first call makes it. */
export function visitorId(): string {
  const found = cookieValue() ?? read(idName)
  const id = found ?? randomHex(16)
  if (!isRefreshed) keepId(id)
  return id
}

export const userId = (): string | null => read(userName)
export const setUserId = (id: string): void => write(userName, id)

/** The header with which the server sets the cookie; none: the script sets it. */
export const cookieHeaders = (): Record<string, string> =>
  isSetByServer && mayStore() ? { 'x-cw-cookie': `${visitorId()} ${siteDomain()}` } : {}

/** Deletes the ids. The next event makes a new one. */
export function forgetVisitor(): void {
  remove(idName)
  remove(userName)
  if (cookieValue()) setCookie(idName, '', 0)
  isRefreshed = false
}

function keepId(id: string): void {
  isRefreshed = true
  write(idName, id)
  if (!isSetByServer) setCookie(idName, id, ageSeconds)
}

const cookieValue = (name = idName) =>
  document.cookie
    .split('; ')
    .find((cookie) => cookie.startsWith(`${name}=`))
    ?.slice(name.length + 1) || null

function setCookie(name: string, value: string, maxAge: number, on = siteDomain()): void {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  const scope = on && `; Domain=${on}`
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is asynchronous, and needs TLS
  document.cookie = `${name}=${value}; Max-Age=${maxAge}; Path=/; SameSite=Lax${secure}${scope}`
}

/** The shortest domain for which the browser accepts a cookie; empty: only this host. */
function siteDomain(): string {
  if (domain !== null) return domain
  const labels = location.hostname.split('.')
  const probe = `${prefix}probe`
  domain =
    labels
      .map((_label, at) => labels.slice(at).join('.'))
      .reverse()
      .find((each) => {
        setCookie(probe, '1', 9, each)
        const isAccepted = cookieValue(probe) !== null
        setCookie(probe, '', 0, each)
        return isAccepted
      }) ?? ''
  return domain
}
