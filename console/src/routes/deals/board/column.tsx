import { type PointerEvent, useEffect, useRef, useState } from 'react'
import type { Deal, DealValue } from '../../../../../sdk/src/generated/types.ts'
import { Button } from '../../../parts/button.tsx'
import { Note } from '../../../parts/note.tsx'
import { count } from '../../../parts/numbers.ts'
import { ProblemView } from '../../../parts/problem-view.tsx'
import { Skeleton } from '../../../parts/skeleton.tsx'
import { companies } from '../../../records/kinds.ts'
import { useRecordNames } from '../../../records/use-record-names.ts'
import { useScope } from '../../../shell/scope.tsx'
import { dealsIn, inOrder, moreCurrencies, sumsWith, sumTexts } from '../amounts.ts'
import type { DealSearch } from '../search.ts'
import type { Move } from '../use-moves.ts'
import styles from './board.module.css'
import { Card } from './card.tsx'
import { useColumn } from './use-column.ts'

type ColumnProps = {
  stage: string
  search: DealSearch
  isFiltered: boolean
  /** The sums of all deals of the stage; null: not known yet. */
  values: readonly DealValue[] | null
  mainCurrency: string | null
  owners: ReadonlyMap<string, string>
  moves: ReadonlyMap<string, Move>
  /** The deal that is dragged; null: none. */
  lifted: Deal | null
  isTarget: boolean
  activeId: string | undefined
  openId: string | undefined
  onOpen: (deal: Deal) => void
  onPress: ((event: PointerEvent, deal: Deal) => void) | null
  /** null: the person may not create deals. */
  onNew: (() => void) | null
  onRows: (stage: string, rows: readonly Deal[]) => void
}

/** A stage: its sums, which count all its deals, and its cards, which load as the person scrolls. */
export function Column(props: ColumnProps) {
  const { stage, search, isFiltered, moves, lifted, isTarget, activeId, onRows } = props
  const { orgId } = useScope()
  const [section, isSeen] = useSeen()
  const { column, rows, total } = useColumn(stage, search, isSeen)
  const moving = [...moves.values()]
  const arriving = moving.filter((move) => move.stage === stage).map(({ deal }) => deal)
  const gone = moving.filter(({ from }) => from === stage).map(({ deal }) => deal)
  const isElsewhere = new Set(moving.map(({ deal }) => deal.deal_id))
  const shown = [...arriving, ...rows.filter(({ deal_id }) => !isElsewhere.has(deal_id))]
  const companyNames = useRecordNames(
    companies,
    shown.flatMap(({ company_id }) => company_id ?? []),
  )
  useEffect(() => onRows(stage, shown))
  // The API has no sums of filtered deals. They are known when all of them are loaded.
  const loaded = column.hasNextPage || !column.data ? null : sumsWith([], shown)
  const values = isFiltered ? loaded : props.values && sumsWith(props.values, arriving, gone)
  const number = isFiltered
    ? total === null
      ? null
      : total + arriving.length - gone.length
    : values && dealsIn(values)
  const { isFetchingNextPage, hasNextPage, isFetchNextPageError } = column
  const more = () => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void column.fetchNextPage()
  }
  const rest = number === null ? 0 : number - shown.length
  return (
    <section
      ref={section}
      className={styles.column}
      aria-label={stage}
      data-stage={stage}
      data-target={isTarget || undefined}
    >
      <ColumnHead {...props} values={values} count={number} />
      <ol
        className={styles.cards}
        aria-label={`Deals in ${stage}`}
        aria-busy={column.isPlaceholderData || undefined}
        onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
          if (scrollTop + clientHeight > scrollHeight - 2 * clientHeight) more()
        }}
      >
        {isTarget && lifted && lifted.stage !== stage && (
          <li className={styles.slot}>
            <span className="cut">{lifted.name}</span>
            <span className="t12">{wouldHold(stage, values, lifted)}</span>
          </li>
        )}
        {column.data === undefined && !column.error && (
          <li>
            <Skeleton rows={3} />
          </li>
        )}
        {column.error && column.data === undefined && (
          <li>
            <ProblemView error={column.error} onRetry={() => void column.refetch()} />
          </li>
        )}
        {shown.map((deal, index) => (
          <Card
            key={deal.deal_id}
            deal={deal}
            href={`/console/o/${orgId}/deals/${deal.deal_id}`}
            company={deal.company_id === null ? undefined : companyNames.get(deal.company_id)}
            owner={ownerOf(deal, props.owners)}
            isTabStop={index === 0 || deal.deal_id === activeId}
            isOpen={deal.deal_id === props.openId}
            isLifted={deal.deal_id === lifted?.deal_id}
            isMoving={moves.get(deal.deal_id)?.isSaved === false}
            onOpen={props.onOpen}
            onPress={props.onPress}
          />
        ))}
        {column.data && shown.length === 0 && !(isTarget && lifted) && (
          <li className={styles.none}>{isFiltered ? 'No deal matches.' : 'No deal is here.'}</li>
        )}
        {isFetchNextPageError ? (
          <li>
            <Note kind="bad">
              The next deals could not be read.{' '}
              <Button kind="quiet" onClick={() => void column.fetchNextPage()}>
                Try again
              </Button>
            </Note>
          </li>
        ) : (
          hasNextPage &&
          rest > 0 && (
            <li className={styles.none}>
              <Button kind="quiet" isBusy={isFetchingNextPage} onClick={more}>
                {count(rest)} more
              </Button>
            </li>
          )
        )}
      </ol>
    </section>
  )
}

