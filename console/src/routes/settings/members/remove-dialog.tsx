import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OwnerRecords } from '../../../../../sdk/src/generated/types.ts'
import type { Member } from '../../../api/generated/types.ts'
import { Confirmation } from '../../../parts/confirmation.tsx'
import { Select } from '../../../parts/field.tsx'
import { count } from '../../../parts/numbers.ts'
import { showToast } from '../../../parts/toast.tsx'
import { agenciesQuery } from '../../../queries/agencies.ts'
import { useScope } from '../../../shell/scope.tsx'

const nobody = ''

/** Removes a member, or lets the person leave. The member's records go to somebody else, or to nobody. */
export function RemoveDialog({
  member: { member_id, name },
  others,
  isSelf,
  mayChoose,
  onClose,
  onRemoved,
}: {
  member: Member
  /** The members who can get the records. */
  others: readonly Member[]
  isSelf: boolean
  /** Whether the person may choose who gets the records. */
  mayChoose: boolean
  onClose: () => void
  onRemoved: (memberId: string) => void
}) {
  const scope = useScope()
  const { orgId, api, membership } = scope
  const agencies = useQuery(agenciesQuery(scope))
  const [successor, setSuccessor] = useState(nobody)
  const owned = useQuery({
    queryKey: ['owner', orgId, member_id],
    queryFn: ({ signal }) => api.owners.get(member_id, { signal }),
  })
  const org = membership.org_name
  return (
    <Confirmation
      title={isSelf ? `Leave ${org}?` : `Remove ${name}?`}
      act={isSelf ? 'Leave' : 'Remove'}
      work={async () => api.members.remove(member_id, successor === nobody ? {} : { reassign_to: successor })}
      onClose={onClose}
      onDone={() => {
        showToast(isSelf ? `You left ${org}.` : `${name} is no longer a member.`)
        onRemoved(member_id)
      }}
    >
      <p>
        {isSelf
          ? 'You lose access at once. To come back, you need a new invitation.'
          : `${name} loses access within 2 seconds, in every browser. ${name} can come back with a new invitation, or with single sign-on if it accepts people who are not members.`}
      </p>
      {agencies.data && agencies.data.data.length > 0 && (
        <p>
          People of an agency of {org} need no membership. If {isSelf ? 'you are' : `${name} is`} one of them,{' '}
          {isSelf ? 'you keep' : `${name} keeps`} access, with the role in the agency.
        </p>
      )}
      {membership.is_agency && (
        <p>
          If {isSelf ? 'you are' : `${name} is`} also a member of a client,{' '}
          {isSelf ? 'you keep' : `${name} keeps`} access to that client.
        </p>
      )}
      <p>
        Records and API keys that {isSelf ? 'you' : name} made stay. These API keys work until somebody
        deletes them. {isSelf ? 'Your connected apps' : `Connected apps of ${name}`} stop. Webhook endpoints
        that {isSelf ? 'you' : name} made or changed last get nothing until somebody enables them again.
      </p>
      <p>
        {isSelf ? 'You own' : `${name} owns`} {owned.data ? ownedWords(owned.data) : 'records'}.
      </p>
      {!mayChoose && <p>Nobody owns these records and your open tasks afterwards.</p>}
      {mayChoose && (
        <div style={{ paddingTop: 12 }}>
          <Select
            label="New owner of these records and of open tasks"
            value={successor}
            options={[
              [nobody, 'Nobody'] as const,
              ...others.map((each) => [each.member_id, `${each.name} (${each.email})`] as const),
            ]}
            onChange={setSuccessor}
          />
        </div>
      )}
    </Confirmation>
  )
}

/** For example “12 people, 1 company and no deals”. */
function ownedWords({ contacts, companies, deals }: OwnerRecords): string {
  const words = (n: number | null, one: string, many: string) =>
    n === null ? [] : [n === 0 ? `no ${many}` : `${count(n)} ${n === 1 ? one : many}`]
  const all = [
    ...words(contacts, 'person', 'people'),
    ...words(companies, 'company', 'companies'),
    ...words(deals, 'deal', 'deals'),
  ]
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`
}
