import type { ReactNode } from 'react'
import { Icon, type IconName, RunningIcon } from './icon.tsx'
import styles from './state.module.css'

const shapes: Record<'ok' | 'warn' | 'bad' | 'off', IconName> = {
  ok: 'done',
  warn: 'alert',
  bad: 'cross',
  off: 'ring',
}

/** A status, shown by a shape and a word, so that it does not depend on color. */
export const State = ({
  kind,
  children,
}: {
  kind: 'ok' | 'warn' | 'bad' | 'run' | 'off'
  children: ReactNode
}) => (
  <span className={styles.state} data-kind={kind}>
    {kind === 'run' ? <RunningIcon /> : <Icon name={shapes[kind]} size={14} />}
    {children}
  </span>
)
