import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { OfferedTotp } from '../../../api/generated/types.ts'
import { sessionQuery } from '../../../api/session.ts'
import { useSession } from '../../../api/use-session.ts'
import { Button } from '../../../parts/button.tsx'
import { Confirmation } from '../../../parts/confirmation.tsx'
import { Note } from '../../../parts/note.tsx'
import { Section, SectionBody } from '../../../parts/section.tsx'
import { State } from '../../../parts/state.tsx'
import { showToast } from '../../../parts/toast.tsx'
import { useSubmit } from '../../../parts/use-submit.ts'
import { useScope } from '../../../shell/scope.tsx'
import { ActivateDialog } from './activate-dialog.tsx'
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'
import { RecoveryCodesLeft } from './recovery-codes-left.tsx'

type Open =
  | { kind: 'activate'; offer: OfferedTotp }
  | { kind: 'codes'; codes: readonly string[]; areRenewed: boolean }
  | { kind: 'renew' }
  | { kind: 'drop' }

/** The second factor of a sign-in with a password. */
export function AuthenticatorSection() {
  const { api } = useScope()
  const { member } = useSession()
  const queries = useQueryClient()
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const refresh = () => {
    void queries.invalidateQueries(sessionQuery)
    void queries.invalidateQueries({ queryKey: ['sessions'] })
  }
  const { submit, isBusy, rest } = useSubmit(async () => api.session.offerTotp(), {
    onDone: (offer) => setOpen({ kind: 'activate', offer }),
  })
  return (
    <Section
      title="Authenticator app"
      about="After your password, a sign-in asks for a code from an app on your phone. A passkey needs no code."
      act={
        member.has_second_factor ? (
          <>
            <State kind="ok">on</State>
            <Button danger onClick={() => setOpen({ kind: 'drop' })}>
              Turn off
            </Button>
          </>
        ) : (
          <>
            <State kind="off">off</State>
            <Button isBusy={isBusy} onClick={() => submit()}>
              Set up
            </Button>
          </>
        )
      }
    >
      {rest && (
        <SectionBody>
          <Note kind="bad">{rest}</Note>
        </SectionBody>
      )}
      {member.has_second_factor && (
        <SectionBody>
          <RecoveryCodesLeft left={member.recovery_codes} onRenew={() => setOpen({ kind: 'renew' })} />
        </SectionBody>
      )}
      {open?.kind === 'activate' && (
        <ActivateDialog
          offer={open.offer}
          onClose={close}
          onActivated={(codes) => {
            setOpen({ kind: 'codes', codes, areRenewed: false })
            refresh()
          }}
        />
      )}
      {open?.kind === 'codes' && (
        <RecoveryCodesDialog codes={open.codes} areRenewed={open.areRenewed} onClose={close} />
      )}
      {open?.kind === 'renew' && (
        <Confirmation
          title="Make new recovery codes?"
          act="Make new codes"
          isSafe
          showsSecret
          work={async () => api.session.renewRecoveryCodes()}
          onClose={close}
          onDone={({ recovery_codes: codes }) => {
            setOpen({ kind: 'codes', codes, areRenewed: true })
            refresh()
          }}
        >
          <p>You get ten new codes. Your earlier codes stop working. The authenticator app stays as it is.</p>
        </Confirmation>
      )}
      {open?.kind === 'drop' && (
        <Confirmation
          title="Turn the authenticator app off?"
          act="Turn off"
          work={async () => api.session.dropTotp()}
          onClose={close}
          onDone={() => {
            close()
            showToast('The authenticator app is off.')
            refresh()
          }}
        >
          <p>
            Then your password alone signs you in. Your recovery codes stop working. Delete the entry in the
            app afterwards.
          </p>
        </Confirmation>
      )}
    </Section>
  )
}
