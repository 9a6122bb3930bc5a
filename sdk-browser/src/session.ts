import { mayUseAds } from './consent.ts'
import { randomHex } from './random.ts'
import { type Source, sourceOf } from './source.ts'
import { prefix, read, remove, write } from './storage.ts'

/** A session. `at` is the time of its last event, in Unix milliseconds. */
export type Session = Source & { id: string; at: number }

const name = `${prefix}session`
const idleMs = 1_800_000

/** The query of the address that was last compared with the session. */
let compared: string | null = null

/** The current session. It ends after 30 minutes without an event, or if the page has another campaign. */
export function currentSession(): Session {
  const { search } = location
  const source = sourceOf(search)
  const last = lastSession()
  const isSame =
    last && Date.now() - last.at < idleMs && (search === compared || !isOtherSource(source, last))
  compared = search
  const session: Session = { ...(isSame ? last : { id: randomHex(8) }), ...source, at: Date.now() }
  if (!mayUseAds()) delete session.click_ids
  write(name, JSON.stringify(session))
  return session
}

/** The next event begins a session. */
export const endSession = (): void => remove(name)

function lastSession(): Session | null {
  try {
    return JSON.parse(read(name) ?? 'null')
  } catch {
    return null
  }
}

const isOtherSource = (source: Source, last: Source) =>
  (['campaign', 'click_ids'] as const).some(
    (each) => source[each] && JSON.stringify(source[each]) !== JSON.stringify(last[each]),
  )
