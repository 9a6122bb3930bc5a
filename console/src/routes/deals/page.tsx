import { lazyRouteComponent, useSearch } from '@tanstack/react-router'
import { Suspense } from 'react'

const Board = lazyRouteComponent(() => import('./board/board.tsx'), 'Board')
const DealList = lazyRouteComponent(() => import('./list.tsx'), 'DealList')
const DealSummary = lazyRouteComponent(() => import('./summary.tsx'), 'DealSummary')

/** The deals as a board, as a list, or as figures. */
export function DealsPage() {
  const { view } = useSearch({ from: '/o/$orgId/deals' })
  return (
    <Suspense>{view === 'list' ? <DealList /> : view === 'summary' ? <DealSummary /> : <Board />}</Suspense>
  )
}

/** Everything about one deal. It is loaded here, so that the first page of the console does not name its files. */
export const DealPage = lazyRouteComponent(() => import('./deal-page.tsx'), 'DealPage')
