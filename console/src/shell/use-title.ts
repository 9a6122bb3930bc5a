import { useEffect } from 'react'

/** Sets the page's name in the browser's tab. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Crosswalk`
  }, [title])
}
