import { useEffect } from 'react'
import { isGuarded, mayLeave } from '../parts/guards.ts'
import { useRouter } from '../routing/use-router.ts'

/** Asks the person before they leave a page on which they would lose something. */
export function useLeaveGuard(): void {
  const router = useRouter()
  useEffect(() => router.guard({ isNeeded: isGuarded, ask: mayLeave }), [router])
}
