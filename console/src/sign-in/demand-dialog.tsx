import type { Demand } from '../api/demands.ts'
import { beginSession, queries, sessionQuery } from '../api/session.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { dropGuards } from '../parts/guards.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { SignInForm } from './sign-in-form.tsx'

type Settle = { settle: (met: boolean) => void }

/** Asks the person for what a request demands (api/demands.ts). The page behind keeps the typed text. */
export function DemandDialog({ demand, settle }: Settle & { demand: Demand }) {
  return demand.kind === 'sign-in' ? (
    <SignInAgain settle={settle} />
  ) : (
    <ConfirmDialog ways={demand.ways} settle={settle} />
  )
}

function SignInAgain({ settle }: Settle) {
  const email = queries.getQueryData(sessionQuery.queryKey)?.member.email ?? ''
  const foot = (
    <Button kind="quiet" onClick={() => settle(false)}>
      Not now
    </Button>
  )
  return (
    <Dialog title="You were signed out" onClose={() => settle(false)} foot={foot}>
      <p className="two">Your session ended. Sign in again to continue. What you typed is still here.</p>
      <SignInForm
        email={email}
        onSession={(session) => {
          const isOther = email !== '' && session.member.email !== email
          beginSession(session)
          settle(!isOther)
          if (!isOther) return
          // Reload for another person, who must not see the first person's drafts and data.
          dropGuards()
          location.reload()
        }}
      />
    </Dialog>
  )
}
