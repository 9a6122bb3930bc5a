import { useState } from 'react'
import { useSession } from '../api/use-session.ts'
import { useScope } from '../shell/scope.tsx'
import { useGivenOwners } from './owners.ts'

/** The owner of a new record: the person, unless they choose somebody else. `field` is for a `Select`. */
export function useNewOwner() {
  const { member } = useSession()
  const scope = useScope()
  const access = scope.membership.record_access
  const { owners, mayBeNobody } = useGivenOwners()
  const [chosen, setChosen] = useState<string | null>(null)
  // A person of an agency is no member of its client, and cannot own its records.
  const isMember = owners.some(([id]) => id === member.member_id)
  const value = chosen ?? (isMember ? member.member_id : '')
  const options = owners.map(([id, name]) => [id, id === member.member_id ? `${name} (you)` : name] as const)
  return {
    ownerId: value || null,
    field: {
      label: 'Owner',
      hint: access === 'team' ? 'You can give it to members of your teams.' : undefined,
      value,
      options: mayBeNobody ? [['', 'Nobody'] as const, ...options] : options,
      onChange: setChosen,
    },
  }
}
