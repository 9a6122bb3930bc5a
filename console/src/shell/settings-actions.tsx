import { createContext, type ReactNode, useContext } from 'react'
import { createPortal } from 'react-dom'

/** The element in the bar for the actions of a settings page. */
export const ActionsContext = createContext<HTMLElement | null>(null)

/** Shows the actions of a settings page in the bar. */
export function SettingsActions({ children }: { children: ReactNode }) {
  const place = useContext(ActionsContext)
  return place ? createPortal(children, place) : null
}
