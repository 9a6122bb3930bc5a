import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Segment } from '../../../../sdk/src/generated/types.ts'
import { TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Note } from '../../parts/note.tsx'
import { TheirChanges } from '../../parts/their-changes.tsx'
import { showToast } from '../../parts/toast.tsx'
import { useChanges } from '../../parts/use-changes.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import { endpointsQuery } from '../../queries/webhook-endpoints.ts'
import { Link } from '../../routing/link.tsx'
import { useScope } from '../../shell/scope.tsx'
import { conditionsOf } from '../filters/conditions.ts'
import { useNamedFields } from '../filters/use-named-fields.ts'
import { conditionWords } from '../filters/words.ts'
import type { RecordKind } from '../kinds.ts'
import type { ListSearch } from '../list-search.ts'
import { useFields } from '../use-fields.ts'
import { selectionOf } from './shown-search.ts'
import type { SegmentDialogName } from './use-segment.ts'

type DialogProps = {
  kind: RecordKind
  segment: Segment | undefined
  /** What the list shows. */
  shown: ListSearch
  onClose: () => void
  /** Called with the id of the segment to open; null: none. The form is busy until it closes the dialog. */
  onDone: (segmentId: string | null) => Promise<void>
}

/** Names, renames or deletes a segment. */
export function SegmentDialog({ name, ...props }: DialogProps & { name: SegmentDialogName }) {
  if (name === 'new') return <NewSegment {...props} />
  const { segment } = props
  if (!segment) return null
  return name === 'rename' ? (
    <RenameSegment {...props} segment={segment} />
  ) : (
    <DeleteSegment {...props} segment={segment} />
  )
}

function NewSegment({ kind, shown, onClose, onDone }: DialogProps) {
  const { api } = useScope()
  const fields = useFields(kind)
  const [name, setName] = useState('')
  const form = useSubmit(
    async () => {
      const body = { entity: kind.entity, name: name.trim(), ...selectionOf(shown) }
      const { segment_id } = await api.segments.create(body)
      showToast(`“${name.trim()}” is saved.`)
      await onDone(segment_id)
    },
    { places: ['name'] },
  )
  const { q, filter } = shown
  const named = useNamedFields(fields, filter)
  const parts = [
    ...(q === undefined ? [] : [`“${q}” in any field`]),
    ...conditionsOf(filter).map((condition) => conditionWords(named, condition)),
  ]
  return (
    <FormDialog title="Save as segment" act="Save" form={form} isBlocked={!name.trim()} onClose={onClose}>
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        error={form.errorAt('name')}
        maxLength={120}
        autoComplete="off"
        autoFocus
        required
      />
      <p className="two">
        {parts.length === 0 ? `All ${kind.many}` : `All ${kind.many} with: ${parts.join('; ')}`}. Records
        enter and leave the segment automatically.
      </p>
    </FormDialog>
  )
}

function RenameSegment({ segment: opened, onClose, onDone }: DialogProps & { segment: Segment }) {
  const { api } = useScope()
  // The page behind the dialog continues to load what others change.
  const [segment] = useState(opened)
  const [name, setName] = useState(segment.name)
  const { theirs, save } = useChanges(segment, {
    settingsOf: ({ name }) => ({ name }),
    names: { name: 'name' },
    others: null,
    read: ({ segment_id }) => api.segments.get(segment_id),
    update: ({ segment_id }, change, ifMatch) => api.segments.update(segment_id, change, { ifMatch }),
  })
  const form = useSubmit(
    async () => (await save({ name: name.trim() })) && (await onDone(segment.segment_id)),
    { places: ['name'] },
  )
  return (
    <FormDialog
      title="Rename the segment"
      act={theirs.length > 0 ? 'Rename again' : 'Rename'}
      form={form}
      isBlocked={!name.trim()}
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        error={form.errorAt('name')}
        maxLength={120}
        autoComplete="off"
        autoFocus
        required
      />
      <TheirChanges theirs={theirs} of="segment" act="Rename again" />
    </FormDialog>
  )
}

function DeleteSegment({ kind, segment, onClose, onDone }: DialogProps & { segment: Segment }) {
  const scope = useScope()
  const { orgId, api, can } = scope
  const { segment_id: id, name, version } = segment
  const endpoints = useQuery({
    ...endpointsQuery(scope),
    enabled: can('webhooks:read'),
    staleTime: 0,
  })
  const users = endpoints.data?.data.filter(({ segment_id }) => segment_id === id) ?? []
  const form = useSubmit(async () => {
    await api.segments.delete(id, { ifMatch: version })
    showToast(`“${name}” is deleted. Its ${kind.many} stay.`)
    await onDone(null)
  })
  return (
    <FormDialog
      title={`Delete “${name}”?`}
      act="Delete"
      form={form}
      isBlocked={users.length > 0 || endpoints.isLoading}
      isDangerous
      startsAtCancel
      isDraft={false}
      onClose={onClose}
    >
      {users.length > 0 ? (
        <Note kind="warn">
          <div className="stack">
            <p>
              {users.length === 1 ? 'A webhook endpoint uses' : `${users.length} webhook endpoints use`} this
              segment. Give {users.length === 1 ? 'it' : 'them'} another segment first:
            </p>
            <ul className="stack g4">
              {users.map(({ endpoint_id, description, url }) => (
                <li key={endpoint_id} className="cut">
                  <Link
                    className="link"
                    to="/o/$orgId/settings/webhooks/$endpointId"
                    params={{ orgId, endpointId: endpoint_id }}
                  >
                    {description || url.replace(/^https?:\/\//, '')}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        </Note>
      ) : (
        <p>
          {can('webhooks:read') && endpoints.isSuccess && 'No webhook endpoint uses it. '}
          The {kind.many} stay. {kind.entity === 'contact' && 'A push that has started keeps its people. '}A
          program that sends the id of this segment gets an error (404).
        </p>
      )}
    </FormDialog>
  )
}
