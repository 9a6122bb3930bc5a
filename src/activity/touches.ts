import type { OrgTx } from '../platform/db/org-tx.ts'
import { readTouch, type StoredTouch } from '../tracking/store/person-events.ts'
import { seconds } from './place.ts'
import type { Touch, Touches } from './schema.ts'
import type { Person } from './subject.ts'
import { eventsOf, visitorsOf } from './web-events.ts'

/**
 * The first web event of a person, and the last one that says where the visit came from. Visitors that only claim to be the
 * person count if there are no others.
 */
export async function readTouches(tx: OrgTx, person: Person): Promise<Touches> {
  const visitors = await visitorsOf(tx, [person])
  const proven = visitors.filter(({ isProven }) => isProven)
  const events = eventsOf([person], proven.length > 0 ? proven : visitors)
  if (events.parts.length === 0) return { first_touch: null, last_touch: null }
  const [first, last] = await Promise.all([readTouch(tx, events, 'first'), readTouch(tx, events, 'last')])
  return { first_touch: shown(first), last_touch: shown(last) }
}

const shown = (touch: StoredTouch | undefined): Touch | null =>
  touch === undefined
    ? null
    : {
        ...{ source: touch.source?.source ?? null, campaign: touch.source?.campaign ?? null },
        ...{ referrer_host: touch.source?.referrer_host ?? null, page: touch.page, at: seconds(touch.at) },
      }
