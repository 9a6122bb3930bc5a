import { type ComponentType, lazy, Suspense, useEffect } from 'react'
import { type Demand, useDemand } from '../api/demands.ts'

const load = () => import('./demand-dialog.tsx')
type Asked = { demand: Demand; settle: (met: boolean) => void }

const DemandDialog = lazy<ComponentType<Asked>>(() =>
  load().then(
    (loaded) => ({ default: loaded.DemandDialog }),
    // The page must remain, with what the person typed: the request fails instead.
    () => ({ default: Unmet }),
  ),
)

function Unmet({ settle }: Asked) {
  useEffect(() => settle(false), [settle])
  return null
}

/** Shows the dialog for a demand of a request (api/demands.ts). It loads when the person first uses the page. */
export function DemandPlace() {
  const asked = useDemand()
  useEffect(() => {
    const ended = new AbortController()
    const preload = () => {
      ended.abort()
      void load().catch(() => {})
    }
    for (const name of ['pointermove', 'pointerdown', 'keydown'])
      addEventListener(name, preload, { passive: true, signal: ended.signal })
    return () => ended.abort()
  }, [])
  return (
    asked && (
      <Suspense>
        <DemandDialog {...asked} />
      </Suspense>
    )
  )
}
