import { mayStore, respectDnt, setConsent, waitMs } from './consent.ts'
import { completedEvent, type Draft, draftEvent, type EventType } from './event.ts'
import type { Client, ConsentDefault, Options, Proof, Properties } from './options.ts'
import { recordWaitingView, watchPages } from './pages.ts'
import { add, openQueue } from './queue.ts'
import { endSession } from './session.ts'
import { forgetAll } from './storage.ts'
import { sendSoon, startSending } from './transport.ts'
import { cookieHeaders, forgetVisitor, leaveCookieToServer, setUserId } from './visitor.ts'
import { warn } from './warn.ts'

/** The server refuses larger events. */
const eventLengthMax = 32_768

let options: Options | undefined
/** Events that wait for consent, or until a page that the browser prerenders becomes visible. */
const held: Draft[] = []
let isReady = false
/** True if the view of this page was not recorded, because consent was missing. */
let isViewMissing = false

/** Returns the client of this page. Repeated calls return the same client. */
export function init(key: string, given: Options): Client {
  attempt(() => {
    if (options) return
    if (!key || !given?.host) throw new Error('init() needs a write key and { host }')
    options = given
    if (given.respectDnt) respectDnt()
    if (given.cookie === 'server') leaveCookieToServer()
    if (given.consent) setConsent('default', given.consent)
    openQueue(key)
    const begin = () => start(key, given)
    if ((document as { prerendering?: boolean }).prerendering)
      document.addEventListener('prerenderingchange', () => attempt(begin), { once: true })
    else begin()
  })
  return client
}

function start(key: string, { host, cookie, pages }: Options): void {
  isReady = true
  startSending({
    url: host.replace(/\/*$/, '/v1/batch'),
    key,
    headers: cookieHeaders,
    credentials: cookie === 'server' ? 'same-origin' : 'omit',
  })
  if (pages !== false) watchPages(view)
}

function record(type: EventType, members: object): void {
  recordWaitingView()
  hold(draftEvent(type, members))
}

function view(): () => void {
  const event = draftEvent('page', {})
  return () => {
    event.page.title = document.title
    hold(event)
  }
}

function hold(event: Draft): void {
  held.push(event)
  release()
}

/** Stores the waiting events as soon as the visitor's consent is known. */
function release(): void {
  if (!isReady || held.length === 0) return
  if (waitMs() > 0) return void setTimeout(release, waitMs())
  for (const event of held.splice(0)) attempt(() => store(event))
}

function store(event: Draft): void {
  const { type, userId } = event
  if (mayStore()) {
    if (type === 'identify' && userId) setUserId(String(userId))
  } else if (!options?.cookieless || (type !== 'page' && type !== 'track')) {
    isViewMissing ||= type === 'page'
    return
  }
  const text = JSON.stringify(completedEvent(event))
  if (text.length > eventLengthMax) throw new Error(`an event is larger than ${eventLengthMax} bytes`)
  sendSoon(add(text, event.messageId))
}

function changeConsent(command: 'default' | 'update', state: ConsentDefault): void {
  const couldStore = mayStore()
  setConsent(command, state)
  if (command === 'update' && state.analytics_storage && !mayStore()) withdraw()
  release()
  if (couldStore || !mayStore() || !isViewMissing) return
  isViewMissing = false
  record('page', {})
}

function reset(): void {
  endSession()
  forgetVisitor()
}

/** The visitor denied consent: delete everything that was stored before. */
function withdraw(): void {
  forgetVisitor()
  forgetAll()
}

function needText(value: unknown, call: string): string {
  if (typeof value === 'string' && value.trim()) return value
  if (typeof value === 'number') return String(value)
  throw new Error(`${call}() needs a text that is not empty`)
}

/** Catches errors: the site must not fail because of its tracking. */
function attempt(work: () => void): void {
  // Frameworks also render pages on servers.
  if (typeof document === 'undefined') return
  try {
    work()
  } catch (error) {
    warn(error)
  }
}

const safe =
  <Args extends unknown[]>(call: (...args: Args) => void) =>
  (...args: Args): void =>
    attempt(() => call(...args))

export const client: Client = {
  track: safe((name: string, properties?: Properties) =>
    record('track', { event: needText(name, 'track'), properties }),
  ),
  page: safe((name?: string, properties?: Properties) => record('page', { name, properties })),
  identify: safe((user: string | Properties, traits?: Properties, proof?: Proof) =>
    record(
      'identify',
      user && typeof user === 'object'
        ? { traits: user }
        : { userId: needText(user, 'identify'), traits, proof },
    ),
  ),
  group: safe((groupId: string, traits?: Properties) =>
    record('group', { groupId: needText(groupId, 'group'), traits }),
  ),
  reset: safe(reset),
  consent: safe(changeConsent),
}
