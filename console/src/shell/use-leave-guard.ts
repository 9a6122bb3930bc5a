import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isGuarded, mayLeave } from '../parts/guards.ts'

/** Asks the person before they leave a page on which they would lose something. */
export function useLeaveGuard(): void {
  const { history } = useRouter()
  useEffect(
    () =>
      history.block({
        // A change of filters or mode keeps the page and the typed text.
        blockerFn: async ({ currentLocation, nextLocation }) =>
          currentLocation.pathname !== nextLocation.pathname && !(await mayLeave()),
        enableBeforeUnload: isGuarded,
      }),
    [history],
  )
}
