import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { CreatedWebhookEndpoint, WebhookEndpoint } from '../../../../../sdk/src/generated/types.ts'
import { liveInterval } from '../../../api/live.ts'
import { Button } from '../../../parts/button.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { OldData } from '../../../parts/old-data.tsx'
import { Link } from '../../../routing/link.tsx'
import { useNavigate, useParams, useSearch } from '../../../routing/use-router.ts'
import { useScope } from '../../../shell/scope.tsx'
import { SettingsActions } from '../../../shell/settings-actions.tsx'
import { Attempts } from './attempts.tsx'
import { type EndpointAction, EndpointDialogs } from './endpoint-dialogs.tsx'
import { EndpointFacts } from './endpoint-facts.tsx'
import { EndpointNotice } from './endpoint-notice.tsx'
import { EndpointSecretDialog } from './endpoint-secret-dialog.tsx'
import { ReplayProgress } from './replay-progress.tsx'
import { Statistics } from './statistics.tsx'
import { isInTrouble } from './status.ts'
import { TestDialog } from './test-dialog.tsx'

const pollMs = 5_000

/** Shows one webhook endpoint: its state, the requests to it, and its answers. */
export function WebhookEndpointPage() {
  const { orgId, mode, api } = useScope()
  const { endpointId } = useParams('/o/$orgId/settings/webhooks/$endpointId')
  const endpoint = useQuery({
    queryKey: ['webhook-endpoint', orgId, mode, endpointId],
    queryFn: ({ signal }) => api.webhooks.endpoints.get(endpointId, { signal }),
    refetchInterval: liveInterval(isInTrouble, pollMs),
  })
  return (
    <>
      <OldData query={endpoint} name="endpoint" seconds={pollMs / 1_000} />
      <Loaded query={endpoint}>{(found) => <Found key={found.endpoint_id} endpoint={found} />}</Loaded>
    </>
  )
}

function Found({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { orgId, can } = useScope()
  const [open, setOpen] = useState<EndpointAction | null>(null)
  const [created, setCreated] = useState<CreatedWebhookEndpoint | null>(null)
  const [isTested, setTested] = useState(false)
  const { replay } = useSearch('/o/$orgId/settings/webhooks/$endpointId')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { endpoint_id: endpointId } = endpoint
  const mayManage = can('webhooks:manage')
  const list = { to: '/o/$orgId/settings/webhooks', params: { orgId } } as const
  /** Reads the endpoint, its attempts and its statistics again. */
  const refresh = () =>
    queries.invalidateQueries({
      predicate: ({ queryKey: [name, ...rest] }) =>
        String(name).startsWith('webhook-') && (name === 'webhook-endpoints' || rest.includes(endpointId)),
    })
  const watchReplay = (replayId: string | undefined) =>
    void navigate({
      to: '/o/$orgId/settings/webhooks/$endpointId',
      params: { orgId, endpointId },
      search: (before) => ({ ...before, replay: replayId }),
      replace: true,
    })
  return (
    <>
      <SettingsActions>
        {mayManage && (
          <Button kind="main" icon="push" onClick={() => setTested(true)}>
            Send a test
          </Button>
        )}
      </SettingsActions>
      <div className="pad stack g12">
        <p className="t12">
          <Link {...list} className="link">
            All endpoints
          </Link>
        </p>
        <EndpointFacts endpoint={endpoint} onOpen={mayManage ? setOpen : null} />
        <EndpointNotice endpoint={endpoint} onOpen={mayManage ? setOpen : null} onChanged={refresh} />
        {replay !== undefined && (
          <ReplayProgress
            replayId={replay}
            mayCancel={mayManage}
            onMoved={refresh}
            onClose={() => watchReplay(undefined)}
          />
        )}
      </div>
      <Statistics endpoint={endpoint} />
      <Attempts
        endpoint={endpoint}
        mayResend={mayManage}
        onReplay={mayManage ? () => setOpen('replay') : null}
        onResent={refresh}
      />
      {open && (
        <EndpointDialogs
          open={open}
          endpoint={endpoint}
          onClose={() => setOpen(null)}
          onChanged={() => {
            setOpen(null)
            void refresh()
          }}
          onRotated={(rotated) => {
            setOpen(null)
            setCreated(rotated)
            void refresh()
          }}
          onReplay={({ replay_id }) => {
            setOpen(null)
            watchReplay(replay_id)
          }}
          onDeleted={() => {
            void queries.invalidateQueries({ queryKey: ['webhook-endpoints'] })
            void navigate(list)
          }}
        />
      )}
      {created && <EndpointSecretDialog created={created} onClose={() => setCreated(null)} />}
      {isTested && (
        <TestDialog
          endpoint={endpoint}
          onClose={() => {
            setTested(false)
            void refresh()
          }}
        />
      )}
    </>
  )
}
