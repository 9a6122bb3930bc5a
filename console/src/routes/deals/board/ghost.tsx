import type { Ref } from 'react'
import type { Deal } from '../../../../../sdk/src/generated/types.ts'
import styles from './board.module.css'
import { CardWords } from './card.tsx'

/** The card that follows the pointer. */
export const Ghost = ({ ref, deal }: { ref: Ref<HTMLDivElement>; deal: Deal }) => (
  <div ref={ref} className={styles.ghost} aria-hidden="true">
    <div className={styles.card}>
      <CardWords deal={deal} company={undefined} owner={undefined} />
    </div>
  </div>
)
