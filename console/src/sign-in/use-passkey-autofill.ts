import { useEffect, useRef, useState } from 'react'
import { door } from '../api/door.ts'
import type { Session } from '../api/generated/types.ts'
import { offersAutofill, passkeyOfAutofill } from '../api/passkeys.ts'

/** The server accepts an answer for 5 minutes after it made the options. */
const roundMs = 240_000

/**
 * Offers the passkeys of the device in the autofill of the field with `autocomplete="username webauthn"`. After a refused
 * one, the next offer is that of the next round, so that a device which answers by itself makes no loop.
 * @param isWanted false while the person uses another way: a browser asks for one passkey at a time
 * @returns the error of the last passkey that the person chose there; null: there is none
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

/** The session of the passkey that the person chooses; null: there is no offer, or the browser ended it. */
async function offer(signal: AbortSignal): Promise<Session | null> {
  if (!(await offersAutofill())) return null
  const offered = await door.session.passkey.options({ signal }).catch(() => null)
  const credential = offered && (await passkeyOfAutofill(offered.options, signal))
  return credential && door.session.passkey.signIn({ credential })
}
