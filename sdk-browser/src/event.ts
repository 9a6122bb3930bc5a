import { consent, hasDnt, hasGpc, mayStore, mayUseAds } from './consent.ts'
import { randomHex } from './random.ts'
import { currentSession, type Session } from './session.ts'
import { type Source, sourceOf } from './source.ts'
import { version } from './version.ts'
import { userId, visitorId } from './visitor.ts'

export type EventType = 'track' | 'page' | 'identify' | 'group'

/** An event without its visitor, who may still be unknown. */
export type Draft = {
  type: EventType
  messageId: string
  timestamp: string
  page: { url: string; path: string; title: string; referrer: string | undefined }
  [member: string]: unknown
}

let lastUrl = ''
let lastAt = 0
/** Where the visitor came from: another site, or another page of the same document. */
let referrer = ''

export function draftEvent(type: EventType, members: object): Draft {
  // Keep the order of two events of the same millisecond.
  lastAt = Math.max(lastAt + 1, Date.now())
  const [messageId, timestamp] = [randomHex(16), new Date(lastAt).toISOString()]
  return { type, messageId, timestamp, page: currentPage(), ...members }
}

/** The address without its query and fragment: they may be secret. */
function currentPage(): Draft['page'] {
  const { origin, pathname: path } = location
  const url = origin + path
  if (url !== lastUrl) referrer = lastUrl || originOf(document.referrer)
  lastUrl = url
  return { url, path, title: document.title, referrer: referrer || undefined }
}

const originOf = (address: string) => (address ? new URL(address).origin : '')

/** The event as it is sent. Without consent to storage, it has no id. */
export function completedEvent({ page, proof, ...members }: Draft): object {
  const isStored = mayStore()
  const session: Session | null = isStored ? currentSession() : null
  const { campaign, click_ids }: Source = session ?? sourceOf(location.search)
  const user = isStored ? userId() : null
  return {
    ...members,
    ...(isStored && { anonymousId: visitorId() }),
    ...(user && { userId: user }),
    context: {
      page,
      crosswalk: proof,
      session_id: session?.id,
      campaign,
      click_ids: mayUseAds() ? click_ids : undefined,
      consent,
      gpc: hasGpc() || undefined,
      dnt: hasDnt() || undefined,
      webdriver: navigator.webdriver || undefined,
      cookieless: !isStored || undefined,
      locale: navigator.language,
      library: { name: 'crosswalk-browser', version },
    },
  }
}
