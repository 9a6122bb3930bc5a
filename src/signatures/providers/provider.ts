/** A signature to install in a mailbox. */
export type Order = {
  mailboxId: number
  /** The mailbox's address. */
  email: string
  html: string
  text: string
  /** SHA-256 of the HTML in UTF-8, in hex. */
  sha256: string
  revision: number
}

/**
 * What came of it. `later`: nothing was, or may have been, installed, and trying again may help; `installed` has been read
 * back and compared, where the provider has a way to. Messages are for people, and hold no secret.
 */
export type Outcome =
  | { outcome: 'installed' }
  | { outcome: 'manual_pending' }
  | { outcome: 'failed'; message: string }
  | { outcome: 'later'; message: string; afterSeconds?: number }

/** A way to install signatures. Installing the same order twice comes to the same as once. */
export type Provider = {
  install(order: Order, signal: AbortSignal): Promise<Outcome>
}