function ColumnHead({
  stage,
  values,
  count: number,
  mainCurrency,
  isFiltered,
  onNew,
}: Pick<ColumnProps, 'stage' | 'mainCurrency' | 'isFiltered' | 'onNew'> & {
  values: readonly DealValue[] | null
  count: number | null
}) {
  const [first, second, ...others] = values ? sumTexts(values, mainCurrency) : []
  const all = values ? sumTexts(values, mainCurrency).join(', ') : ''
  return (
    <header className={styles.head}>
      <div className="rail">
        <h2 className="cut" title={stage}>
          {stage}
        </h2>
        <span className="three t12">
          {number !== null && count(number)}
          <span className="sr"> {number === 1 ? 'deal' : 'deals'}</span>
        </span>
        {onNew && (
          <span className="end">
            <Button kind="quiet" icon="plus" aria-label={`New deal in ${stage}`} onClick={onNew} />
          </span>
        )}
      </div>
      <p className={styles.sum} title={all}>
        {first ?? (values ? '–' : isFiltered && number !== 0 ? '…' : '')}
      </p>
      <p className="t12 three cut" title={all}>
        {[second, moreCurrencies(others.length)].filter(Boolean).join(' · ')}
      </p>
      {others.length > 0 && <p className="sr">{all}</p>}
    </header>
  )
}

/** For example “Negotiation would hold €211,100”. */
function wouldHold(stage: string, values: readonly DealValue[] | null, deal: Deal): string {
  const { currency } = deal
  const next = values && inOrder(sumsWith(values, [deal]), currency)
  const [text] = next && currency !== null ? sumTexts(next, currency) : []
  return text ? `${stage} would hold ${text}` : ''
}

const ownerOf = ({ owner_id, owner_email }: Deal, owners: ReadonlyMap<string, string>): string | undefined =>
  (owner_id === null ? undefined : owners.get(owner_id)) ?? owner_email ?? undefined

/** Whether an element has been on the screen, or near it. */
function useSeen(): [(element: HTMLElement | null) => void, boolean] {
  const [isSeen, setSeen] = useState(false)
  const observer = useRef<IntersectionObserver | null>(null)
  const [ref] = useState(() => (element: HTMLElement | null) => {
    observer.current?.disconnect()
    if (!element) return
    observer.current = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return
        setSeen(true)
        observer.current?.disconnect()
      },
      { rootMargin: '0px 600px' },
    )
    observer.current.observe(element)
  })
  return [ref, isSeen]
}
