/** Nothing was sent: whatever the request asks for did not happen. The message names no more than the host. */
export class NeverReached extends Error {
  override name = 'NeverReached'
}

/**
 * A later try will fail as well: the address is none of the public internet, or nobody knows its name. Which of the two is
 * in `cause`, for the log alone: otherwise organizations could ask which names exist in the operator's network.
 */
export class AddressRefused extends NeverReached {
  override name = 'AddressRefused'
}

/** The request was sent, or part of it, and no whole answer came: what it asks for may have happened. */
export class AnswerLost extends Error {
  override name = 'AnswerLost'
}
