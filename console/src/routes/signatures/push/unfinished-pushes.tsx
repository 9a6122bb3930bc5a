import { useQuery } from '@tanstack/react-query'
import type { SignaturePush, SignatureRollout } from '../../../../../sdk/src/generated/types.ts'
import { problemOf } from '../../../api/problem.ts'
import { Button } from '../../../parts/button.tsx'
import { CopyButton } from '../../../parts/copy.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { count } from '../../../parts/numbers.ts'
import { State } from '../../../parts/state.tsx'
import { showToast } from '../../../parts/toast.tsx'
import { useScope } from '../../../shell/scope.tsx'
import { pushState } from '../install-state.ts'
import { mailboxesQuery } from '../mailboxes-query.ts'
import styles from './rollout.module.css'

const shownMax = 100

/** The mailboxes of a rollout whose push failed, or waits for a person. */
export function UnfinishedPushes({
  rolloutId,
  counts: { failed, manual_pending },
  onPushed,
}: {
  rolloutId: string
  counts: SignatureRollout['counts']
  onPushed: () => void
}) {
  const scope = useScope()
  const { orgId, mode, api } = scope
  const { data: known } = useQuery(mailboxesQuery(scope))
  const pushes = useQuery({
    queryKey: ['unfinished-pushes', orgId, mode, rolloutId, failed, manual_pending],
    queryFn: async ({ signal }) => {
      const lists = await Promise.all(
        (['failed', 'manual_pending'] as const).map((status) =>
          api.signatures.pushes.list({ rollout_id: rolloutId, status, limit: shownMax }, { signal }),
        ),
      )
      return lists.flatMap(({ data }) => data)
    },
  })
  const nameOf = (mailboxId: number) =>
    known?.mailboxes.find(({ mailbox_id }) => mailbox_id === mailboxId)?.email ?? `mailbox ${mailboxId}`
  const again = async ({ mailbox_id }: SignaturePush) => {
    try {
      const { version } = await api.signatures.mailboxes.get(mailbox_id)
      await api.signatures.mailboxes.push(mailbox_id, { version })
      showToast(`The signature of ${nameOf(mailbox_id)} is pushed again.`)
    } catch (error) {
      showToast(`${nameOf(mailbox_id)} is not pushed: ${problemOf(error).text}`, 'bad')
    }
    onPushed()
  }
  return (
    <Loaded query={pushes} rows={2}>
      {(found) => (
        <>
          <ul className={styles.pushes}>
            {found.map((push) => (
              <li key={push.push_id}>
                <span className="strong">{nameOf(push.mailbox_id)}</span>
                <State kind={pushState(push.status).kind}>{pushState(push.status).word}</State>
                <span className="grow two">{push.error?.message}</span>
                {push.install_url ? (
                  <CopyButton
                    text={push.install_url}
                    label="Copy the link for its owner"
                    of={nameOf(push.mailbox_id)}
                  />
                ) : (
                  scope.can('signatures:write') && (
                    <Button
                      aria-label={`Push again: ${nameOf(push.mailbox_id)}`}
                      onClick={() => void again(push)}
                    >
                      Push again
                    </Button>
                  )
                )}
              </li>
            ))}
          </ul>
          {failed + manual_pending > found.length && (
            <p className="t12 three">These are {count(found.length)} of them.</p>
          )}
        </>
      )}
    </Loaded>
  )
}
