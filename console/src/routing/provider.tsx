import {
  Component,
  createContext,
  memo,
  type ReactNode,
  Suspense,
  use,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react'
import type { LazyPart } from './lazy-part.ts'
import type { Place } from './paths.ts'
import type { Router, Shown } from './router.ts'
import { PlaceContext, RouterContext, usePlace, useRouter } from './use-router.ts'

/** The frames and the page inside of a frame, outermost first. */
const InnerContext = createContext<readonly LazyPart<object>[]>([])

/** Shows the page of the address. */
export function RouterProvider({ router }: { router: Router }) {
  const [shown, setShown] = useState<Shown | null>(router.shown)
  useEffect(() => router.subscribe(setShown), [router])
  const path = shown?.place.path
  const parts = useMemo(() => (path === undefined ? [] : router.partsOf(path)), [router, path])
  useReturn(router, shown?.place)
  if (!shown) return null
  const { failed: Failed } = router.site
  return (
    <RouterContext value={router}>
      <PlaceContext value={shown.place}>
        <InnerContext value={parts}>
          <Suspense>{shown.error ? <Failed error={shown.error} /> : <Outlet />}</Suspense>
        </InnerContext>
      </PlaceContext>
    </RouterContext>
  )
}

/** Scrolls a page to where it was when the person left it. Other pages begin at their top. */
function useReturn(router: Router, place: Place | undefined): void {
  const { key, pathname } = place ?? {}
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page
  useLayoutEffect(() => void window.scrollTo(0, 0), [pathname])
  useLayoutEffect(() => {
    if (key !== undefined) router.scrolls.restore(key)
  }, [router, key])
}

/** The place of a frame in which its pages appear. */
export const Outlet = memo(function Outlet() {
  const router = useRouter()
  const place = usePlace()
  const parts = use(InnerContext)
  const Part = parts[0]
  const inner = useMemo(() => parts.slice(1), [parts])
  // The page renders again because of what it reads, and not because of its frame.
  const content = useMemo(() => Part && <Part />, [Part])
  return (
    <Boundary place={place} failed={(error) => <router.site.failed error={error} />}>
      <InnerContext value={inner}>{content}</InnerContext>
    </Boundary>
  )
})

type BoundaryProps = { place: Place; failed: (error: unknown) => ReactNode; children: ReactNode }
type BoundaryState = { caught: { error: unknown } | null; place: Place }

/** If a page fails, what surrounds it remains. Another page is shown again. */
class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { caught: null, place: this.props.place }

  static getDerivedStateFromError(error: unknown): Partial<BoundaryState> {
    return { caught: { error } }
  }

  static getDerivedStateFromProps({ place }: BoundaryProps, state: BoundaryState): BoundaryState {
    return place === state.place ? state : { caught: null, place }
  }

  override render() {
    const { caught } = this.state
    return caught ? this.props.failed(caught.error) : this.props.children
  }
}
