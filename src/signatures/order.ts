/** A signature to install in a mailbox. */
export type InstallOrder = {
  mailboxId: number
  /** The mailbox's address. */
  email: string
  html: string
  text: string
  /** SHA-256 of the HTML in UTF-8, in hex. */
  sha256: string
  revision: number
  /** The number of this try of the push, from 1. */
  tries: number
}
