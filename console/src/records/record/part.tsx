import type { ReactNode } from 'react'
import styles from './related.module.css'

/** A part of the page of a record beside its history, such as its deals. */
export function Part({ name, about, children }: { name: string; about: ReactNode; children: ReactNode }) {
  return (
    <section className={styles.part} aria-label={name}>
      <div className="rail">
        <h2>{name}</h2>
        <span className="end three">{about}</span>
      </div>
      {children}
    </section>
  )
}
