/** Nothing was sent, so the request had no effect. The message names only the host. */
export class RequestNotSent extends Error {
  override name = 'RequestNotSent'
}

/**
 * A retry fails too: the address is private, or the name is unknown. Only `cause`, for the log, says which one.
 * Otherwise organizations could find out which names exist in the operator's network.
 */
export class AddressRefused extends RequestNotSent {
  override name = 'AddressRefused'
}

/** At least part of the request was sent, but no complete answer came. The request may have had its effect. */
export class AnswerLost extends Error {
  override name = 'AnswerLost'
}
