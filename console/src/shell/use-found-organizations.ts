import { useMemo } from 'react'
import type { Session } from '../api/generated/types.ts'
import { useOrgNames, useSession } from '../api/use-session.ts'
import { folded } from '../parts/folded.ts'
import { locale, whenUsed } from '../parts/locale.ts'

/** How many organizations a menu offers at once. A browser takes more than a minute for 10,000. */
export const offeredMax = 50

type Membership = Session['memberships'][number]
const collator = whenUsed(() => new Intl.Collator(locale, { numeric: true }))

/**
 * The organizations of the person whose name contains `typed`, or whose id it is: first those that the person belongs to,
 * then clients of agencies, both by name.
 */
export function useFoundOrganizations(typed: string): { name: string; membership: Membership }[] {
  const { memberships } = useSession()
  const names = useOrgNames()
  const sorted = useMemo(() => {
    const rank = ({ via }: Membership) => (via === 'agency' ? 1 : 0)
    return memberships
      .map((membership) => {
        const name = names.get(membership.org_id) ?? membership.org_name
        return { name, letters: folded(name), membership }
      })
      .sort((a, b) => rank(a.membership) - rank(b.membership) || collator().compare(a.name, b.name))
  }, [memberships, names])
  const wanted = folded(typed.trim())
  return sorted
    .filter(({ letters, membership: { org_id: id } }) => letters.includes(wanted) || id === wanted)
    .slice(0, offeredMax)
}
