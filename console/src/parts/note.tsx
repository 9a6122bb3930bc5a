import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import styles from './note.module.css'

/** A note beside the thing that it is about. Screen readers read `bad` and `warn` aloud when they appear. */
export const Note = ({ kind, children }: { kind?: 'warn' | 'bad' | undefined; children: ReactNode }) => (
  <div className={styles.note} data-kind={kind} role={kind ? 'alert' : undefined}>
    <Icon name={kind ? 'alert' : 'info'} />
    <div>{children}</div>
  </div>
)
