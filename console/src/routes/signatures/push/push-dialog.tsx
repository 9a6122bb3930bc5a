import type { Mailbox, SignatureRollout, SignatureTemplate } from '../../../../../sdk/src/generated/types.ts'
import { Confirmation } from '../../../parts/confirmation.tsx'
import { count } from '../../../parts/numbers.ts'
import { useScope } from '../../../shell/scope.tsx'

const ways = {
  gmail: 'Gmail changes at once',
  manual: 'their owners install it from a page',
  sandbox: 'only the sandbox changes',
} as const

/** Names how many mailboxes a push changes, and in which way. */
export function PushDialog({
  template: { template_id, name, version, mailboxes },
  users,
  onClose,
  onPushed,
}: {
  template: SignatureTemplate
  /** The known mailboxes of the template. */
  users: readonly Mailbox[]
  onClose: () => void
  onPushed: (rollout: SignatureRollout) => void
}) {
  const { api, mode } = useScope()
  const numbers = (['gmail', 'manual', 'sandbox'] as const)
    .map((provider) => ({ provider, number: users.filter((one) => one.provider === provider).length }))
    .filter(({ number }) => number > 0)
  return (
    <Confirmation
      title={`Push “${name}” to ${mailboxWords(mailboxes)}?`}
      act={`Push to ${mailboxWords(mailboxes)}`}
      isSafe
      work={() => api.signatures.templates.push(template_id, { version })}
      onClose={onClose}
      onDone={onPushed}
    >
      <p>Version {count(version)} replaces the signature that is installed now.</p>
      {mode === 'test' ? (
        <p>In test mode, only the sandbox changes.</p>
      ) : (
        <ul>
          {numbers.map(({ provider, number }) => (
            <li key={provider}>
              {mailboxWords(number)}: {ways[provider]}
            </li>
          ))}
        </ul>
      )}
    </Confirmation>
  )
}

export const mailboxWords = (number: number): string =>
  number === 1 ? '1 mailbox' : `${count(number)} mailboxes`
