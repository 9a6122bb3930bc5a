import { useState } from 'react'
import type {
  CreatedWebhookEndpoint,
  WebhookEnableFrom,
  WebhookEndpoint,
  WebhookReplay,
} from '../../../../../sdk/src/generated/types.ts'
import { Confirmation } from '../../../parts/confirmation.tsx'
import { Segments } from '../../../parts/field.tsx'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { type Grace, GraceField } from '../../../parts/grace-field.tsx'
import { Note } from '../../../parts/note.tsx'
import { fullTime, now } from '../../../parts/times.ts'
import { showToast } from '../../../parts/toast.tsx'
import { useSubmit } from '../../../parts/use-submit.ts'
import { useScope } from '../../../shell/scope.tsx'
import { EndpointDialog } from './endpoint-dialog.tsx'
import { ReplayDialog } from './replay-dialog.tsx'

export type EndpointAction = 'edit' | 'rotate' | 'enable' | 'disable' | 'delete' | 'replay'

type Closing = { endpoint: WebhookEndpoint; onClose: () => void }

/** The dialog of one action on an endpoint. */
export function EndpointDialogs({
  open,
  endpoint,
  onClose,
  onChanged,
  onRotated,
  onReplay,
  onDeleted,
}: Closing & {
  open: EndpointAction
  onChanged: () => void
  onRotated: (rotated: CreatedWebhookEndpoint) => void
  onReplay: (replay: WebhookReplay) => void
  onDeleted: () => void
}) {
  const { api } = useScope()
  const shared = { endpoint, onClose }
  const saved = (text: string) => () => {
    showToast(text)
    onChanged()
  }
  if (open === 'edit') return <EndpointDialog {...shared} onSaved={saved('The endpoint was saved.')} />
  if (open === 'rotate') return <RotateSecretDialog {...shared} onRotated={onRotated} />
  if (open === 'enable') return <EnableDialog {...shared} onEnabled={saved('The endpoint is on.')} />
  if (open === 'replay') return <ReplayDialog {...shared} onStarted={onReplay} />
  if (open === 'disable')
    return (
      <Confirmation
        title="Disable the endpoint?"
        act="Disable"
        work={async () => api.webhooks.endpoints.disable(endpoint.endpoint_id)}
        onClose={onClose}
        onDone={saved('The endpoint is disabled.')}
      >
        <p>
          It gets nothing until you enable it. When you enable it, you can send the events that it missed, of
          the last 30 days.
        </p>
      </Confirmation>
    )
  return (
    <Confirmation
      title="Delete the endpoint?"
      act="Delete"
      work={async () => api.webhooks.endpoints.delete(endpoint.endpoint_id)}
      onClose={onClose}
      onDone={() => {
        showToast('The endpoint was deleted.')
        onDeleted()
      }}
    >
      <p>
        Its secret, its attempts and the events that wait for it are deleted. They cannot come back. To stop
        it for a while, disable it.
      </p>
    </Confirmation>
  )
}

function RotateSecretDialog({
  endpoint,
  onClose,
  onRotated,
}: Closing & { onRotated: (rotated: CreatedWebhookEndpoint) => void }) {
  const { api } = useScope()
  const [grace, setGrace] = useState<Grace>('86400')
  // Only two secrets can sign at once: during a rotation, another one stops both older secrets. The dialog keeps the
  // time that it showed, so that a second press after a lost answer sends the same request.
  const [oldEnds] = useState(endpoint.old_secret_expires_at)
  const isPending = oldEnds !== null && oldEnds > now()
  const form = useSubmit(
    async () =>
      api.webhooks.endpoints.rotateSecret(endpoint.endpoint_id, {
        grace_seconds: isPending ? 0 : Number(grace),
      }),
    { onDone: onRotated },
  )
  return (
    <FormDialog title="Rotate the secret" act="Rotate" form={form} onClose={onClose} showsSecret wide>
      {isPending ? (
        <Note kind="warn">
          The secret was rotated before, and the old one still signs until {fullTime(oldEnds)}. If you rotate
          now, both older secrets stop at once. Rotate now only if one of them leaked. Otherwise wait until
          that time.
        </Note>
      ) : (
        <>
          <p className="two">
            You get a new secret. For a while, both secrets sign each request, so that you can deploy the new
            one without a gap. If the old secret leaked, choose “Not at all”.
          </p>
          <GraceField label="The old secret signs too for" value={grace} onChange={setGrace} />
        </>
      )}
    </FormDialog>
  )
}

function EnableDialog({ endpoint, onClose, onEnabled }: Closing & { onEnabled: () => void }) {
  const { api } = useScope()
  const [from, setFrom] = useState<WebhookEnableFrom>('where_it_stopped')
  const form = useSubmit(async () => api.webhooks.endpoints.enable(endpoint.endpoint_id, { from }), {
    onDone: onEnabled,
  })
  return (
    <FormDialog title="Enable the endpoint" act="Enable" form={form} onClose={onClose}>
      <Segments
        label="Events that it missed"
        value={from}
        options={[
          ['where_it_stopped', 'Send them'],
          ['now', 'Skip them'],
        ]}
        onChange={setFrom}
      />
      <p className="two">
        {from === 'now'
          ? 'It gets only the events from now on. Events that wait for it are never sent.'
          : 'It continues where it stopped, at most 30 days back.'}
      </p>
    </FormDialog>
  )
}
