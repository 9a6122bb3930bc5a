import { Suspense } from 'react'
import { lazyPart } from '../../routing/lazy-part.ts'
import { useSearch } from '../../routing/use-router.ts'

const Board = lazyPart(() => import('./board/board.tsx'), 'Board')
const DealList = lazyPart(() => import('./list.tsx'), 'DealList')
const DealSummary = lazyPart(() => import('./summary.tsx'), 'DealSummary')

/** The deals as a board, as a list, or as figures. */
export function DealsPage() {
  const { view } = useSearch('/o/$orgId/deals')
  return (
    <Suspense>{view === 'list' ? <DealList /> : view === 'summary' ? <DealSummary /> : <Board />}</Suspense>
  )
}

/** Everything about one deal. It is loaded here, so that the first page of the console does not name its files. */
export const DealPage = lazyPart(() => import('./deal-page.tsx'), 'DealPage')
