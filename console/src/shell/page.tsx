import { type ReactNode, useEffect } from 'react'
import { BurgerButton } from './burger.tsx'
import styles from './page.module.css'

/** A page: its bar with the name and the acts, and below it what the page shows. */
export function Page({
  name,
  part,
  acts,
  children,
}: {
  name: string
  part?: string
  acts?: ReactNode
  children: ReactNode
}) {
  useTitle(part ? `${part} · ${name}` : name)
  return (
    <>
      <header className={styles.bar}>
        <BurgerButton />
        <h1>{name}</h1>
        {part && <p className="three">{part}</p>}
        <div className="rail end">{acts}</div>
      </header>
      <div className={styles.body}>{children}</div>
    </>
  )
}

/** The name of the page in the tab of the browser. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Crosswalk`
  }, [title])
}
