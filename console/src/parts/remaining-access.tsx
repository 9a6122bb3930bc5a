import type { ReactNode } from 'react'
import type { CutAgencyLink } from '../../../sdk/src/generated/types.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

/**
 * Lists the access that a former agency made in its client, and that still works. Both sides get the same words.
 * @param apiPlace where the client deletes API keys
 * @param membersPlace where the client removes members
 */
export const RemainingAccess = ({
  agency,
  client,
  cut: { api_keys, members },
  apiPlace = 'Settings, API',
  membersPlace = 'Settings, Members',
  onClose,
}: {
  agency: string
  client: string
  cut: CutAgencyLink
  apiPlace?: ReactNode
  membersPlace?: ReactNode
  onClose: () => void
}) => (
  <Dialog
    title={`Some access of ${agency} to ${client} remains`}
    onClose={onClose}
    foot={
      <Button kind="main" onClick={onClose} data-autofocus>
        Close
      </Button>
    }
  >
    {api_keys.length > 0 && (
      <div className="stack g4">
        <p className="two">
          These API keys work until somebody in {client} deletes them, under {apiPlace}:
        </p>
        <ul className="stack g4">
          {api_keys.map((key) => (
            <li key={key.api_key_id} className="strong">
              {key.name}
            </li>
          ))}
        </ul>
      </div>
    )}
    {members.length > 0 && (
      <div className="stack g4">
        <p className="two">
          {agency} invited these members. They keep their roles until somebody in {client} removes them, under{' '}
          {membersPlace}:
        </p>
        <ul className="stack g4">
          {members.map((member) => (
            <li key={member.member_id}>
              <span className="strong">{member.name}</span>
              <span className="three">, {member.role}</span>
            </li>
          ))}
        </ul>
      </div>
    )}
  </Dialog>
)
