import { Button } from './button.tsx'

/** The foot of a list that is read page by page: a button for the next page, or a text that says that there is none. */
export function NextPageButton({
  query,
  act,
  end,
}: {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }
  act: string
  end: string
}) {
  return (
    <div className="pad rail">
      {query.hasNextPage ? (
        <Button isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {act}
        </Button>
      ) : (
        <span className="three">{end}</span>
      )}
    </div>
  )
}
