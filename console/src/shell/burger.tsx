import { createContext, useContext } from 'react'
import { Button } from '../parts/button.tsx'
import styles from './shell.module.css'

export const NavigationContext = createContext<{ isOpen: boolean; setOpen: (isOpen: boolean) => void }>({
  isOpen: false,
  setOpen: () => {},
})

/** The button that shows the navigation on a phone. */
export function BurgerButton() {
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
    </span>
  )
}
