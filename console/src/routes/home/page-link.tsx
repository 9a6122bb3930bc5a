import type { ReactNode } from 'react'
import { buttonLook } from '../../parts/button.tsx'
import { Link } from '../../routing/link.tsx'
import { useScope } from '../../shell/scope.tsx'

/** A link to a page of the organization, such as `/imports`. */
export function PageLink({
  path,
  search,
  isButton = false,
  children,
}: {
  path: string
  search?: Record<string, string> | undefined
  isButton?: boolean
  children: ReactNode
}) {
  const { orgId } = useScope()
  return (
    <Link
      {...(isButton ? buttonLook({}) : { className: 'link' })}
      to={`/o/$orgId${path}` as '/o/$orgId'}
      params={{ orgId }}
      search={search as never}
    >
      {children}
    </Link>
  )
}
