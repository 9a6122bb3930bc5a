import { type ReactNode, useContext } from 'react'
import { NavigationButton, NavigationContext } from './navigation-button.tsx'
import styles from './page.module.css'
import { useScope } from './scope.tsx'
import { useTitle } from './use-title.ts'

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
  // In a narrow window, the navigation covers the page.
  const { isOpen: isCovered } = useContext(NavigationContext)
  // A person may have tabs of several organizations.
  const { orgName } = useScope()
  useTitle(`${part ? `${part} · ` : ''}${name} · ${orgName}`)
  return (
    <>
      <header className={styles.bar}>
        <NavigationButton />
        <h1>{name}</h1>
        {part && <p className="three">{part}</p>}
        <div className="rail end" inert={isCovered}>
          {acts}
        </div>
      </header>
      <div className={styles.body} inert={isCovered}>
        {children}
      </div>
    </>
  )
}
