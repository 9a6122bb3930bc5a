import { useCallback, useSyncExternalStore } from 'react'

/** Returns whether the window is as narrow as a phone's. */
export const useIsPhone = (): boolean => useMedia('(max-width: 760px)')

/** Returns whether a media query fits the window. */
function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}
