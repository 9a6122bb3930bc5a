import { useQuery } from '@tanstack/react-query'
import { type PointerEvent, useCallback, useEffect, useRef, useState } from 'react'
import type { Deal } from '../../../../../sdk/src/generated/types.ts'
import { buttonLook } from '../../../parts/button.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { Note } from '../../../parts/note.tsx'
import { count } from '../../../parts/numbers.ts'
import { deals } from '../../../records/deals/kind.ts'
import { stagesQuery, summaryQuery } from '../../../records/deals/queries.ts'
import { isBroken } from '../../../records/filters/conditions.ts'
import { RecordFilterBar } from '../../../records/filters/filter-bar.tsx'
import { BadLink, NoRecords, NoSegment } from '../../../records/list/no-records.tsx'
import { Peek } from '../../../records/list/peek.tsx'
import { SegmentChanges } from '../../../records/segments/segment-changes.tsx'
import { SegmentMenu } from '../../../records/segments/segment-menu.tsx'
import { useSegment } from '../../../records/segments/use-segment.ts'
import { useFields } from '../../../records/use-fields.ts'
import { Link } from '../../../routing/link.tsx'
import { useNavigate, useSearch } from '../../../routing/use-router.ts'
import { Page } from '../../../shell/page.tsx'
import { useScope } from '../../../shell/scope.tsx'
import { useKey } from '../../../shell/use-key.ts'
import { dealsIn, mainCurrencyOf } from '../amounts.ts'
import { DealActs } from '../deal-acts.tsx'
import type { Target } from '../move-dialog.tsx'
import { NewDealButton } from '../new-deal-button.tsx'
import type { DealSearch } from '../search.ts'
import { useMoves } from '../use-moves.ts'
import { ViewSwitch } from '../view-switch.tsx'
import styles from './board.module.css'
import { BoardDialog, type OpenDialog } from './board-dialog.tsx'
import { boardKeys, type Held } from './board-keys.ts'
import { Column } from './column.tsx'
import { Ghost } from './ghost.tsx'
import { Hints } from './hints.tsx'
import { SortField } from './sort-field.tsx'
import { sameTarget, targetAt, targetsOf, targetWords } from './targets.ts'
import { Totals } from './totals.tsx'
import { boardSort } from './use-column.ts'
import { useDrag } from './use-drag.ts'
import { useFirstCard } from './use-first-card.ts'
import { useFreshness } from './use-freshness.ts'
import { useOwners } from './use-owners.ts'
import { focusCard, nearestTo } from './walk.ts'

