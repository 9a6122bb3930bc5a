/** A signature to install in a mailbox. */
export type InstallOrder = {
  mailboxId: number
  email: string
  html: string
  text: string
  /** The SHA-256 of the HTML in UTF-8, as hexadecimal digits. */
  sha256: string
  revision: number
  /** The number of this try; the first one is 1. */
  tries: number
}
