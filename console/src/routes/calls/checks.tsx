import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { PlaceCall, VoiceSettings } from '../../../../sdk/src/generated/types.ts'
import { count } from '../../parts/numbers.ts'
import { State } from '../../parts/state.tsx'
import { Time } from '../../parts/time.tsx'
import { voiceProviderNames } from '../../parts/voice-providers.ts'
import { useScope } from '../../shell/scope.tsx'
import { useCallees, voiceUsageQuery } from './call-queries.ts'
import styles from './page.module.css'
import { monthsMinutes } from './usage.tsx'
import { callState } from './words.ts'

/** The longest conversation, after which the provider ends a call. */
const minutesMax = 30

/** What the check found, what the call costs, and its limits. */
export function Checks({ body, settings }: { body: PlaceCall; settings: VoiceSettings }) {
  const scope = useScope()
  const { orgId, mode, api } = scope
  const { to_number } = body
  const callee = useCallees([to_number]).get(to_number)
  const usage = useQuery(voiceUsageQuery(scope))
  const last = useQuery({
    queryKey: ['last-call', orgId, mode, to_number],
    queryFn: async ({ signal }) =>
      (await api.voice.calls.list({ to_number, limit: 1 }, { signal })).data[0] ?? null,
    staleTime: 0,
  })
  const { provider, calling_hours: hours, ai_disclosure } = settings
  const isReal = mode === 'live' && provider !== 'simulator'
  return (
    <section className="stack g4" aria-label="Check">
      <h3>Checked just now, nobody was called</h3>
      <ul className={styles.checks}>
        <Check>
          {callee ? `${callee.name} may be called` : 'The number may be called'}
          <Consent consent={callee?.consent ?? null} />
        </Check>
        <Check kind={hours ? 'ok' : 'off'}>
          {hours ? 'In your calling hours' : 'Calls are allowed at any hour'}
          {hours && (
            <span className="three t12">
              {hours.start} to {hours.end}, {body.timezone}
            </span>
          )}
        </Check>
        <Check kind={ai_disclosure ? 'ok' : 'warn'}>
          {ai_disclosure ? 'Begins by saying that an AI calls' : 'Does not say that an AI calls'}
        </Check>
        {last.data && (
          <Check kind="warn">
            <span>
              Was called <Time at={last.data.created_at} />
            </span>
            <span className="three t12">
              {callState(last.data).word}
              {last.data.mode === 'test' && ', a test: no phone rang'}
            </span>
          </Check>
        )}
      </ul>
      <p className="t12 two">
        {isReal
          ? `A real phone rings. ${voiceProviderNames[provider]} bills the call.`
          : 'The simulator answers the call: no phone rings, and it costs nothing.'}{' '}
        At most {minutesMax} minutes. {usage.data && leftWords(usage.data)} The call is placed once, whatever
        happens to the connection.
      </p>
    </section>
  )
}

const leftWords = ({
  included_minutes: included,
  months,
}: {
  included_minutes: number | null
  months: readonly { month: string; live: { minutes: number } }[]
}) =>
  included === null
    ? 'Your minutes have no limit.'
    : `${count(Math.max(0, included - monthsMinutes(months)))} of ${count(included)} minutes are left this month.`

const Check = ({ kind = 'ok', children }: { kind?: 'ok' | 'warn' | 'off'; children: ReactNode }) => (
  <li>
    <State kind={kind}>{''}</State>
    {children}
  </li>
)

const Consent = ({ consent }: { consent: string | null }) => (
  <span className="three t12">
    {consent === 'granted'
      ? 'gave consent to phone calls'
      : consent === null
        ? 'not on the do-not-call list'
        : 'consent to phone calls is not recorded'}
  </span>
)
