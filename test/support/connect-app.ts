import { setTimeout as delay } from 'node:timers/promises'
import type { Answer } from './app.ts'
import type { SignedIn } from './members.ts'

let addresses = 0
/** A new client address. It counts only if the server trusts its proxy. */
export const newAddress = (): { 'x-forwarded-for': string } => ({
  'x-forwarded-for': `10.9.0.${++addresses % 250}`,
})

/** The browser of a person during a sign-in of an app: follows redirects, keeps cookies, and answers the consent page. */
export async function connectInBrowser(
  browser: SignedIn,
  authorizationUrl: string | URL,
  answer: { permissions?: string[]; orgId?: string; mode?: 'live' | 'test' } | 'decline' = {},
): Promise<URL> {
  const cookies = new Map<string, string>()
  const header = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const visit = async (url: string | URL) => {
    const cookie = header()
    const response = await fetch(url, { redirect: 'manual', headers: { cookie, ...newAddress() } })
    for (const set of response.headers.getSetCookie()) {
      const [name = '', value = ''] = set.split(';')[0]!.split('=', 2)
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`${response.status}: ${await response.text()}`)
    return new URL(location, url)
  }
  const consent = await visit(authorizationUrl)
  // An error redirects to the app at once.
  if (!consent.pathname.startsWith('/console/connect/')) return consent
  const path = `/connect/${consent.pathname.split('/').at(-1)}`
  const headers = { cookie: [browser.cookie, header()].join('; ') }
  const asked = await withinLimit(() => browser.get(path, { headers }))
  if (asked.status !== 200) throw new Error(asked.text)
  const {
    permissions = asked.body.data.checked,
    orgId = browser.orgId,
    mode = 'live',
  } = answer === 'decline' ? {} : answer
  const decided = await withinLimit(() =>
    answer === 'decline'
      ? browser.post(`${path}/decline`, undefined, { headers })
      : browser.post(`${path}/allow`, { org_id: orgId, mode, permissions }, { headers }),
  )
  if (decided.status !== 200) throw new Error(decided.text)
  return visit(decided.body.data.redirect_url)
}

/** Sends a request again after the time that a refusal names: a fast machine may exceed the limit of a person. */
async function withinLimit(send: () => Promise<Answer>): Promise<Answer> {
  const answer = await send()
  if (answer.status !== 429) return answer
  await delay(Number(answer.headers.get('retry-after')) * 1_000)
  return withinLimit(send)
}
