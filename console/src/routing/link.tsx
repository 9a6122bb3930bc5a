import type { ComponentProps, MouseEvent } from 'react'
import { isBelow } from './page.ts'
import type { AnyTarget, Path, Target } from './paths.ts'
import { usePlace, useRouter } from './use-router.ts'

type LinkProps = Omit<ComponentProps<'a'>, 'href'> & {
  /** Marks the link to the shown page (`page`), or also to the page above it (`below`). */
  marks?: 'page' | 'below' | undefined
}

/** A link to a page of the console. The files of the page load when the pointer or the focus reaches the link. */
export function Link<To extends Path>(props: Target<To> & LinkProps) {
  const { to, params, search, hash, marks, onClick, ...rest } = props as AnyTarget & LinkProps
  const router = useRouter()
  const place = usePlace()
  const target: AnyTarget = {
    ...(to && { to }),
    params,
    ...(search && { search }),
    ...(hash && { hash }),
  }
  const pathname = router.pathnameOf(target, place)
  const isMarked =
    marks && (place.pathname === pathname || (marks === 'below' && isBelow(place.pathname, pathname)))
  const preload = () => router.preload(target)
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    // The browser opens other tabs and windows itself.
    const isOther = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0
    if (event.defaultPrevented || isOther || (rest.target && rest.target !== '_self')) return
    event.preventDefault()
    void router.navigate(target)
  }
  return (
    <a
      {...rest}
      href={router.hrefOf(target, place)}
      aria-current={isMarked ? 'page' : rest['aria-current']}
      onClick={follow}
      onMouseEnter={preload}
      onFocus={preload}
      onTouchStart={preload}
    />
  )
}
