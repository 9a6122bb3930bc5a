import type { WebhookEndpoint } from '../../../../../sdk/src/generated/types.ts'
import { Button } from '../../../parts/button.tsx'
import { CopyButton } from '../../../parts/copy.tsx'
import { Fact, Facts } from '../../../parts/facts.tsx'
import { count } from '../../../parts/numbers.ts'
import { State } from '../../../parts/state.tsx'
import { Tag } from '../../../parts/tag.tsx'
import { Time } from '../../../parts/time.tsx'
import { now } from '../../../parts/times.ts'
import type { EndpointAction } from './endpoint-dialogs.tsx'
import { SegmentName } from './segment-field.tsx'
import { statusOf } from './status.ts'

/** The settings and the state of an endpoint, with the actions that change them. */
export function EndpointFacts({
  endpoint,
  onOpen,
}: {
  endpoint: WebhookEndpoint
  onOpen: ((open: EndpointAction) => void) | null
}) {
  const { url, description, types, payload, include_clients, headers } = endpoint
  const { kind, word, why } = statusOf(endpoint)
  const oldSecretEnds = endpoint.old_secret_expires_at
  const hasOldSecret = oldSecretEnds !== null && oldSecretEnds > now()
  return (
    <>
      <div className="stack g4">
        <h2 className="t16" style={{ overflowWrap: 'anywhere' }}>
          {url}
        </h2>
        {description && <p className="two">{description}</p>}
      </div>
      {onOpen && (
        <div className="rail wrap">
          <Button onClick={() => onOpen('edit')}>Edit</Button>
          <Button icon="rotate" onClick={() => onOpen('rotate')}>
            Rotate the secret
          </Button>
          {endpoint.status === 'disabled' ? (
            <Button onClick={() => onOpen('enable')}>Enable</Button>
          ) : (
            <Button onClick={() => onOpen('disable')}>Disable</Button>
          )}
          <Button kind="quiet" danger onClick={() => onOpen('delete')}>
            Delete
          </Button>
        </div>
      )}
      <Facts>
        <Fact name="Status" wide={Boolean(why)}>
          <State kind={kind}>{word}</State>
          {why && <span className="three"> {why}</span>}
        </Fact>
        <Fact name="Last success">
          <Time at={endpoint.last_success_at} />
        </Fact>
        <Fact name="Last failure">
          <Time
            at={endpoint.last_failure_at}
            never={endpoint.last_success_at === null ? 'never' : 'none since then'}
          />
        </Fact>
        <Fact name="Events">
          {types.includes('*') ? 'all' : <span className="mono">{types.join(', ')}</span>}
          {include_clients && <Tag>with those of clients</Tag>}
        </Fact>
        {endpoint.segment_id !== null && (
          <Fact name="Records">
            only those in <SegmentName id={endpoint.segment_id} />
          </Fact>
        )}
        <Fact name="Content">
          {payload === 'full' ? 'full: with the object' : 'thin: only the id of the object'}
        </Fact>
        <Fact name="Limits">
          {endpoint.max_per_second === null ? '' : `${count(endpoint.max_per_second)} requests a second, `}
          {endpoint.max_in_flight === 1 ? 'one at a time' : `${endpoint.max_in_flight} at once`}
        </Fact>
        {Object.keys(headers).length > 0 && (
          <Fact name="Headers">
            <span className="mono">{Object.keys(headers).join(', ')}</span>
          </Fact>
        )}
        {hasOldSecret && (
          <Fact name="Old secret">
            signs too until <Time at={oldSecretEnds} />
          </Fact>
        )}
        <Fact name="Created">
          <Time at={endpoint.created_at} />
        </Fact>
        <Fact name="Endpoint id" wide>
          <span className="mono cut">{endpoint.endpoint_id}</span>
          <CopyButton text={endpoint.endpoint_id} />
        </Fact>
      </Facts>
    </>
  )
}
