import { type ReactNode, useId } from 'react'
import styles from './section.module.css'

/** What is in a section, if it does not reach its sides as a table does. */
export const SectionBody = ({ children }: { children: ReactNode }) => (
  <div className={styles.body}>{children}</div>
)

/** A part of a settings page: what it is, its one act at the right, and what it shows below. */
export function Section({
  title,
  about,
  act,
  children,
}: {
  title: string
  about?: ReactNode
  act?: ReactNode
  children?: ReactNode
}) {
  const id = useId()
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.head}>
        <div className={styles.words}>
          <h3 id={id}>{title}</h3>
          {about && <p className="two">{about}</p>}
        </div>
        {act && <div className="rail end">{act}</div>}
      </div>
      {children}
    </section>
  )
}
