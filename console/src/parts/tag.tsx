import type { ReactNode } from 'react'
import styles from './tag.module.css'

/** A short label. Stripes mean test mode. */
export const Tag = ({ kind, children }: { kind?: 'test'; children: ReactNode }) => (
  <span className={styles.tag} data-kind={kind}>
    {children}
  </span>
)

/** A list of texts as labels, which wrap where a part of the page is narrow. @param values another value: none */
export const Tags = ({ values }: { values: unknown }) => (
  <span className={`rail wrap g4 ${styles.many}`}>
    {(Array.isArray(values) ? values : []).map((value) => (
      <Tag key={String(value)}>{String(value)}</Tag>
    ))}
  </span>
)
