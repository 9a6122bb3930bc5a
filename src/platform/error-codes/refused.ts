/** 400: the request is readable, but it asks for something that cannot be done. */
export const invalidCodes = {
  malformed_request: {
    cause: 'The bytes are not a well-formed HTTP/1.1 request.',
    cure: 'Use an HTTP library.',
  },
  body_not_utf8: {
    cause: 'The body is not UTF-8, or it begins with a byte order mark.',
    cure: 'Encode the JSON as UTF-8, without a byte order mark.',
  },
  body_incomplete: {
    cause: 'The connection broke before the body was complete.',
    cure: 'Send the request again.',
  },
  query_too_slow: {
    cause:
      'The list has so many conditions, or the organization so many records, that the database stopped the request after 15 s. A report is stopped after 15 s, and a funnel after 10 s.',
    cure: 'Send fewer conditions, add a filter that has an index, or search for longer words. For a report or a funnel, send a shorter range.',
  },
  cursor_too_old: {
    cause:
      'Events after the cursor of the event feed were deleted before they were read: the operator keeps them for a limited time (`EVENT_RETENTION_DAYS`).',
    cure: 'Read the records again. Then continue the feed with `since`, or without a cursor.',
  },
  header_misspelled: {
    cause: 'A header looks like a misspelled header of this API, such as `X-Target-Org`.',
    cure: 'Send the header that the text names, or leave it out.',
  },
  target_org_empty: {
    cause:
      'An agency key sent `X-Target-Org-Id` with an empty value, as a script does if its variable is not set.',
    cure: 'Send the id of a client, or leave the header out to act on the agency itself.',
  },
  agency_required: {
    cause: 'The request asks for an agency key, and the organization is not an agency.',
    cure: 'Leave `is_agency` out, or ask the operator to make the organization an agency.',
  },
  passkey_needs_host_name: {
    cause:
      'In the console: a passkey was requested at an IP address. Browsers create no passkeys for IP addresses.',
    cure: 'Open the console at its host name, or at `http://localhost`.',
  },
  org_id_missing: {
    cause: 'In the console: the request names no organization.',
    cure: 'Send `X-Org-Id`.',
  },
  mode_unknown: {
    cause: 'In the console: `X-Mode` is neither `live` nor `test`.',
    cure: 'Send one of the two, or leave the header out for `live`.',
  },
  close_reason_archived: {
    cause: 'The close reason that a deal names is archived.',
    cure: 'Restore the close reason, or send another one.',
  },
  close_reason_unfit: {
    cause: 'The close reason is for deals of the other outcome.',
    cure: 'Send a close reason with the `outcome` of the deal, or `any`.',
  },
  phone_number_invalid: {
    cause: 'The number to call is malformed, not in use, or a premium number.',
    cure: 'Send the number in the form that the text shows, or allow premium numbers in the voice settings.',
  },
  consent_denied: {
    cause: 'A contact with this number denied consent to phone calls.',
    cure: 'Do not call. If the person agrees later, record the consent on each such contact.',
  },
  number_suppressed: {
    cause: 'The number is on the suppression list.',
    cure: 'Do not call. `GET /voice/suppressions?number=…` shows the entry.',
  },
  from_number_unusable: {
    cause:
      'The organization has several numbers and the call names none, or the organization lacks the number that the call names.',
    cure: 'Send one of the numbers of `GET /voice/numbers`, or add one.',
  },
  outside_calling_hours: {
    cause: 'In the time zone of the callee, it is outside the calling hours of the organization.',
    cure: 'Call after the time that the text gives.',
  },
  persona_archived: {
    cause: 'The persona of a call is archived.',
    cure: 'Restore the persona, or send another one.',
  },
  provider_not_configured: {
    cause: 'The credentials of the provider are missing, or the server cannot read them.',
    cure: 'Enter the credentials in the settings of calls or signatures.',
  },
  events_unreadable: {
    cause: 'A tracking client sent a body that is not JSON, is not valid gzip, or has no list of events.',
    cure: 'Send one event as a JSON object, or `{"batch": [events]}`, with gzip or without an encoding.',
  },
  events_too_large: {
    cause: 'A tracking client sent more than 2,500 events, or more than 4 MiB when inflated.',
    cure: 'Send fewer events at a time.',
  },
  callback_unreadable: {
    cause: 'The body of a callback does not have the form of its provider.',
    cure: 'Only providers of calls send callbacks. Check the address in their settings.',
  },
} as const

/** 401: the server cannot find out who sent the request. */
export const unauthenticatedCodes = {
  api_key_missing: {
    cause: 'The request has no `Authorization` header.',
    cure: 'Send `Authorization: Bearer <api_key>`.',
  },
  authorization_malformed: {
    cause: 'The `Authorization` header does not have the form `Bearer <api_key>`.',
    cure: 'Send `Authorization: Bearer <api_key>`.',
  },
  authorization_repeated: {
    cause: 'The `Authorization` header comes more than once.',
    cure: 'Send it once.',
  },
  jwt_not_accepted: {
    cause: 'The token is a JWT.',
    cure: 'Send an API key of the organization.',
  },
  api_key_mistyped: {
    cause: 'The length or the checksum of the API key is wrong: a part is missing or changed.',
    cure: 'Copy the whole key again.',
  },
  api_key_unknown: {
    cause: 'No such API key exists, or it was deleted or rotated.',
    cure: 'Use another key of the organization.',
  },
  api_key_expired: {
    cause: 'The API key has expired, or its grace period after a rotation is over.',
    cure: 'Use its successor, or create another key.',
  },
  api_key_orphaned: {
    cause: 'The organization of the API key does not exist any more.',
    cure: 'Use a key of an existing organization.',
  },
  write_key_missing: {
    cause: 'A tracking client sent no key.',
    cure: 'Send the write key as `writeKey`, or in `Authorization: Basic`.',
  },
  write_key_unknown: {
    cause: 'The key of a tracking client is mistyped, deleted or expired.',
    cure: 'Use a write key of `GET /write-keys`, or an API key with `tracking:write`.',
  },
  sign_in_failed: {
    cause: 'The e-mail address, the password or the code is wrong.',
    cure: 'Try again, or ask an owner or admin of the organization for a recovery link.',
  },
  app_disconnected: {
    cause: 'In a tool call: the app was disconnected, or its person is no longer a member.',
    cure: 'Connect the app again.',
  },
  session_ended: {
    cause: 'In the console: nobody is signed in, or the session expired or was ended.',
    cure: 'Sign in again.',
  },
} as const

