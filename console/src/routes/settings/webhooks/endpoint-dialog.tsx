import { useState } from 'react'
import type { CreatedWebhookEndpoint, WebhookEndpoint } from '../../../../../sdk/src/generated/types.ts'
import { useSession } from '../../../api/use-session.ts'
import { Disclosure } from '../../../parts/disclosure.tsx'
import { Checkbox, Segments, TextField } from '../../../parts/field.tsx'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { Note } from '../../../parts/note.tsx'
import { TheirChanges } from '../../../parts/their-changes.tsx'
import { useChanges } from '../../../parts/use-changes.ts'
import { useSubmit } from '../../../parts/use-submit.ts'
import { useScope } from '../../../shell/scope.tsx'
import { type Draft, draftOf, names, settingsOf } from './draft.ts'
import { HeadersField } from './headers-field.tsx'
import { SegmentField } from './segment-field.tsx'
import { TypesField } from './types-field.tsx'

const places = [
  ...['url', 'description', 'types', 'payload', 'include_clients', 'segment_id'],
  ...['headers', 'max_per_second', 'max_in_flight'],
]

type EndpointDialogProps = { onClose: () => void } & (
  | { endpoint: null; onCreated: (created: CreatedWebhookEndpoint) => void }
  | { endpoint: WebhookEndpoint; onSaved: () => void }
)

/** Makes an endpoint, or changes one. */
export function EndpointDialog(props: EndpointDialogProps) {
  const { onClose } = props
  // Keep the values from when the dialog opened: the page behind it continues to load new ones.
  const [endpoint] = useState(props.endpoint)
  const { api, membership } = useScope()
  const { memberships } = useSession()
  const [draft, setDraft] = useState(() => draftOf(endpoint))
  const set = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const { theirs, save } = useChanges(endpoint, {
    settingsOf: (known) => settingsOf(draftOf(known)),
    names,
    others: 'status or secret',
    read: ({ endpoint_id }) => api.webhooks.endpoints.get(endpoint_id),
    update: ({ endpoint_id }, changes, ifMatch) =>
      api.webhooks.endpoints.update(endpoint_id, changes, { ifMatch }),
  })
  const form = useSubmit(
    async () => {
      if ('onCreated' in props) props.onCreated(await api.webhooks.endpoints.create(settingsOf(draft)))
      else if (await save(settingsOf(draft))) props.onSaved()
    },
    { places },
  )
  const { errorAt } = form
  const hasClients =
    membership.via === 'member' && (memberships.some(({ via }) => via === 'agency') || draft.include_clients)
  return (
    <FormDialog
      title={endpoint ? 'Edit the endpoint' : 'New endpoint'}
      act={endpoint ? (theirs.length > 0 ? 'Save again' : 'Save') : 'Create endpoint'}
      form={form}
      onClose={onClose}
      wide
    >
      <TextField
        label="Address"
        type="url"
        value={draft.url}
        onChange={(url) => set({ url })}
        error={errorAt('url')}
        hint={
          endpoint
            ? 'Events that were not delivered yet go to the new address.'
            : 'A public https address of your server.'
        }
        placeholder="https://crm.example.com/crosswalk"
        autoFocus
        required
      />
      <TextField
        label="Description (optional)"
        value={draft.description}
        onChange={(description) => set({ description })}
        error={errorAt('description')}
        placeholder="Mirror of contacts"
      />
      <TypesField
        value={draft.types}
        onChange={(types) => set({ types })}
        allText="All events"
        error={errorAt('types')}
      />
      <div className="stack g4">
        <Segments
          label="Content"
          value={draft.payload}
          options={[
            ['full', 'Full'],
            ['thin', 'Thin'],
          ]}
          onChange={(payload) => set({ payload })}
          error={errorAt('payload')}
        />
        <p className="t12 three">
          {draft.payload === 'full'
            ? 'Each request has the object as it is when the request is sent.'
            : 'Each request has only the id of the object. Your server reads the rest from the API.'}
        </p>
      </div>
      <SegmentField
        value={draft.segment_id}
        onChange={(segment_id) => set({ segment_id })}
        error={errorAt('segment_id')}
      />
      {hasClients && (
        <Checkbox checked={draft.include_clients} onChange={(include_clients) => set({ include_clients })}>
          Also send the events of all clients of the agency
        </Checkbox>
      )}
      {errorAt('include_clients') && <Note kind="bad">{errorAt('include_clients')}</Note>}
      <Disclosure
        title="Headers and limits"
        isOpen={Boolean(errorAt('headers') || errorAt('max_per_second') || errorAt('max_in_flight'))}
      >
        <HeadersField
          lines={draft.headers}
          onChange={(headers) => set({ headers })}
          error={errorAt('headers')}
        />
        <div className="rail wrap g16" style={{ alignItems: 'flex-start' }}>
          <TextField
            label="Most requests a second"
            inputMode="numeric"
            value={draft.max_per_second}
            onChange={(max_per_second) => set({ max_per_second })}
            error={errorAt('max_per_second')}
            hint="1 to 500. Empty: no limit."
          />
          <TextField
            label="Most requests at once"
            inputMode="numeric"
            value={draft.max_in_flight}
            onChange={(max_in_flight) => set({ max_in_flight })}
            error={errorAt('max_in_flight')}
            hint="1 to 32."
          />
        </div>
      </Disclosure>
      <TheirChanges theirs={theirs} of="endpoint" />
    </FormDialog>
  )
}
