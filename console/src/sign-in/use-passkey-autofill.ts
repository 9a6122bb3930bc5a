import { useEffect, useRef, useState } from 'react'
import type { Session } from '../api/generated/types.ts'
import { offersAutofill, passkeyFromAutofill } from '../api/passkeys.ts'
import { signInApi } from '../api/sign-in-api.ts'

/** The server accepts an answer up to 5 minutes after it made the options. */
const roundMs = 240_000

/**
 * Offers the device's passkeys in the autofill of the field with `autocomplete="username webauthn"`. After a refusal,
 * the next offer waits until its options are renewed: a device that answers without the person would otherwise loop.
 * @param isWanted false while the person signs in in another way, because a browser asks for one passkey at a time
 * @returns the error of the last chosen passkey; null if there is none
 */
export function usePasskeyAutofill(isWanted: boolean, onSession: (session: Session) => void): unknown {
  const [error, setError] = useState<unknown>(null)
  const [round, setRound] = useState(0)
  const receive = useRef(onSession)
  useEffect(() => {
    receive.current = onSession
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each round makes a new offer
  useEffect(() => {
    if (!isWanted) return setError(null)
    const ending = new AbortController()
    const { signal } = ending
    const timer = setTimeout(() => setRound((before) => before + 1), roundMs)
    offer(signal)
      .then((session) => session && !signal.aborted && receive.current(session))
      .catch((failure: unknown) => {
        if (!signal.aborted) setError(failure)
      })
    return () => {
      clearTimeout(timer)
      ending.abort()
    }
  }, [isWanted, round])
  return error
}

/**
 * Returns the session of the chosen passkey; null if the browser cannot offer passkeys in autofill, or ended the offer.
 */
async function offer(signal: AbortSignal): Promise<Session | null> {
  if (!(await offersAutofill())) return null
  const offered = await signInApi.session.passkey.options({ signal }).catch(() => null)
  const credential = offered && (await passkeyFromAutofill(offered.options, signal))
  return credential && signInApi.session.passkey.signIn({ credential })
}
