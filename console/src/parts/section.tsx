import { type ReactNode, useId } from 'react'
import styles from './section.module.css'

/** The content of a section, with space at its sides. (A table needs none.) */
export const SectionBody = ({ children }: { children: ReactNode }) => (
  <div className={styles.body}>{children}</div>
)

/** A part of a settings page: a title, an explanation, an action at the right, and the content. */
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
