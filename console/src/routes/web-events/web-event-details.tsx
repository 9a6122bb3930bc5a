import type { WebEvent } from '../../../../sdk/src/generated/types.ts'
import { Button, buttonLook } from '../../parts/button.tsx'
import { Code } from '../../parts/code.tsx'
import { CopyButton } from '../../parts/copy.tsx'
import { Disclosure } from '../../parts/disclosure.tsx'
import { Fact, Facts } from '../../parts/facts.tsx'
import { durationWords, fullTime } from '../../parts/times.ts'
import { Link } from '../../routing/link.tsx'
import { useScope } from '../../shell/scope.tsx'

/** A client that waits longer than this before it sends was offline, or its page was closed. */
const promptSeconds = 10

/** Everything that is known about one event. */
export function WebEventDetails({
  event,
  onVisitor,
}: {
  event: WebEvent
  onVisitor: (visitorId: string) => void
}) {
  const { type, visitor_id, user_key, session_id, url_path, referrer_host, properties, context } = event
  const { orgId, mode, can } = useScope()
  const delay = event.received_at - event.occurred_at
  return (
    <div className="stack g16">
      <div className="rail wrap">
        {visitor_id !== null && <Button onClick={() => onVisitor(visitor_id)}>Only this visitor</Button>}
        {visitor_id !== null && event.mode === mode && can('visitors:read') && (
          <Link
            to="/o/$orgId/visitors/$visitorId"
            params={{ orgId, visitorId: visitor_id }}
            {...buttonLook({})}
          >
            Open the visitor
          </Link>
        )}
        <CopyButton text={JSON.stringify(event, null, 2)} label="Copy as JSON" />
      </div>
      <Facts>
        <Fact name="Happened">
          {fullTime(event.occurred_at)}
          {delay > promptSeconds && <span className="three">received {durationWords(delay)} later</span>}
        </Fact>
        <Fact name="Call">{type}</Fact>
        {url_path !== null && (
          <Fact name="Page">
            <span className="mono">{url_path}</span>
          </Fact>
        )}
        {referrer_host !== null && <Fact name="Came from">{referrer_host}</Fact>}
        {user_key !== null && <Fact name="User id, as the client reports it">{user_key}</Fact>}
        {session_id !== null && <Fact name="Session">{session_id}</Fact>}
        {visitor_id !== null && (
          <Fact name="Visitor id" wide>
            <span className="mono cut">{visitor_id}</span>
            <CopyButton text={visitor_id} />
          </Fact>
        )}
        <Fact name="Event id" wide>
          <span className="mono cut">{event.event_id}</span>
          <CopyButton text={event.event_id} />
        </Fact>
      </Facts>
      <Values name={type === 'identify' ? 'Traits' : 'Properties'} values={properties} />
      {Object.keys(context).length > 0 && (
        <Disclosure title="Context: the page and device, as the client reports them">
          <Code label="Context">{JSON.stringify(context, null, 2)}</Code>
        </Disclosure>
      )}
    </div>
  )
}

const Values = ({ name, values }: { name: string; values: WebEvent['properties'] }) => (
  <div className="stack g4">
    <p className="t12 three">{name}</p>
    {Object.keys(values).length === 0 ? (
      <p className="two">none</p>
    ) : (
      <Code label={name}>{JSON.stringify(values, null, 2)}</Code>
    )}
  </div>
)
