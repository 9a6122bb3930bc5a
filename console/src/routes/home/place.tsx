import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { buttonLook } from '../../parts/button.tsx'
import { isNamedPage } from '../../shell/pages.ts'
import { useScope } from '../../shell/scope.tsx'

/** Where a person sees or decides about something: a page of the navigation, and an address on or below it. */
export type Place = { page: string; path: string }

export const pageAt = (path: string): Place => ({ page: path, path })

/** A link to a place; only its text if the console has no such page. */
export function PlaceLink({
  place: { page, path },
  isButton = false,
  children,
}: {
  place: Place
  isButton?: boolean
  children: ReactNode
}) {
  const { orgId } = useScope()
  if (!isNamedPage(page)) return isButton ? null : children
  return (
    <Link
      {...(isButton ? buttonLook({}) : { className: 'link' })}
      to={`/o/$orgId${path}` as '/o/$orgId'}
      params={{ orgId }}
    >
      {children}
    </Link>
  )
}
