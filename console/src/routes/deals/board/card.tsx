import { memo, type PointerEvent } from 'react'
import type { Deal } from '../../../../../sdk/src/generated/types.ts'
import { dayWords } from '../../../parts/days.ts'
import { Icon } from '../../../parts/icon.tsx'
import { Initials } from '../../../parts/initials.tsx'
import { money } from '../../../parts/numbers.ts'
import { useToday } from '../../../parts/time.tsx'
import styles from './board.module.css'

type CardProps = {
  deal: Deal
  href: string
  company: string | undefined
  owner: string | undefined
  isTabStop: boolean
  isOpen: boolean
  /** Whether it is dragged now: only its place is shown. */
  isLifted: boolean
  /** Whether its move is not confirmed yet. */
  isMoving: boolean
  onOpen: (deal: Deal) => void
  onPress: ((event: PointerEvent, deal: Deal) => void) | null
}

/** A deal on the board: its name, amount, company, expected day and owner. */
export const Card = memo(function Card(props: CardProps) {
  const { deal, href, isTabStop, isOpen, isLifted, isMoving, onOpen, onPress } = props
  return (
    <li className={styles.item}>
      <a
        className={styles.card}
        href={href}
        data-deal={deal.deal_id}
        data-lifted={isLifted || undefined}
        aria-current={isOpen || undefined}
        aria-busy={isMoving || undefined}
        tabIndex={isTabStop ? 0 : -1}
        draggable={false}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return
          event.preventDefault()
          onOpen(deal)
        }}
        onPointerDown={(event) => onPress?.(event, deal)}
      >
        <CardWords {...props} />
      </a>
    </li>
  )
})

export function CardWords({
  deal: { name, amount_cents, currency, expected_close_on },
  company,
  owner,
}: Pick<CardProps, 'deal' | 'company' | 'owner'>) {
  const today = useToday()
  const isLate = expected_close_on !== null && expected_close_on < today
  return (
    <>
      <span className="rail base">
        <span className="strong cut" title={name}>
          {name}
        </span>
        {amount_cents !== null && currency !== null && (
          <span className="end">{money(amount_cents, currency)}</span>
        )}
      </span>
      <span className={styles.about}>
        <span className="cut">{company}</span>
        {expected_close_on !== null && (
          <span className={`${styles.due} ${isLate ? 'warn' : ''}`}>
            {isLate && <Icon name="clock" size={14} />}
            <span className="sr">{isLate ? 'overdue, ' : ''}closes </span>
            <time dateTime={expected_close_on}>{dayWords(expected_close_on)}</time>
          </span>
        )}
        {owner && (
          <span className={styles.owner} title={owner}>
            <Initials name={owner} />
            <span className="sr">, {owner}</span>
          </span>
        )}
      </span>
    </>
  )
}
