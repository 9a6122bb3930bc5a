import type { WriteKey } from '../../../../../sdk/src/generated/types.ts'
import { CopyButton } from '../../../parts/copy.tsx'
import { Fact, Facts } from '../../../parts/facts.tsx'
import { count } from '../../../parts/numbers.ts'
import { Time } from '../../../parts/time.tsx'
import { fullTime } from '../../../parts/times.ts'

/** The key and its settings. */
export function WriteKeyFacts({ writeKey }: { writeKey: WriteKey }) {
  const { key, old_key, old_key_expires_at, origins, purposes, limits, created_at, write_key_id } = writeKey
  return (
    <Facts>
      <Fact name="Key" wide>
        <span className="mono">{key}</span>
        <CopyButton text={key} />
      </Fact>
      {old_key !== null && old_key_expires_at !== null && (
        <Fact name="Old key" wide>
          <span className="rail wrap">
            <span className="mono">{old_key}</span>
            <span className="two">works until {fullTime(old_key_expires_at)}</span>
          </span>
        </Fact>
      )}
      <Fact name="Sites">
        {origins.length === 0 ? (
          'every site'
        ) : (
          <div className="mono">
            {origins.map((origin) => (
              <div key={origin}>{origin}</div>
            ))}
          </div>
        )}
      </Fact>
      <Fact name="Calls">{purposes.join(', ')}</Fact>
      <Fact name="Limits">
        {count(limits.events_per_second)} events a second, {count(limits.events_per_day)} a day
      </Fact>
      <Fact name="Created">
        <Time at={created_at} />
      </Fact>
      <Fact name="Write key id" wide>
        <span className="mono cut">{write_key_id}</span>
        <CopyButton text={write_key_id} />
      </Fact>
    </Facts>
  )
}