/** 402: the organization must pay before it can do this. */
export const paymentRequiredCodes = {
  voice_subscription_inactive: {
    cause: 'The voice subscription of the organization is not active.',
    cure: 'Ask the operator of this installation to activate it.',
  },
  voice_minutes_used_up: {
    cause: 'The organization has no minutes left in this month.',
    cure: 'Wait for the next month, or ask the operator for more minutes.',
  },
} as const

/** 403: the caller is known, but lacks the permission. */
export const forbiddenCodes = {
  org_id_mismatch: {
    cause: '`X-Org-Id` does not name the organization of the API key.',
    cure: 'Leave the header out, or use a key of that organization.',
  },
  client_not_linked: {
    cause: '`X-Target-Org-Id` names an organization that is not, or is no longer, a client of the agency.',
    cure: 'Use an id of `GET /agency/clients`, or link the client again.',
  },
  permission_missing: {
    cause: 'The API key, or the role of the member, lacks a permission that the text names.',
    cure: 'Use a key that has it, or ask an owner or admin of the organization.',
  },
  permission_not_grantable: {
    cause: 'The new key would have more permissions than the key that makes it.',
    cure: 'Ask for permissions that this key has, or use a key with more permissions.',
  },
  agency_key_required: {
    cause: 'Only an agency key may do this.',
    cure: 'Create a key with `is_agency: true` in the organization of the agency.',
  },
  own_organization_required: {
    cause: '`X-Target-Org-Id` names a client, but the endpoint acts only on the organization of the key.',
    cure: 'Leave the header out, and use a key of the organization on which you want to act.',
  },
  console_needs_tls: {
    cause: 'The console is opened over plain HTTP from another machine.',
    cure: 'Use https. Behind a proxy, set `PUBLIC_URL` or `TRUST_PROXY`.',
  },
  cross_site_request: {
    cause: 'Another site sent the request with the cookie of the console.',
    cure: 'Use the console itself, or an API key.',
  },
  membership_missing: {
    cause: 'In the console: `X-Org-Id` names an organization that the member cannot act on.',
    cure: 'Use an organization that the session lists.',
  },
  confirmation_required: {
    cause:
      'In the console: the person must confirm their identity, and their last confirmation is older than 10 minutes.',
    cure: 'Confirm in one of the ways that `confirm` lists, and send the request again.',
  },
  role_too_low: {
    cause:
      'Only an owner may change owners, manage single sign-on or cut the link to an agency, and nobody may give more rights than they have. An agency, or a key that it made, can neither cut the link of another agency nor accept its invitation.',
    cure: 'Ask an owner of the organization.',
  },
  record_access_limited: {
    cause:
      'The member sees only their own records, or only the records of their teams. The request needs other records, or gives a record to somebody else.',
    cure: 'Ask an owner or admin of the organization, who can change the record access of members.',
  },
  sso_required: {
    cause: 'In the console: the organization requires single sign-on, and the member signed in another way.',
    cure: 'Sign in with single sign-on. `sso` lists the organizations.',
  },
  sso_session_limited: {
    cause:
      'In the console: the session of single sign-on reaches only one organization, but the request concerns all organizations of the member.',
    cure: 'Sign in with the password or a passkey.',
  },
  recovery_by_operator: {
    cause: 'The member is in other organizations too, so one organization cannot recover the account.',
    cure: 'Ask the operator of this installation for a recovery link.',
  },
  not_in_sandbox: {
    cause: 'A sandbox cannot have live keys or sandboxes, and cannot be an agency or a client.',
    cure: 'Use the organization that created the sandbox.',
  },
  metrics_token_required: {
    cause: 'The request for `/metrics` comes from another machine, or has no valid token.',
    cure: 'Set `METRICS_TOKEN`, and send `Authorization: Bearer <METRICS_TOKEN>`.',
  },
  origin_not_allowed: {
    cause: 'A site sent events with a write key whose `origins` do not include the site.',
    cure: 'Add the site to the `origins` of the write key.',
  },
  purpose_not_allowed: {
    cause: 'The `purposes` of the write key do not include the calls that were sent.',
    cure: 'Add the purpose to the write key, or use another key.',
  },
  import_needs_api_key: {
    cause: 'A tracking client sent history (`/v1/import`) with a write key.',
    cure: 'Use an API key with `tracking:write`.',
  },
  callback_forged: {
    cause: 'The signature of a callback does not match its body.',
    cure: 'Check the secret with which the provider signs its callbacks.',
  },
} as const
