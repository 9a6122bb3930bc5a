import type { ApiKey } from '../../../../../sdk/src/generated/types.ts'
import { ago, dateOf, daysUntil, isSoon, now } from '../../../parts/times.ts'
import styles from './expiry-line.module.css'

const shownDays = 90
/** The heights of the names: neighbors get different heights, so that they do not overlap. */
const heights = [28, 44, 56]

/** A time line of the next 90 days with the keys that expire in this time. */
export function ExpiryLine({ keys }: { keys: readonly ApiKey[] }) {
  const ending = keys
    .flatMap(({ api_key_id, name, expires_at }) =>
      expires_at === null ? [] : [{ api_key_id, name, at: expires_at }],
    )
    .filter(({ at }) => at > now() && daysUntil(at) < shownDays)
    .sort((one, other) => one.at - other.at)
  if (ending.length === 0) return null
  return (
    <div className="pad stack opt">
      <div className="rail">
        <h3>Next 90 days</h3>
        <span className="three t12">when keys stop working</span>
      </div>
      <div
        className={styles.line}
        role="img"
        aria-label={ending.map(({ name, at }) => `${name} expires ${ago(at)}`).join(', ')}
      >
        {ending.map(({ api_key_id, name, at }, index) => {
          const days = (at - now()) / 86_400
          const isLate = days > shownDays * 0.8
          // The line of the next key must not cross a long name.
          const room = ((ending[index + 1]?.at ?? Infinity) - at) / 86_400 / shownDays
          const maxWidth = isLate ? undefined : `max(80px, ${Math.min(room, 0.25) * 100}%)`
          return (
            <span
              key={api_key_id}
              className={styles.end}
              data-soon={isSoon(at) || undefined}
              data-late={isLate || undefined}
              style={{
                left: `${(days / shownDays) * 100}%`,
                height: heights[index % heights.length],
                maxWidth,
              }}
            >
              <span className={styles.name}>{name}</span>
            </span>
          )
        })}
      </div>
      <div className={styles.dates} aria-hidden="true">
        <span>today</span>
        <span>{dateOf(now() + 30 * 86_400)}</span>
        <span>{dateOf(now() + 60 * 86_400)}</span>
        <span>{dateOf(now() + 90 * 86_400)}</span>
      </div>
    </div>
  )
}
