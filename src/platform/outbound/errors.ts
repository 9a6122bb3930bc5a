/** Nothing was sent: whatever the request asks for did not happen. The message names no more than the host. */
export class NeverReached extends Error {
  override name = 'NeverReached'
}

/** Nor will anything be, however often it is tried: the address is none of the public internet. */
export class AddressRefused extends NeverReached {
  override name = 'AddressRefused'
}

/** The request was sent, or part of it, and no whole answer came: what it asks for may have happened. */
export class AnswerLost extends Error {
  override name = 'AnswerLost'
}
