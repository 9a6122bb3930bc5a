import { useEffect, useState } from 'react'
import type { Session } from '../api/generated/types.ts'
import { signInApi } from '../api/sign-in-api.ts'
import { ssoAddress } from '../api/sso.ts'
import { useSession } from '../api/use-session.ts'
import { Button } from '../parts/button.tsx'
import { State } from '../parts/state.tsx'

const everyMs = 1_500

/** Confirms at the provider in a separate window, so that this page keeps the typed text. */
export function ConfirmWithSso({
  isMain,
  onConfirmed,
}: {
  isMain: boolean
  onConfirmed: (session: Session) => void
}) {
  const { sso_org_id: orgId } = useSession()
  const [isWaiting, setWaiting] = useState(false)
  useEffect(() => {
    if (!isWaiting) return
    const timer = setInterval(async () => {
      const session = await signInApi.session.get().catch(() => null)
      if (session?.confirmed_until) onConfirmed(session)
    }, everyMs)
    return () => clearInterval(timer)
  }, [isWaiting, onConfirmed])
  if (!orgId) return null
  const open = () => {
    const address = ssoAddress(orgId, { returnTo: '/console/confirmed', confirms: true })
    window.open(address, 'crosswalk-confirm', 'popup,width=520,height=720')
    setWaiting(true)
  }
  return (
    <div className="stack">
      <Button
        kind={isMain ? 'main' : 'plain'}
        icon="globe"
        wide
        tall
        onClick={open}
        data-autofocus={isMain || undefined}
      >
        Confirm with your company account
      </Button>
      {isWaiting && (
        <p role="status">
          <State kind="run">Waiting for the other window</State>
        </p>
      )}
    </div>
  )
}