/** The open deals in columns, one for each stage. */
export function Board() {
  const scope = useScope()
  const { can } = scope
  const search: DealSearch = useSearch('/o/$orgId/deals')
  const navigate = useNavigate('/o/$orgId/deals')
  const change = useCallback(
    (next: DealSearch, replace = false) => void navigate({ search: (all) => ({ ...all, ...next }), replace }),
    [navigate],
  )
  const opened = useSegment(deals, search, change)
  const fields = useFields(deals)
  const pipeline = useQuery({ ...stagesQuery(scope), refetchInterval: 15_000 })
  const summary = useQuery(summaryQuery(scope))
  const owners = useOwners()
  const { refresh, isFailing } = useFreshness()
  const { moves, move } = useMoves(refresh)
  const [held, setHeld] = useState<Held | null>(null)
  const [open, setOpen] = useState<OpenDialog | null>(null)
  const [activeId, setActiveId] = useState<string>()
  const [focusId, setFocusId] = useState<string | null>(null)
  const board = useRef<HTMLDivElement>(null)
  const ghost = useRef<HTMLDivElement>(null)
  const shown = useRef(new Map<string, readonly Deal[]>())
  const startDrag = useDrag(board)
  const mayWrite = can('deals:write')
  const stages = pipeline.data?.stages ?? []
  const main = summary.data ? mainCurrencyOf(summary.data) : null
  const isFiltered = search.segment !== undefined || search.filter !== undefined || search.q !== undefined
  const isEmpty =
    !isFiltered &&
    summary.data !== undefined &&
    dealsIn(summary.data.open.flatMap(({ values }) => values)) === 0

  const place = (deal: Deal, target: Target) => {
    if ('status' in target) setOpen({ kind: 'close', deal, status: target.status })
    else if (target.stage !== deal.stage) {
      setActiveId(deal.deal_id)
      setFocusId(deal.deal_id)
      void move(deal, target.stage)
    }
  }
  useEffect(() => {
    // A moved card is another element in its new column.
    if (focusId !== null && focusCard(board.current, focusId)) setFocusId(null)
  })
  const shownDeals = () => stages.flatMap((stage) => shown.current.get(stage) ?? [])
  /** A deal that the board shows; undefined while it is saved, because its next version is not known yet. */
  const dealOf = (id: string | undefined) => {
    const moving = id === undefined ? undefined : moves.get(id)
    if (moving) return moving.isSaved ? moving.deal : undefined
    return shownDeals().find(({ deal_id }) => deal_id === id)
  }
  const focused = () =>
    dealOf(document.activeElement?.closest<HTMLElement>('[data-deal]')?.dataset.deal ?? search.peek)
  const peek = useCallback(
    ({ deal_id }: Deal) => {
      setActiveId(deal_id)
      change({ peek: deal_id }, search.peek !== undefined)
    },
    [change, search.peek],
  )
  const press = useCallback(
    (event: PointerEvent, deal: Deal) => {
      // While a deal is saved, its next version is not known yet.
      if (!latest.current.dealOf(deal.deal_id)) return
      let over: Target | null = null
      startDrag(event, {
        onStart: () => setHeld({ deal, by: 'pointer', over: { stage: deal.stage } }),
        onMove: (x, y) => {
          if (ghost.current) ghost.current.style.translate = `${x}px ${y}px`
          const next = targetAt(x, y)
          if (sameTarget(next, over)) return
          over = next
          setHeld({ deal, by: 'pointer', over })
        },
        onDrop: () => {
          setHeld(null)
          if (over) latest.current.place(deal, over)
        },
        onCancel: () => setHeld(null),
      })
    },
    [startDrag],
  )
  const latest = useRef({ place, dealOf })
  latest.current = { place, dealOf }
  useKey('m', () => {
    const deal = focused()
    if (deal && mayWrite && search.peek === undefined) setOpen({ kind: 'move', deal })
  })

  useFirstCard(board)

  /** Puts a card back that the keys hold but can no longer reach, because it lost the focus. */
  const putBack = () => setHeld((now) => (now?.by === 'keyboard' ? null : now))

  const onKeyDown = boardKeys({
    held,
    targets: targetsOf(stages),
    dealOf,
    onHold: mayWrite ? setHeld : null,
    onPlace: place,
    onWalk: (card) => {
      const deal = dealOf(card.dataset.deal)
      setActiveId(card.dataset.deal)
      if (search.peek !== undefined && deal) peek(deal)
    },
    onEscape: () => search.peek !== undefined && closePeek(),
  })

  const closePeek = () => {
    const id = search.peek
    change({ peek: undefined })
    if (id !== undefined) focusCard(board.current, id)
  }
  const step = (by: number) => {
    const all = shownDeals()
    const next = all[all.findIndex(({ deal_id }) => deal_id === search.peek) + by]
    if (next) peek(next)
  }

  return (
    <Page
      name="Deals"
      part={summary.data ? `${count(dealsIn(summary.data.open.flatMap(({ values }) => values)))} open` : ''}
      acts={
        <>
          {can('deals:manage') && (
            <span className="opt">
              <Link
                to="/o/$orgId/settings/deals"
                params={{ orgId: scope.orgId }}
                {...buttonLook({ kind: 'quiet' })}
              >
                Stages
              </Link>
            </span>
          )}
          <ViewSwitch />
          <NewDealButton onDone={() => void refresh()} />
        </>
      }
    >
      <div className={styles.page}>
        <RecordFilterBar
          fields={fields.filter(({ name }) => name !== 'stage' && name !== 'status')}
          search={opened.shown}
          hasArchived={false}
          isReady={opened.isRead}
          before={<SegmentMenu kind={deals} opened={opened} />}
          onChange={opened.change}
        >
          <SegmentChanges kind={deals} opened={opened} />
          <SortField value={search.sort ?? boardSort} onChange={(sort) => change({ sort })} />
          {summary.data && <Totals summary={summary.data} main={main} />}
        </RecordFilterBar>
        {isFailing && summary.data && (
          <div className={styles.news}>
            <Note kind="warn">
              Crosswalk does not answer. This board may be old. It is read again every 5 s.
            </Note>
          </div>
        )}
        <div className={styles.columns}>
          <Loaded query={pipeline} rows={5}>
            {() =>
              opened.isGone ? (
                <NoSegment kind={deals} onAll={() => opened.open(null)} />
              ) : isBroken(opened.shown.filter) ? (
                <BadLink kind={deals} search={opened.shown} error={null} onChange={opened.change} />
              ) : isEmpty ? (
                <div className="grow">
                  <NoRecords kind={deals} fields={fields} search={opened.shown} onChange={change} />
                </div>
              ) : (
                // biome-ignore lint/a11y/noStaticElementInteractions: the cards are the controls
                <div
                  ref={board}
                  className={styles.board}
                  data-held={held?.by}
                  onKeyDown={onKeyDown}
                  onBlur={putBack}
                >
                  {stages.map((stage) => (
                    <Column
                      key={stage}
                      {...{ stage, search, isFiltered, owners, moves, activeId }}
                      mainCurrency={main}
                      values={summary.data?.open.find((one) => one.stage === stage)?.values ?? null}
                      lifted={held?.deal ?? null}
                      isTarget={held?.over ? sameTarget(held.over, { stage }) : false}
                      openId={search.peek}
                      onOpen={peek}
                      onPress={mayWrite ? press : null}
                      onNew={mayWrite ? () => setOpen({ kind: 'new', stage }) : null}
                      onRows={(one, rows) => {
                        shown.current.set(one, rows)
                        if (held && !board.current?.contains(document.activeElement)) putBack()
                      }}
                    />
                  ))}
                </div>
              )
            }
          </Loaded>
          {search.peek !== undefined && (
            <Peek
              key={search.peek}
              kind={deals}
              fields={fields}
              id={search.peek}
              place={dealOf(search.peek)?.stage ?? ''}
              actsOf={(record) => (
                <DealActs
                  deal={record as unknown as Deal}
                  hasKeys
                  move={move}
                  onDone={() => void refresh()}
                />
              )}
              onStep={step}
              onClose={closePeek}
            />
          )}
        </div>
        {mayWrite && !isEmpty && <Hints held={held} />}
        <p className="sr" role="status">
          {held?.by === 'keyboard' && held.over && `${held.deal.name}: ${targetWords(held.over)}`}
        </p>
      </div>
      {held?.by === 'pointer' && <Ghost ref={ghost} deal={held.deal} />}
      {open && (
        <BoardDialog
          open={open}
          stages={stages}
          onPlace={place}
          onClose={() => setOpen(null)}
          onDone={() => {
            if (open.kind === 'close') setFocusId(nearestTo(board.current, open.deal.deal_id))
            void refresh()
          }}
        />
      )}
    </Page>
  )
}
