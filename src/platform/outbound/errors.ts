/** Nothing was sent, so the request had no effect. The message shows only the host. */
export class NeverReached extends Error {
  override name = 'NeverReached'
}

/**
 * A retry will fail too: the address is private, or the name is unknown. Only `cause`, for the log, says which of the
 * two. Otherwise organizations could find out which names exist in the operator's network.
 */
export class AddressRefused extends NeverReached {
  override name = 'AddressRefused'
}

/** At least a part of the request was sent, but no complete answer came. The request may have had its effect. */
export class AnswerLost extends Error {
  override name = 'AnswerLost'
}
