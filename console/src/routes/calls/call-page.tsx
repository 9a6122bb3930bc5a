import { useQuery } from '@tanstack/react-query'
import type { Call } from '../../../../sdk/src/generated/types.ts'
import { liveInterval } from '../../api/live.ts'
import { Code } from '../../parts/code.tsx'
import { CopyButton } from '../../parts/copy.tsx'
import { Fact, Facts } from '../../parts/facts.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { LostProgress } from '../../parts/lost-progress.tsx'
import { Note } from '../../parts/note.tsx'
import { phoneWords } from '../../parts/phone-number.ts'
import { Section, SectionBody } from '../../parts/section.tsx'
import { State } from '../../parts/state.tsx'
import { Tag } from '../../parts/tag.tsx'
import { Time } from '../../parts/time.tsx'
import { voiceProviderNames } from '../../parts/voice-providers.ts'
import { personaQuery } from '../../queries/personas.ts'
import { Link } from '../../routing/link.tsx'
import { useParams } from '../../routing/use-router.ts'
import { Page } from '../../shell/page.tsx'
import { useScope } from '../../shell/scope.tsx'
import { useCallees } from './call-queries.ts'
import { EndButton } from './live-calls.tsx'
import { callState, isUnderWay, talkTime } from './words.ts'

/** One call: its progress, what the agent was told, and what the provider said. */
export function CallPage() {
  const { orgId, api } = useScope()
  const { callId } = useParams('/o/$orgId/calls/$callId')
  const call = useQuery({
    queryKey: ['call', orgId, callId],
    queryFn: ({ signal }) => api.voice.calls.get(callId, { signal }),
    refetchInterval: liveInterval(isUnderWay, false),
  })
  return (
    <Page name="Calls" part={call.data?.to_number ? phoneWords(call.data.to_number) : 'Call'}>
      {call.data && isUnderWay(call.data) && <LostProgress query={call} name="call" />}
      <Loaded query={call}>{(found) => <Found call={found} onChanged={() => void call.refetch()} />}</Loaded>
    </Page>
  )
}

function Found({ call, onChanged }: { call: Call; onChanged: () => void }) {
  const { orgId } = useScope()
  const callee = useCallees([call.to_number]).get(call.to_number ?? '')
  const { kind, word } = callState(call)
  const metadata = Object.fromEntries(
    Object.entries(call.metadata).filter(([name]) => name !== 'console_key'),
  )
  return (
    <>
      <div className="pad stack g12">
        <p className="t12">
          <Link to="/o/$orgId/calls" params={{ orgId }} className="link">
            All calls
          </Link>
        </p>
        <div className="rail wrap g12">
          <h2 className="t16">
            {callee ? (
              <Link className="link" to="/o/$orgId/people/$recordId" params={{ orgId, recordId: callee.id }}>
                {callee.name}
              </Link>
            ) : call.to_number === null ? (
              'An erased number'
            ) : (
              phoneWords(call.to_number)
            )}
          </h2>
          <span role="status">
            <State kind={kind}>{word}</State>
          </span>
          {call.mode === 'test' && <Tag kind="test">test</Tag>}
          <span className="end">
            <EndButton call={call} onChanged={onChanged} />
          </span>
        </div>
        {call.status === 'unknown' && (
          <Note kind="warn">
            {voiceProviderNames[call.provider]} did not say whether it dialed. Crosswalk asks again, and does
            not dial again.
          </Note>
        )}
        {call.error && <Note kind="bad">{call.error.message}</Note>}
        <CallFacts call={call} />
      </div>
      <Section title="Instructions" about="What the agent got for this call, after those of the persona.">
        <SectionBody>
          {call.instructions === null ? (
            <p className="two">None.</p>
          ) : (
            <p style={{ whiteSpace: 'pre-wrap', maxWidth: 720 }}>{call.instructions}</p>
          )}
        </SectionBody>
      </Section>
      {Object.keys(call.variables).length > 0 && <Json title="Variables" value={call.variables} />}
      {Object.keys(metadata).length > 0 && <Json title="Your own data" value={metadata} />}
    </>
  )
}

function CallFacts({ call }: { call: Call }) {
  const scope = useScope()
  const { orgId, can } = scope
  const { persona_id: personaId } = call
  const persona = useQuery({
    ...personaQuery(scope, personaId ?? ''),
    enabled: personaId !== null && can('personas:read'),
  })
  return (
    <Facts>
      <Fact name="Number">{call.to_number === null ? 'erased' : phoneWords(call.to_number)}</Fact>
      <Fact name="Called from">{phoneWords(call.from_number)}</Fact>
      <Fact name="Persona">
        {personaId === null ? (
          <span className="three">none</span>
        ) : (
          <Link className="link" to="/o/$orgId/personas/$personaId" params={{ orgId, personaId }}>
            {persona.data?.name ?? 'Open'}
          </Link>
        )}
      </Fact>
      <Fact name="Talked">
        {call.duration_seconds ? talkTime(call.duration_seconds) : <span className="three">–</span>}
      </Fact>
      <Fact name="Placed">
        <Time at={call.created_at} />
      </Fact>
      <Fact name="Ended">
        <Time at={call.ended_at} never="not yet" />
      </Fact>
      <Fact name="Provider">{voiceProviderNames[call.provider]}</Fact>
      <Fact name="Id at the provider" wide>
        {call.provider_call_id === null ? (
          <span className="three">none yet</span>
        ) : (
          <>
            <span className="mono cut">{call.provider_call_id}</span>
            <CopyButton text={call.provider_call_id} />
          </>
        )}
      </Fact>
      <Fact name="Call id" wide>
        <span className="mono cut">{call.call_id}</span>
        <CopyButton text={call.call_id} />
      </Fact>
    </Facts>
  )
}

const Json = ({ title, value }: { title: string; value: object }) => (
  <Section title={title}>
    <SectionBody>
      <Code label={title}>{JSON.stringify(value, null, 2)}</Code>
    </SectionBody>
  </Section>
)
