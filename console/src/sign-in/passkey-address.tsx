import { localhostAddress } from '../api/passkeys.ts'
import { Note } from '../parts/note.tsx'

/** Shows the address at which passkeys work, if the page's address is an IP address. */
export function PasskeyAddress() {
  const address = localhostAddress()
  return (
    <Note>
      {address ? (
        <>
          Passkeys do not work at {location.hostname}. To use one, open{' '}
          <a className="link" href={address} style={{ textDecoration: 'underline' }}>
            this page at {new URL(address).host}
          </a>
          .
        </>
      ) : (
        <>Passkeys do not work at an IP address. To use one, open Crosswalk by its host name.</>
      )}
    </Note>
  )
}
