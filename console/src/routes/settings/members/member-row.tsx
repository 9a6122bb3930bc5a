import type { Member } from '../../../api/generated/types.ts'
import { Initials } from '../../../parts/initials.tsx'
import { type MenuAction, MenuButton } from '../../../parts/menu.tsx'
import { State } from '../../../parts/state.tsx'
import { RowActions } from '../../../parts/table.tsx'
import { Tag } from '../../../parts/tag.tsx'
import { Time } from '../../../parts/time.tsx'
import { nameOfAccess, roleName } from './roles.ts'

const bin = { icon: 'trash', danger: true } as const

/** Shows one member. @param onOpen null: the role of the person may not change this member. Each person can leave. */
export function MemberRow({
  member,
  isSelf,
  onOpen,
  onLeave,
}: {
  member: Member
  isSelf: boolean
  onOpen: ((kind: 'change' | 'recovery' | 'remove') => void) | null
  onLeave: () => void
}) {
  const { name, email, role, permissions, record_access, has_second_factor, seen_at, invited_by_org_id } =
    member
  const acts: MenuAction[] = [
    ...(onOpen ? [{ name: 'Change role', icon: 'settings', run: () => onOpen('change') } as const] : []),
    ...(onOpen && !isSelf
      ? [{ name: 'Recovery link', icon: 'key', run: () => onOpen('recovery') } as const]
      : []),
    ...(onOpen && !isSelf ? [{ ...bin, name: 'Remove', run: () => onOpen('remove') }] : []),
    ...(isSelf ? [{ ...bin, name: 'Leave the organization', run: onLeave }] : []),
  ]
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
        {acts.length > 0 && (
          <RowActions>
            <MenuButton label={`Actions for ${name}`} acts={acts} />
          </RowActions>
        )}
      </td>
    </tr>
  )
}
