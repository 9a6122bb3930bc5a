import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Merge } from '../../../../sdk/src/generated/types.ts'
import { Button } from '../../parts/button.tsx'
import { noName } from '../../parts/no-name.ts'
import { Note } from '../../parts/note.tsx'
import { Time } from '../../parts/time.tsx'
import { showToast } from '../../parts/toast.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useSearch } from '../../routing/use-router.ts'
import { useScope } from '../../shell/scope.tsx'
import { blockWords } from '../duplicate-words.ts'
import { idOf, type RecordKind, type ShownRecord } from '../kinds.ts'
import { reloadLists } from '../record-queries.ts'
import { undoMerge } from '../undo-merge.ts'
import styles from './field-groups.module.css'
import { Group } from './field-groups.tsx'

const mergesMax = 50

/** The ids of a record: its own id, the ids of records that were merged into it, and its ids in other systems. */
export function KnownAs({ kind, record }: { kind: RecordKind; record: ShownRecord }) {
  const { orgId, api, can } = useScope()
  const { from } = useSearch() as { from?: string }
  const id = idOf(kind, record)
  const merges = useQuery({
    queryKey: ['record-merges', orgId, id, record.merged_ids],
    queryFn: ({ signal }) => api.duplicates.merges.list({ record_id: id, limit: mergesMax }, { signal }),
    enabled: can('duplicates:read') && record.merged_ids.length > 0,
    placeholderData: (before) => before,
  })
  const merged = (merges.data?.data ?? []).filter(
    // The merges that are shown while others load may be undone.
    ({ status, survivor_id, loser_id }) =>
      status === 'applied' && survivor_id === id && record.merged_ids.includes(loser_id),
  )
  const isOld = from !== undefined && record.merged_ids.includes(from)
  return (
    <Group
      name="Known as"
      note={
        isOld && (
          <Note>
            The address had an old id: <span className="mono">{from}</span>. Its record was merged into this
            one.
          </Note>
        )
      }
    >
      <Fact name="Id">
        <span className="mono">{id}</span>
      </Fact>
      {Object.entries(record.external_ids).map(([system, external]) => (
        <Fact key={system} name={system}>
          <span className="mono">{external}</span>
        </Fact>
      ))}
      {merged.map((merge) => (
        <MergedRecord key={merge.merge_id} kind={kind} merge={merge} />
      ))}
      {record.merged_ids
        .filter((old) => !merged.some(({ loser_id }) => loser_id === old))
        .map((old) => (
          <EarlierMerge key={old} kind={kind} old={old} canShow={merges.isSuccess} />
        ))}
    </Group>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className={styles.field}>
    <dt className="cut" title={name}>
      {name}
    </dt>
    <dd>{children}</dd>
  </div>
)

/** An id whose record was first merged into another record. Its merge is read only if a person asks for it. */
function EarlierMerge({ kind, old, canShow }: { kind: RecordKind; old: string; canShow: boolean }) {
  const { orgId, api } = useScope()
  const queries = useQueryClient()
  const [merge, setMerge] = useState<Merge | null>(null)
  const show = useSubmit(
    () => api.duplicates.merges.list({ record_id: old, status: 'applied', limit: mergesMax }),
    {
      onDone: ({ data }) => {
        const found = data.find(({ loser_id }) => loser_id === old)
        if (found) return setMerge(found)
        showToast('This merge was undone meanwhile.')
        void queries.invalidateQueries({ queryKey: ['record', orgId] })
      },
    },
  )
  if (merge) return <MergedRecord kind={kind} merge={merge} />
  return (
    <Fact name="Merged in">
      <span className="stack g4">
        <span className="mono">{old}</span>
        {canShow && (
          <span>
            <Button
              aria-label={`Show the merge of ${old}`}
              isBusy={show.isBusy}
              onClick={() => show.submit()}
            >
              Show the merge
            </Button>
          </span>
        )}
        {show.rest && <Note kind="bad">{show.rest}</Note>}
      </span>
    </Fact>
  )
}

function MergedRecord({ kind, merge }: { kind: RecordKind; merge: Merge }) {
  const { orgId, api, can } = useScope()
  const queries = useQueryClient()
  const { merge_id, loser_id, loser_name, merged_at, can_undo, undo_blocked_reason } = merge
  const undo = useSubmit(
    () =>
      undoMerge(api, merge_id).finally(() => {
        // The server may have done it although its answer was lost.
        void queries.invalidateQueries({ queryKey: ['record', orgId] })
        void reloadLists(kind, orgId)
      }),
    { onDone: () => showToast(`${loser_name ?? 'The record'} is a record of its own again.`) },
  )
  return (
    <Fact name="Merged in">
      <span className="stack g4">
        <span>
          {loser_name ?? noName} <span className="three">{merged_at && <Time at={merged_at} />}</span>
        </span>
        <span className="mono">{loser_id}</span>
        {can('duplicates:write') && (
          <span>
            <Button
              icon="rotate"
              aria-label={`Undo the merge of ${loser_name ?? loser_id}`}
              disabled={!can_undo}
              title={can_undo ? undefined : undo_blocked_reason ? blockWords[undo_blocked_reason] : undefined}
              isBusy={undo.isBusy}
              onClick={() => undo.submit()}
            >
              Undo the merge
            </Button>
          </span>
        )}
        {undo.rest && <Note kind="bad">{undo.rest}</Note>}
      </span>
    </Fact>
  )
}
