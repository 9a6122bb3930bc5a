import type { Member } from '../../../api/generated/types.ts'
import { Initials } from '../../../parts/initials.tsx'
import { MenuButton } from '../../../parts/menu.tsx'
import { State } from '../../../parts/state.tsx'
import { RowActions } from '../../../parts/table.tsx'
import { Tag } from '../../../parts/tag.tsx'
import { Time } from '../../../parts/time.tsx'
import { nameOfAccess, roleName } from './roles.ts'

/** Shows one member. @param onOpen null: the role of the person may not change this member */
export function MemberRow({
  member,
  isSelf,
  onOpen,
}: {
  member: Member
  isSelf: boolean
  onOpen: ((kind: 'change' | 'recovery' | 'remove') => void) | null
}) {
  const { name, email, role, permissions, record_access, has_second_factor, seen_at, invited_by_org_id } =
    member
  return (
    <tr>
      <th scope="row">
        <span className="rail">
          <Initials name={name} />
          <span className="cut" title={email}>
            {name}
          </span>
          {isSelf && <Tag>you</Tag>}
        </span>
        {invited_by_org_id && <p className="t12 three cut">invited by an agency</p>}
      </th>
      <td className="opt" title={email}>
        {email}
      </td>
      <td title={permissions?.join(', ')}>
        {roleName(role)}
        {permissions && <span className="three">, limited</span>}
        {record_access !== 'all' && <p className="t12 three cut">{nameOfAccess(record_access)}</p>}
      </td>
      <td className="opt">
        {has_second_factor ? <State kind="ok">on</State> : <State kind="off">off</State>}
      </td>
      <td className="opt">
        <Time at={seen_at} never="signed out" />
      </td>
      <td>
        {onOpen && (
          <RowActions>
            <MenuButton
              label={`Actions for ${name}`}
              acts={[
                { name: 'Change role', icon: 'settings', run: () => onOpen('change') },
                ...(isSelf
                  ? []
                  : [{ name: 'Recovery link', icon: 'key', run: () => onOpen('recovery') } as const]),
                {
                  name: isSelf ? 'Leave the organization' : 'Remove',
                  icon: 'trash',
                  danger: true,
                  run: () => onOpen('remove'),
                },
              ]}
            />
          </RowActions>
        )}
      </td>
    </tr>
  )
}
