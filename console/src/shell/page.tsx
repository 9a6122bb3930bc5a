import { type ReactNode, useEffect } from 'react'
import { BurgerButton } from './burger.tsx'
import styles from './page.module.css'

/** A page: a bar with its name and actions, and its content. */
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

/** Sets the page's name in the browser's tab. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Crosswalk`
  }, [title])
}
