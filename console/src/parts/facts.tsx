import type { ReactNode } from 'react'
import styles from './facts.module.css'

/** The facts about one thing, as names and values. As many are side by side as fit. */
export const Facts = ({ children }: { children: ReactNode }) => <dl className={styles.facts}>{children}</dl>

/** @param wide true: the value is longer than others, such as an id */
export const Fact = ({
  name,
  wide = false,
  children,
}: {
  name: string
  wide?: boolean
  children: ReactNode
}) => (
  <div data-wide={wide || undefined}>
    <dt>{name}</dt>
    <dd className="rail">{children}</dd>
  </div>
)
