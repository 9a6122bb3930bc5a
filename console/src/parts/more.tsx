import { Button } from './button.tsx'
import { Note } from './note.tsx'

/** The foot of a list that is read page by page: a button for the next page, or a text that says that there is none. */
export function NextPageButton({
  query,
  act,
  end,
}: {
  query: {
    hasNextPage: boolean
    isFetchingNextPage: boolean
    isFetchNextPageError: boolean
    fetchNextPage: () => unknown
  }
  act: string
  end: string
}) {
  return (
    <div className="pad rail wrap">
      {query.isFetchNextPageError && <Note kind="bad">The next page could not be read.</Note>}
      {query.hasNextPage ? (
        <Button isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {query.isFetchNextPageError ? 'Try again' : act}
        </Button>
      ) : (
        <span className="three">{end}</span>
      )}
    </div>
  )
}
