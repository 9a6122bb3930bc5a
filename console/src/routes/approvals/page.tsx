import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Approval, ApprovalOutcome } from '../../api/generated/types.ts'
import { Button } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Checkbox } from '../../parts/field.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Tag } from '../../parts/tag.tsx'
import { ExpiryTime } from '../../parts/time.tsx'
import { showToast } from '../../parts/toast.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { approvalsQuery } from '../../shell/approvals-query.ts'
import { Page } from '../../shell/page.tsx'
import { useScope } from '../../shell/scope.tsx'
import { Facts } from './facts.tsx'
import styles from './page.module.css'

/** The calls of apps and programs that wait for this person. */
export function ApprovalsPage() {
  const approvals = useQuery({ ...approvalsQuery(useScope()), refetchInterval: 3_000 })
  return (
    <Page name="Approvals">
      <Loaded query={approvals}>{(waiting) => <Waiting approvals={waiting} />}</Loaded>
    </Page>
  )
}

/** What the person reads about calls that were decided before, or that ended. */
const late = {
  approved_before: 'already approved by somebody else. The app can continue.',
  declined_before: 'already declined by somebody else.',
  expired: 'expired, or the app or key that asked may no longer do this.',
} as const satisfies Partial<Record<ApprovalOutcome, string>>

function Waiting({ approvals }: { approvals: readonly Approval[] }) {
  const scope = useScope()
  const { api } = scope
  const queries = useQueryClient()
  // A call that arrives later starts unchecked: the person might approve it without having seen it.
  const [checked, setChecked] = useState(() => approvals.map(({ effect_id }) => effect_id))
  const chosen = approvals.filter(({ effect_id }) => checked.includes(effect_id))
  const decide = async (approved: boolean) => {
    const effect_ids = chosen.map(({ effect_id }) => effect_id)
    const decided = await api.approvals.decide({ effect_ids, approved })
    const count = (wanted: ApprovalOutcome) => decided.filter(({ outcome }) => outcome === wanted).length
    const done = count(approved ? 'approved' : 'declined')
    if (done > 0) showToast(`${done} ${approved ? 'approved. The app can continue.' : 'declined.'}`)
    for (const [outcome, text] of Object.entries(late)) {
      const n = count(outcome as keyof typeof late)
      if (n > 0) showToast(`${n} ${text}`, 'bad')
    }
    await queries.invalidateQueries(approvalsQuery(scope))
  }
  const approve = useSubmit(() => decide(true))
  const decline = useSubmit(() => decide(false))
  const [last, setLast] = useState<'approve' | 'decline'>('approve')
  // Of the last try alone: a decline that succeeds ends the error of an approval that failed.
  const error = last === 'approve' ? approve.rest : decline.rest
  if (approvals.length === 0)
    return (
      <Empty icon="done" title="Nothing waits for you">
        <p className="two">
          If a connected app wants to place a call, push people to a CRM or install a signature, it waits here
          for 10 minutes. You see only what your role may approve.
        </p>
      </Empty>
    )
  return (
    <section className="pad stack g16" aria-label="Waiting for you">
      <ul>
        {approvals.map((approval) => (
          <li key={approval.effect_id} className={styles.approval}>
            <Checkbox
              aria-label={approval.question}
              checked={checked.includes(approval.effect_id)}
              onChange={(isOn) =>
                setChecked((before) =>
                  isOn
                    ? [...before, approval.effect_id]
                    : before.filter((each) => each !== approval.effect_id),
                )
              }
            >
              <span className="strong">{approval.question}</span>
            </Checkbox>
            <p className="two">
              {approval.asked_by} · <Tag>{approval.mode}</Tag> · expires{' '}
              <ExpiryTime at={approval.expires_at} />
            </p>
            <details>
              <summary className="link">What would happen</summary>
              <Facts facts={approval.facts} />
            </details>
          </li>
        ))}
      </ul>
      {error && <p className="bad">{error}</p>}
      {chosen.length === 0 && <p className="two">Tick what you want to approve or decline.</p>}
      <div className="rail">
        <Button
          kind="main"
          isBusy={approve.isBusy}
          disabled={chosen.length === 0 || decline.isBusy}
          onClick={() => {
            setLast('approve')
            approve.submit()
          }}
        >
          {chosen.length > 1 ? `Approve ${chosen.length}` : 'Approve'}
        </Button>
        <Button
          isBusy={decline.isBusy}
          disabled={chosen.length === 0 || approve.isBusy}
          onClick={() => {
            setLast('decline')
            decline.submit()
          }}
        >
          Decline
        </Button>
      </div>
    </section>
  )
}
