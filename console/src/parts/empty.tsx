import type { ReactNode } from 'react'
import styles from './empty.module.css'
import { Icon, type IconName } from './icon.tsx'

/** Shown by a page without data: a fact, one action, and how a program does it. */
export const Empty = ({ icon, title, children }: { icon: IconName; title: string; children: ReactNode }) => (
  <div className={styles.empty}>
    <Icon name={icon} size={20} />
    <h2>{title}</h2>
    {children}
  </div>
)
