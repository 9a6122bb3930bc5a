import type { ReactNode } from 'react'
import styles from './facts.module.css'

/** What is known about one thing: names and values, as many beside each other as there is room for. */
export const Facts = ({ children }: { children: ReactNode }) => <dl className={styles.facts}>{children}</dl>

/** @param wide true: a value that is longer than others, such as an id */
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
