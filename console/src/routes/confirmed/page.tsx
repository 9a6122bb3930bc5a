import { useEffect } from 'react'
import { useTitle } from '../../shell/page.tsx'
import { DoorFrame } from '../../sign-in/door-frame.tsx'

/** The last page of a confirmation in a separate window. */
export function ConfirmedPage() {
  useTitle('Confirmed')
  useEffect(() => window.close(), [])
  return <DoorFrame title="You are confirmed" about="Close this window, and go back to the other one." />
}
