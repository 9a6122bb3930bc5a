import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { Merge } from '../../../../sdk/src/generated/types.ts'
import { problemOf } from '../../api/problem.ts'
import { Button } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { count } from '../../parts/numbers.ts'
import { showToast } from '../../parts/toast.tsx'
import { nameWords, scoreWords } from '../../records/duplicate-words.ts'
import { undoMerge } from '../../records/undo-merge.ts'
import { useNavigate } from '../../routing/use-router.ts'
import { useScope } from '../../shell/scope.tsx'
import { useKey } from '../../shell/use-key.ts'
import type { DuplicateFilters } from './filters.ts'
import styles from './page.module.css'
import { type Decision, Pair, pairWords } from './pair.tsx'

const pageSize = 100
const pollMs = 15_000

/** The proposals that wait for a person: the list, the highest score first, and one proposal beside it. */
export function Proposals({
  filters: { type, pair },
  onScan,
}: {
  filters: DuplicateFilters
  onScan: (() => void) | null
}) {
  const { orgId, api } = useScope()
  const queries = useQueryClient()
  const navigate = useNavigate('/o/$orgId/duplicates')
  /** Proposals that were decided here, until the list is read again. */
  const [decided, setDecided] = useState<readonly string[]>([])
  const [decisions, setDecisions] = useState<readonly Decision[]>([])
  /** Close the messages that offer to undo a decision. */
  const closeOffers = useRef(new Map<Decision, () => void>())
  const list = useInfiniteQuery({
    queryKey: ['proposals', orgId, type],
    queryFn: ({ pageParam, signal }) =>
      api.duplicates.merges.list(
        {
          ...{ status: 'shadow', sort: '-score', limit: pageSize },
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
  const shown = (list.data?.pages ?? [])
    .flatMap(({ data }) => data)
    .filter(({ merge_id }) => !decided.includes(merge_id))
  const total = Math.max(shown.length, (list.data?.pages[0]?.pagination.total ?? 0) - decided.length)
  const found = shown.findIndex(({ merge_id }) => merge_id === pair)
  // If the open proposal is gone, the person continues at the same place.
  const lastIndex = useRef(0)
  const index = found >= 0 ? found : Math.min(lastIndex.current, shown.length - 1)
  const proposal = shown[index]
  /** The id of the open proposal. */
  const openId = useRef<string>(undefined)
  useEffect(() => {
    if (index >= 0) lastIndex.current = index
    openId.current = proposal?.merge_id
  })
  const open = (mergeId: string | undefined) =>
    void navigate({ search: (all) => ({ ...all, pair: mergeId }), replace: true })
  const step = (by: number) => {
    const next = Math.min(shown.length - 1, Math.max(0, index + by))
    if (next >= shown.length - 5 && list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage()
    open(shown[next]?.merge_id)
  }
  const refresh = async () => {
    await queries.invalidateQueries({ queryKey: ['proposals', orgId] })
    for (const key of ['proposal-count', 'decided', 'record', 'records', 'waiting'])
      void queries.invalidateQueries({ queryKey: [key, orgId] })
  }
  const undo = async (decision: Decision) => {
    const { kind, mergeId, proposal } = decision
    setDecisions((all) => all.filter((one) => one !== decision))
    closeOffers.current.get(decision)?.()
    try {
      if (kind === 'merged') await undoMerge(api, mergeId)
      else await api.duplicates.proposals.reopen(mergeId)
      showToast(
        kind === 'merged'
          ? `The merge of ${pairWords(proposal)} is undone. “Merged” can redo it.`
          : `${pairWords(proposal)} are proposed again.`,
      )
      if (kind === 'dismissed') {
        setDecided((all) => all.filter((id) => id !== proposal.merge_id))
        open(proposal.merge_id)
      }
    } catch (error) {
      setDecisions((all) => [...all, decision])
      const closeOffer = showToast(`Nothing was undone: ${problemOf(error).text}`, 'bad', {
        name: 'Undo',
        run: () => void undo(decision),
      })
      closeOffers.current.set(decision, closeOffer)
    }
    await refresh()
  }
  const noteDecision = (decision: Decision) => {
    const { kind, proposal } = decision
    // Before the answer, the person may have opened another one.
    if (openId.current === proposal.merge_id) open(shown[index + 1]?.merge_id ?? shown[index - 1]?.merge_id)
    setDecided((all) => [...all, proposal.merge_id])
    setDecisions((all) => [...all, decision])
    const closeOffer = showToast(
      kind === 'merged' ? `${pairWords(proposal)} are merged.` : `${pairWords(proposal)} are not the same.`,
      'ok',
      { name: 'Undo', run: () => void undo(decision) },
    )
    closeOffers.current.set(decision, closeOffer)
    void refresh().then(() => setDecided((all) => all.filter((id) => id !== proposal.merge_id)))
  }
  useKey('j', () => step(1))
  useKey('k', () => step(-1))
  /** In the list of proposals, the arrows do the same. */
  const stepByArrow = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    step(by)
  }
  useKey('u', () => {
    const last = decisions.at(-1)
    if (last) void undo(last)
  })
  return (
    <Loaded query={list}>
      {() =>
        proposal === undefined ? (
          <NoProposals isFiltered={type !== undefined} onScan={onScan} />
        ) : (
          <div className={styles.columns}>
            <nav className={styles.list} aria-label="Proposals">
              <ol onKeyDown={stepByArrow}>
                {shown.map((each) => (
                  <ListedProposal
                    key={each.merge_id}
                    proposal={each}
                    isOpen={each === proposal}
                    onOpen={() => open(each.merge_id)}
                  />
                ))}
              </ol>
              {list.hasNextPage && (
                <Button
                  kind="quiet"
                  isBusy={list.isFetchingNextPage}
                  onClick={() => void list.fetchNextPage()}
                >
                  Show more
                </Button>
              )}
            </nav>
            <Pair
              key={proposal.merge_id}
              proposal={proposal}
              place={`${count(index + 1)} of ${count(total)}`}
              onStep={step}
              onDecided={noteDecision}
            />
          </div>
        )
      }
    </Loaded>
  )
}

function ListedProposal({
  proposal: { survivor_name, loser_name, score },
  isOpen,
  onOpen,
}: {
  proposal: Merge
  isOpen: boolean
  onOpen: () => void
}) {
  const row = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!isOpen || row.current === null) return
    row.current.scrollIntoView({ block: 'nearest' })
    if (row.current.closest('ol')?.contains(document.activeElement)) row.current.focus()
  }, [isOpen])
  return (
    <li>
      <button
        ref={row}
        type="button"
        className={styles.row}
        aria-current={isOpen || undefined}
        // Tab leads past the others, to the values of the open proposal. J and K open the others.
        tabIndex={isOpen ? 0 : -1}
        onClick={onOpen}
      >
        <span className="stack g0 grow">
          <span className="cut">{nameWords(survivor_name)}</span>
          <span className="cut two">{nameWords(loser_name)}</span>
        </span>
        <span className="three">{scoreWords(score)}</span>
      </button>
    </li>
  )
}

const NoProposals = ({ isFiltered, onScan }: { isFiltered: boolean; onScan: (() => void) | null }) => (
  <Empty icon="pairs" title={isFiltered ? 'No proposal of this type' : 'No proposal waits for you'}>
    <p className="two">
      Crosswalk compares new and changed records automatically, and proposes those that seem to be the same.
      {onScan && ' A scan compares all records.'}
    </p>
    {onScan && (
      <Button icon="search" onClick={onScan}>
        Scan records
      </Button>
    )}
  </Empty>
)
