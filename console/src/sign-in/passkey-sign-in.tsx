import type { Session } from '../api/generated/types.ts'
import { signWithPasskey } from '../api/passkeys.ts'
import { problemElsewhere } from '../api/problem.ts'
import { signInApi } from '../api/sign-in-api.ts'
import { ssoOffers } from '../api/sso.ts'
import { Button } from '../parts/button.tsx'
import { Note } from '../parts/note.tsx'
import { useSubmit } from '../parts/use-submit.ts'
import { SsoOffers } from './sso-offers.tsx'
import { usePasskeyAutofill } from './use-passkey-autofill.ts'

/** Signs a person in with a passkey: at a click, or in the autofill of the e-mail field. */
export function PasskeySignIn({ onSession }: { onSession: (session: Session) => void }) {
  const { submit, isBusy, rest, error } = useSubmit(
    async () => {
      const { options } = await signInApi.session.passkey.options()
      return signInApi.session.passkey.signIn({ credential: await signWithPasskey(options) })
    },
    { onDone: onSession },
  )
  const autofillError = usePasskeyAutofill(!isBusy, onSession)
  const fault = rest ?? problemElsewhere(autofillError, [])
  return (
    <div className="stack">
      <Button
        kind="main"
        icon="passkey"
        wide
        tall
        isBusy={isBusy}
        onClick={() => submit()}
        autoFocus
        data-autofocus
      >
        Continue with a passkey
      </Button>
      <p className="t12 three">Your fingerprint, face or device PIN. There is nothing to remember.</p>
      {fault && <Note kind="bad">{fault}</Note>}
      <SsoOffers offers={ssoOffers(error ?? autofillError)} />
    </div>
  )
}
