import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Merge } from '../../../../sdk/src/generated/types.ts'
import { problemOf } from '../../api/problem.ts'
import { Button } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { NextPageButton } from '../../parts/more.tsx'
import { State } from '../../parts/state.tsx'
import { RowActions, Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { showToast } from '../../parts/toast.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { blockWords, methodWords, nameWords, scoreWords } from '../../records/duplicate-words.ts'
import { ownersQuery } from '../../records/owners.ts'
import { undoMerge } from '../../records/undo-merge.ts'
import { Link } from '../../routing/link.tsx'
import { useScope } from '../../shell/scope.tsx'
import { comparedTypes } from './compared-types.ts'
import type { DuplicateFilters } from './filters.ts'
import { pairWords } from './pair.tsx'

const pageSize = 50
const pollMs = 15_000

/** @param when what the times of the rows say */
const columnsOf = (when: string) => [
  { name: 'Record', phoneWidth: 150 },
  { name: 'Score', width: 80, optional: true },
  { name: 'Decided', width: 200, optional: true },
  { name: when, width: 120, optional: true },
  { name: 'Status', width: 260, phoneWidth: 130 },
  { name: 'Actions', width: 130, phoneWidth: 100, isHidden: true },
]

/** Merges, or pairs that are not the same: the newest first. Each can be taken back by itself, in any order. */
export function Decided({ filters: { type, show } }: { filters: DuplicateFilters }) {
  const { orgId, api } = useScope()
  const isMerged = show === 'merged'
  const list = useInfiniteQuery({
    queryKey: ['decided', orgId, show, type],
    queryFn: ({ pageParam, signal }) =>
      api.duplicates.merges.list(
        {
          limit: pageSize,
          ...(!isMerged && { status: 'dismissed' }),
          ...(type && { entity_type: type }),
          ...(pageParam && { cursor: pageParam }),
        },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    placeholderData: keepPreviousData,
    refetchInterval: pollMs,
  })
  return (
    <Loaded query={list}>
      {({ pages }) => {
        const rows = pages.flatMap(({ data }) => data)
        if (rows.length === 0)
          return (
            <Empty
              icon="pairs"
              title={isMerged ? 'Nothing is merged yet' : 'Nobody dismissed a proposal yet'}
            >
              <p className="two">
                {isMerged
                  ? 'Each merge appears here and can be undone.'
                  : 'Crosswalk never proposes a dismissed pair again. You can take a dismissal back here.'}
              </p>
            </Empty>
          )
        return (
          <>
            <Table
              label={isMerged ? 'Merges' : 'Dismissed proposals'}
              columns={columnsOf(isMerged ? 'When' : 'Proposed')}
            >
              {rows.map((merge) => (
                <DecidedRow key={merge.merge_id} merge={merge} />
              ))}
            </Table>
            <NextPageButton query={list} act="Show older ones" end="There are no older ones." />
          </>
        )
      }}
    </Loaded>
  )
}

function DecidedRow({ merge }: { merge: Merge }) {
  const { orgId, api, can } = useScope()
  const queries = useQueryClient()
  const { merge_id, entity_type, survivor_id, survivor_name, loser_id, loser_name, status } = merge
  const type = comparedTypes[entity_type]
  const act = actOf(merge)
  /** The status at the last try: its problem is no news any more once the row has another one. */
  const [tried, setTried] = useState(status)
  const reload = () => {
    for (const key of ['decided', 'proposals', 'record', 'records'])
      void queries.invalidateQueries({ queryKey: [key, orgId] })
  }
  const change = useSubmit(
    async () => {
      setTried(status)
      try {
        if (act === 'Undo') await undoMerge(api, merge_id)
        else if (act === 'Redo') await api.duplicates.merges.redo(merge_id)
        else await api.duplicates.proposals.reopen(merge_id)
      } finally {
        // The server may have done it although its answer was lost.
        reload()
      }
    },
    {
      onDone: () => {
        const done = { Undo: 'are apart again', Redo: 'are merged again', Reopen: 'are proposed again' }[act]
        showToast(`${pairWords(merge)} ${done}.`)
      },
    },
  )
  const problem = change.error && tried === status ? problemOf(change.error).text : null
  const mayChange = can('duplicates:write') && can(`${type.resource}:write`)
  const isBlocked = act === 'Undo' && !merge.can_undo
  const { data: members = [] } = useQuery(ownersQuery(useScope()))
  const nameOf = (id: string | null) => members.find(({ owner_id }) => owner_id === id)?.name ?? null
  const words = stateOf(merge, nameOf(merge.undone_by))
  const mergedBy = nameOf(merge.merged_by)
  return (
    <tr>
      <th scope="row" style={{ height: 52 }}>
        {/* The gap keeps the two links apart for a finger. */}
        <span className="stack">
          <Link
            className="cut"
            to={`/o/$orgId${type.path}/$recordId` as '/o/$orgId/people/$recordId'}
            params={{ orgId, recordId: survivor_id }}
          >
            {nameWords(survivor_name)}
          </Link>
          <span className="cut three t12">
            {status === 'dismissed' ? 'and' : 'with'}{' '}
            <Link
              to={`/o/$orgId${type.path}/$recordId` as '/o/$orgId/people/$recordId'}
              params={{ orgId, recordId: loser_id }}
            >
              {nameWords(loser_name)}
            </Link>
          </span>
        </span>
      </th>
      <td className="opt">{scoreWords(merge.score)}</td>
      <td className="opt">
        {status === 'dismissed' ? (
          'by a person'
        ) : mergedBy === null ? (
          methodWords[merge.method]
        ) : (
          <span className="stack">
            <span className="cut">{mergedBy}</span>
            <span className="cut three t12">
              {merge.method === 'api' ? 'by hand' : methodWords[merge.method]}
            </span>
          </span>
        )}
      </td>
      <td className="opt">
        <Time at={merge.undone_at ?? merge.merged_at ?? merge.created_at} />
      </td>
      <td style={{ whiteSpace: 'normal' }}>
        <State kind={problem ? 'bad' : words.kind}>{problem ?? words.text}</State>
      </td>
      <td>
        {mayChange && (
          <RowActions>
            <Button
              icon="rotate"
              aria-label={`${act}: ${pairWords(merge)}`}
              disabled={isBlocked}
              title={isBlocked ? words.text : undefined}
              isBusy={change.isBusy}
              onClick={() => change.submit()}
            >
              {act}
            </Button>
          </RowActions>
        )}
      </td>
    </tr>
  )
}

const actOf = ({ status }: Merge) =>
  status === 'dismissed' ? 'Reopen' : status === 'undone' ? 'Redo' : 'Undo'

function stateOf(
  { status, can_undo, undo_blocked_reason }: Merge,
  undoneBy: string | null,
): { kind: 'ok' | 'off' | 'warn'; text: string } {
  if (status === 'dismissed') return { kind: 'off', text: 'Not the same' }
  if (status === 'undone') return { kind: 'off', text: undoneBy ? `Undone by ${undoneBy}` : 'Undone' }
  if (can_undo || undo_blocked_reason === null) return { kind: 'ok', text: 'Merged' }
  return { kind: 'warn', text: blockWords[undo_blocked_reason] }
}
