import { createContext, useContext, useEffect, useMemo, useState } from 'react'
import { Button } from '../parts/button.tsx'
import { usePlace } from '../routing/use-router.ts'
import { WaitingDot } from './badge.tsx'
import styles from './shell.module.css'

type PhoneNavigation = { isOpen: boolean; setOpen: (isOpen: boolean) => void }

export const NavigationContext = createContext<PhoneNavigation>({ isOpen: false, setOpen: () => {} })

/**
 * Whether the navigation covers the page, which only happens in a narrow window. Then the page below is inert. It closes
 * when the person reaches another page, presses Escape, clicks beside it, or makes the window wide.
 */
export function usePhoneNavigation(): PhoneNavigation {
  const { pathname } = usePlace()
  const [openAt, setOpenAt] = useState<string | null>(null)
  const isOpen = openAt === pathname
  useEffect(() => {
    if (!isOpen) return
    const wide = matchMedia('(width > 1100px)')
    const close = () => setOpenAt(null)
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !document.querySelector('dialog[open]')) close()
    }
    const onClick = ({ target }: MouseEvent) => {
      if (target instanceof Element && !target.closest('aside, header, dialog')) close()
    }
    const ended = new AbortController()
    wide.addEventListener('change', close, ended)
    window.addEventListener('keydown', onKey, ended)
    window.addEventListener('click', onClick, ended)
    return () => ended.abort()
  }, [isOpen])
  return useMemo(
    () => ({ isOpen, setOpen: (opens) => setOpenAt(opens ? pathname : null) }),
    [isOpen, pathname],
  )
}

/** The button that shows the navigation in a narrow window. */
export function NavigationButton() {
  const { isOpen, setOpen } = useContext(NavigationContext)
  return (
    <span className={styles.burger}>
      <Button
        kind="quiet"
        icon="burger"
        aria-label="Navigation"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      />
      <WaitingDot />
    </span>
  )
}
