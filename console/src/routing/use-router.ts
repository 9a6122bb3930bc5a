import { createContext, use, useCallback } from 'react'
import type { AnyTarget, Change, Manner, ParamsOf, Path, Place, SearchOf, Target } from './paths.ts'
import type { Router } from './router.ts'
import type { Search } from './search-text.ts'

export const RouterContext = createContext<Router | null>(null)
export const PlaceContext = createContext<Place | null>(null)

export function useRouter(): Router {
  const router = use(RouterContext)
  if (!router) throw new Error('There is no router')
  return router
}

/** The page that is shown. */
export function usePlace(): Place {
  const place = use(PlaceContext)
  if (!place) throw new Error('There is no router')
  return place
}

/**
 * The values after the question mark that the page reads.
 * @param path the page; without it, the values have no types
 */
export function useSearch<Of extends Path>(path: Of): SearchOf<Of>
export function useSearch(): Search
export function useSearch(): Search {
  return usePlace().search
}

/**
 * The parameters in the path of the page.
 * @param path the page; without it, the parameters have no names
 */
export function useParams<Of extends Path>(path: Of): ParamsOf<Of>
export function useParams(): Readonly<Record<string, string>>
export function useParams(): Readonly<Record<string, string>> {
  return usePlace().params
}

type Navigate<All extends object> = {
  <To extends Path>(target: Target<To> & Manner): Promise<void>
  (change: Change<All> & Manner): Promise<void>
  /** Opens an address below `/console`. */
  (address: { href: string } & Manner): Promise<void>
}

/**
 * Returns a function that opens another page, or changes the values after the question mark. It resolves when the window
 * shows the page, or when the person chose to stay. After the person left the organization of the caller, the function
 * does nothing: an answer that comes late must not lead back.
 * @param path the page that calls this. After the person left it, the function does nothing.
 */
export function useNavigate<From extends Path>(path: From): Navigate<SearchOf<From>>
export function useNavigate(): Navigate<object>
export function useNavigate(path?: string): (target: never) => Promise<void> {
  const router = useRouter()
  const { orgId } = usePlace().params
  return useCallback(
    (target: AnyTarget & Manner) => router.navigate(target, { path, orgId }),
    [router, path, orgId],
  )
}
