import type { Membership } from '../api/generated/types.ts'
import { allows } from '../api/permissions.ts'
import { isBelow } from '../routing/page.ts'
import type { Path } from '../routing/paths.ts'
import { isOffered, pages, settingsPages } from './pages.ts'

const frame = '/o/$orgId'

/**
 * Returns the page of another organization that is like the one a person sees. For a record, it is the list, because records
 * belong to one organization. It is Home if the person may not read the page there.
 * @param path the path of the page that is shown
 */
export function samePage(path: string | null, membership: Membership): typeof frame {
  const [page] = [...pages, ...settingsPages]
    .filter((page) => page.path !== '' && path !== null && isBelow(path, frame + page.path))
    .filter((page) =>
      isOffered(page, { membership, can: (permission) => allows(membership.permissions, permission) }),
    )
  return `${frame}${page?.path ?? ''}` as Path as typeof frame
}
