import { useEffect } from 'react'
import { useTitle } from '../../shell/use-title.ts'
import { SignInFrame } from '../../sign-in/sign-in-frame.tsx'

/** The last page of a confirmation in a separate window. */
export function ConfirmedPage() {
  useTitle('Confirmed')
  useEffect(() => window.close(), [])
  return <SignInFrame title="You are confirmed" about="Close this window, and go back to the other one." />
}
