/** 404: an id of another organization gets the same answer as an id that does not exist. */
export const notFoundCodes = {
  path_not_found: {
    cause: 'The API has no such path.',
    cure: 'Use the path that the text suggests, or one of `/docs`.',
  },
  object_not_found: {
    cause: 'The organization has no object with the id in the path.',
    cure: 'Check the id, the organization, and the mode of the key.',
  },
  reference_not_found: {
    cause: 'The organization has no object with an id in the path, the query or the body.',
    cure: 'Correct the ids that the text names.',
  },
  invitation_unusable: {
    cause: 'The token of an invitation is mistyped, used, revoked or expired.',
    cure: 'Ask the agency for a new invitation.',
  },
  link_unusable: {
    cause: 'A link for setting up, joining or recovering an account is mistyped, used, revoked or expired.',
    cure: 'Ask the sender for a new link.',
  },
} as const

/** 405, 408, 413 and 431: requests that have an unknown method, come too slowly or are too large. */
export const transportCodes = {
  method_not_allowed: {
    method_not_allowed: {
      cause: 'The path does not support this method.',
      cure: 'Use a method that the `Allow` header lists.',
    },
  },
  timeout: {
    request_timeout: {
      cause: 'The request did not arrive in time: a body may take 30 s.',
      cure: 'Send the request again, or send the data in smaller parts.',
    },
  },
  too_large: {
    body_too_large: {
      cause: 'The body or file is larger than the endpoint accepts. The text gives the limit.',
      cure: 'Send it in parts.',
    },
    answer_too_large: {
      cause: 'The records of the answer would have more than 4 MiB. Nothing was changed.',
      cure: 'Ask for fewer records, or for fewer `fields`. For a batch, use `"return": "id"`.',
    },
  },
  headers_too_large: {
    headers_too_large: {
      cause:
        'The headers and the address together are larger than 16 KiB, or there are more than 100 headers.',
      cure: 'Send fewer or shorter headers.',
    },
  },
} as const

/** 422: `detail` is a list of problems. */
export const unprocessableCodes = {
  validation_failed: {
    cause: 'Values of the request break the rules that `detail` lists with their places.',
    cure: 'Correct each of them.',
  },
  identity_missing: {
    cause:
      'A record would have no name, address, number, domain or external id: such a record could not be identified.',
    cure: 'Send at least one of the fields that the text lists.',
  },
  match_key_missing: {
    cause: 'An item or row has no value for the key of `match_on`.',
    cure: 'Add the value, choose another `match_on`, or create the record without it.',
  },
  idempotency_key_reused: {
    cause: 'The `Idempotency-Key` belongs to a request with another body or query.',
    cure: 'Use a new idempotency key for each request. Only a retry sends the key of its first try.',
  },
} as const

/** Limits of requests, other services, and failures of the server. */
export const limitAndFailureCodes = {
  too_many: {
    sign_in_in_progress: {
      cause: 'The server is checking another password from the same network address.',
      cure: 'Try again after `Retry-After` seconds.',
    },
    sign_in_wait: {
      cause: 'There were several failed sign-ins with this e-mail address.',
      cure: 'Wait for the seconds in `Retry-After`.',
    },
    expensive_query: {
      cause: 'The organization already runs two lists that read many records.',
      cure: 'Wait for the seconds in `Retry-After`, or add a filter that finds fewer records.',
    },
    rate_limit_exceeded: {
      cause: 'The organization, or the address of a client without a key, sent too many requests.',
      cure: 'Wait for `Retry-After` seconds.',
    },
    export_limit_reached: {
      cause:
        'An export of the organization already runs, or the process ran four exports during the whole wait of 20 s.',
      cure: 'Wait for the seconds in `Retry-After`. Send exports of an organization one after another.',
    },
    wait_limit_reached: {
      cause:
        'Ten requests of the organization already wait for events, or 200 requests of all organizations wait in the process.',
      cure: 'Send `wait_seconds=0`, or wait with fewer requests at once.',
    },
    test_limit_reached: {
      cause: 'Three test events of the organization wait for their answers already.',
      cure: 'Wait for one of the answers, at most 15 s.',
    },
    call_cap_reached: {
      cause: 'The organization has reached its cap of running calls.',
      cure: 'Wait until a call ends, or raise `concurrent_call_cap`.',
    },
  },
  internal: {
    internal_error: {
      cause: 'The server failed.',
      cure: 'Report the request id. Send the request again with the same `Idempotency-Key`.',
    },
  },
  bad_gateway: {
    call_refused: {
      cause: 'The provider did not accept the call, and nobody was called.',
      cure: 'Do what the text of the provider says.',
    },
    cancel_unconfirmed: {
      cause: 'The provider did not say whether it canceled the call.',
      cure: 'Try again.',
    },
    crm_unavailable: {
      cause: 'The CRM cannot be reached, or fails.',
      cure: 'Try again later. Jobs retry automatically.',
    },
  },
  unavailable: {
    database_unavailable: {
      cause: 'The database does not answer. Nothing was changed.',
      cure: 'Try again after `Retry-After` seconds.',
    },
    outcome_unknown: {
      cause:
        'The connection to the database broke during the commit: either the whole request took effect, or nothing.',
      cure: 'With an `Idempotency-Key`, send the request again. Without a key, first check whether the request took effect.',
    },
    sign_in_busy: {
      cause: 'Many people sign in at this moment: 30 passwords wait to be checked.',
      cure: 'Try again after `Retry-After` seconds.',
    },
    organization_busy: {
      cause: 'Too many requests of the organization run or wait. Nothing was changed.',
      cure: 'Send fewer requests at a time.',
    },
    answers_unread: {
      cause: 'Too many large answers wait until the clients of the organization read them.',
      cure: 'Read the answers, and try again.',
    },
    server_busy: {
      cause: 'The server has no time or no memory for the request now. Nothing was changed.',
      cure: 'Try again after `Retry-After` seconds.',
    },
    server_stopping: {
      cause: 'The server is stopping. Nothing was changed.',
      cure: 'Send the request again, to another server or in a few seconds.',
    },
  },
} as const
