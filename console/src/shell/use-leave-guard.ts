import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isGuarded, mayLeave } from '../parts/guards.ts'

/** Asks the person before they leave a page on which they would lose something. */
export function useLeaveGuard(): void {
  const { history } = useRouter()
  useEffect(
    () =>
      history.block({
        // Other filters, or the other mode, keep the page and what was typed into it.
        blockerFn: async ({ currentLocation, nextLocation }) =>
          currentLocation.pathname !== nextLocation.pathname && !(await mayLeave()),
        enableBeforeUnload: isGuarded,
      }),
    [history],
  )
}
