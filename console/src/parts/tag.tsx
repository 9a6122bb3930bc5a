import type { ReactNode } from 'react'
import styles from './tag.module.css'

/** A short label. Stripes mean test mode. */
export const Tag = ({ kind, children }: { kind?: 'test'; children: ReactNode }) => (
  <span className={styles.tag} data-kind={kind}>
    {children}
  </span>
)
