import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import styles from './note.module.css'

/** A remark beside what it is about. `bad` and `warn` are read aloud when they appear. */
export const Note = ({ kind, children }: { kind?: 'warn' | 'bad' | undefined; children: ReactNode }) => (
  <div className={styles.note} data-kind={kind} role={kind ? 'alert' : undefined}>
    <Icon name={kind ? 'alert' : 'clock'} />
    <div>{children}</div>
  </div>
)
