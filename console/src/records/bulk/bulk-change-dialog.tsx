import { useState } from 'react'
import type { CreateBulkChange } from '../../../../sdk/src/generated/types.ts'
import { Select, TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useScope } from '../../shell/scope.tsx'
import { countOf, type RecordKind } from '../kinds.ts'
import { BulkProgress } from './bulk-progress.tsx'
import { OwnerSelect, useChosenOwner } from './owner-select.tsx'
import { useBulkChange } from './use-bulk-change.ts'

type Act = 'add' | 'remove' | 'owner' | 'archive'

/** The condition that all records meet: a bulk change needs one. */
const everyone = { field: 'created_at', op: 'gte', value: 0 } as const

/** Changes all records of a list in the background, and shows the progress. */
export function BulkChangeDialog({
  kind,
  asked,
  total,
  onStarted,
  onClose,
}: {
  kind: RecordKind
  /** What the list shows, as the API expects it. */
  asked: object
  total: number
  /** Called also if the dialog was closed before the server answered. */
  onStarted: (id: string) => void
  /** @param seenId the change whose end the person saw, if they saw it */
  onClose: (seenId: string | null) => void
}) {
  const { api } = useScope()
  const [act, setAct] = useState<Act>('add')
  const [tag, setTag] = useState('')
  const owner = useChosenOwner()
  const [id, setId] = useState<string | null>(null)
  const { filter, q, segment_id } = asked as Pick<CreateBulkChange, 'filter' | 'q' | 'segment_id'>
  const hasCondition = filter !== undefined || q !== undefined || segment_id !== undefined
  const form = useSubmit(
    async () =>
      api.bulkChanges.create({
        entity: kind.entity,
        ...(q === undefined ? {} : { q }),
        ...(segment_id === undefined ? {} : { segment_id }),
        ...(filter === undefined ? (hasCondition ? {} : { filter: everyone }) : { filter }),
        change: changeOf(act, tag.trim(), owner.id ?? null),
      }),
    {
      onDone: ({ bulk_change_id }) => {
        setId(bulk_change_id)
        onStarted(bulk_change_id)
      },
    },
  )
  const change = useBulkChange(kind, id)
  const isTag = act === 'add' || act === 'remove'
  return (
    <FormDialog
      title={`Change all ${countOf(kind, total)}`}
      act={id === null ? 'Change all' : null}
      cancel={id === null ? undefined : 'Close'}
      form={form}
      isDraft={false}
      isDangerous={act === 'archive'}
      isBlocked={id !== null || (isTag && tag.trim() === '') || (act === 'owner' && owner.id === undefined)}
      onClose={() => onClose(change.hasEnded ? id : null)}
    >
      <Select<Act>
        label="What changes"
        value={act}
        disabled={id !== null}
        options={[
          ['add', 'They get a tag'],
          ['remove', 'They lose a tag'],
          ['owner', 'They get an owner'],
          ['archive', 'They are archived'],
        ]}
        onChange={setAct}
      />
      {isTag && (
        <TextField
          label="Tag"
          value={tag}
          maxLength={100}
          disabled={id !== null}
          onChange={setTag}
          autoComplete="off"
        />
      )}
      {act === 'owner' && <OwnerSelect owner={owner} disabled={id !== null} />}
      {id === null ? (
        <p className="two">
          All {kind.many} that the list finds when the change starts, even those that are not loaded. The
          change runs in the background. You can stop it, but not undo it.{' '}
          {act === 'archive'
            ? `To restore ${kind.many}, show “Archived” in the list.`
            : 'To be able to go back, export the list first.'}
        </p>
      ) : (
        <BulkProgress kind={kind} change={change} />
      )}
    </FormDialog>
  )
}

function changeOf(act: Act, tag: string, ownerId: string | null): CreateBulkChange['change'] {
  switch (act) {
    case 'add':
      return { add_tags: [tag] }
    case 'remove':
      return { remove_tags: [tag] }
    case 'owner':
      return { owner_id: ownerId }
    case 'archive':
      return { archive: true }
  }
}
