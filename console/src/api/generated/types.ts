// Written by `npm run generate`. Do not edit.

export type Problem = {
  /** The problem, and how to solve it. */
  detail: string
  /** The problem, for programs. */
  code: ErrorCode
}

export type ErrorCode = 'malformed_request' | 'body_not_utf8' | 'body_incomplete' | 'query_too_slow' | 'cursor_too_old' | 'header_misspelled' | 'target_org_empty' | 'agency_required' | 'passkey_needs_host_name' | 'org_id_missing' | 'mode_unknown' | 'close_reason_archived' | 'close_reason_unfit' | 'phone_number_invalid' | 'consent_denied' | 'number_suppressed' | 'from_number_unusable' | 'outside_calling_hours' | 'persona_archived' | 'provider_not_configured' | 'events_unreadable' | 'events_too_large' | 'callback_unreadable' | 'api_key_missing' | 'authorization_malformed' | 'authorization_repeated' | 'jwt_not_accepted' | 'api_key_mistyped' | 'api_key_unknown' | 'api_key_expired' | 'api_key_orphaned' | 'write_key_missing' | 'write_key_unknown' | 'sign_in_failed' | 'app_disconnected' | 'session_ended' | 'voice_subscription_inactive' | 'voice_minutes_used_up' | 'org_id_mismatch' | 'client_not_linked' | 'permission_missing' | 'permission_not_grantable' | 'agency_key_required' | 'own_organization_required' | 'console_needs_tls' | 'cross_site_request' | 'membership_missing' | 'confirmation_required' | 'role_too_low' | 'record_access_limited' | 'sso_required' | 'sso_session_limited' | 'recovery_by_operator' | 'not_in_sandbox' | 'metrics_token_required' | 'origin_not_allowed' | 'purpose_not_allowed' | 'import_needs_api_key' | 'callback_forged' | 'path_not_found' | 'object_not_found' | 'reference_not_found' | 'invitation_unusable' | 'link_unusable' | 'method_not_allowed' | 'request_timeout' | 'body_too_large' | 'answer_too_large' | 'headers_too_large' | 'field_exists' | 'field_values_unfit' | 'field_converting' | 'field_values_repeated' | 'value_taken' | 'import_running' | 'version_conflict' | 'record_archived' | 'ambiguous_match' | 'record_hidden' | 'references_moving' | 'last_owner' | 'sso_untested' | 'last_sign_in_way' | 'member_exists' | 'limit_reached' | 'rotation_pending' | 'endpoint_disabled' | 'organization_deleted' | 'mode_mismatch' | 'idempotency_key_in_use' | 'idempotency_answer_erased' | 'idempotency_answer_sealed' | 'api_key_already_rotated' | 'rotation_after_expiry' | 'invitation_accepted' | 'own_invitation' | 'client_already_linked' | 'deal_already_closed' | 'stage_in_use' | 'import_not_revertible' | 'detection_off' | 'proposal_closed' | 'record_merged' | 'verdict_different' | 'merge_not_applied' | 'merge_already_undone' | 'merge_not_undone' | 'merge_too_large' | 'merge_erased' | 'undo_expired' | 'number_exists' | 'call_ended' | 'call_not_confirmed' | 'call_not_cancelable' | 'mailbox_exists' | 'template_missing' | 'template_invalid' | 'template_in_use' | 'submission_reverted' | 'call_back_request_decided' | 'call_back_request_expired' | 'call_back_request_other_mode' | 'form_has_submissions' | 'segment_in_use' | 'template_unused' | 'job_not_ended' | 'job_already_ended' | 'job_refused' | 'nothing_to_retry' | 'validation_failed' | 'identity_missing' | 'match_key_missing' | 'idempotency_key_reused' | 'sign_in_in_progress' | 'sign_in_wait' | 'expensive_query' | 'rate_limit_exceeded' | 'export_limit_reached' | 'wait_limit_reached' | 'test_limit_reached' | 'call_cap_reached' | 'internal_error' | 'call_refused' | 'cancel_unconfirmed' | 'crm_unavailable' | 'database_unavailable' | 'outcome_unknown' | 'sign_in_busy' | 'organization_busy' | 'answers_unread' | 'server_busy' | 'server_stopping' | 'row_unreadable' | 'record_exists' | 'file_unusable' | 'mapping_unusable' | 'nothing_imported' | 'interrupted' | 'sender_removed' | 'filter_unusable' | 'revert_failed' | 'mailbox_deleted' | 'provider_refused' | 'provider_unavailable' | 'call_never_dialed' | 'call_end_unknown' | 'call_result_unknown' | 'access_refused' | 'crm_unusable' | 'not_reachable' | 'merged' | 'duplicate' | 'refused' | 'not_tried'

export type ValidationCode = 'validation_failed' | 'identity_missing' | 'match_key_missing' | 'idempotency_key_reused'

export type ValidationError = {
  /** All problems of the request, at most 1,000. */
  detail: ValidationDetail[]
  /** The kind of problem, for programs. */
  code: ValidationCode
}

export type ValidationDetail = {
  /** The validation rule that the input violates. */
  type: string
  /** The place: `path`, `query`, `header` or `body`, and the names and positions within it. */
  loc: (string | number)[]
  /** A sentence that describes the problem. */
  msg: string
  /** Values that explain the problem, such as the limit. */
  ctx?: { [member: string]: unknown } | undefined
}

export type SignedInMember = {
  /** The id of the member. */
  member_id: string
  /** The e-mail address of the member. */
  email: string
  /** The name of the member. */
  name: string
  /** Whether the member has a second factor. */
  has_second_factor: boolean
  /** How many recovery codes are left. */
  recovery_codes: number
  /** Whether the member has a password. */
  has_password: boolean
  /** How many passkeys the member has. */
  passkeys: number
}

export type SsoOrganization = {
  /** The id of the organization. */
  org_id: string
  /** The name of the organization. */
  org_name: string
}

export type Role = 'owner' | 'admin' | 'member' | 'viewer'

export type MembershipVia = 'member' | 'agency' | 'sandbox'

export type RecordAccess = 'all' | 'team' | 'own'

export type Membership = {
  /** The id of the organization. */
  org_id: string
  /** The name of the organization. */
  org_name: string
  /** What the member may do. */
  role: Role
  /** Why the member may act on the organization: as its member, as a member of its agency, or of the organization that made the sandbox. */
  via: MembershipVia
  /** What the member may do in the organization; null: everything. */
  permissions: string[] | null
  /** The contacts, companies and deals that the member sees. `all`: all records. `team`: the records that the member or members of the same teams own. `own`: the records that the member owns. */
  record_access: RecordAccess
  /** True if the member can read and link the clients of the organization. */
  is_agency: boolean
}

export type Session = {
  /** The id of this session. */
  session_id: string
  /** The member who is signed in. */
  member: SignedInMember
  /** The ways to send the missing second factor; empty: none is missing. */
  second_factor: string[]
  /** After single sign-on, the only organization that this session reaches; null: the session reaches all organizations of the member. */
  sso_org_id: string | null
  /** The organizations of the member that only single sign-on reaches. */
  sso_required: SsoOrganization[]
  /** The organizations on which the member can act. */
  memberships: Membership[]
  /** The time until which the person need not confirm their identity again; null: they must confirm it first. */
  confirmed_until: number | null
  /** When the session ends. */
  expires_at: number
}

export type SignIn = {
  /** The e-mail address with which the person signs in. */
  email: string
  /** The password. */
  password: string
}

export type ConfirmSession = {
  /** The password. */
  password?: string | undefined
  /** The answer of the browser to the options: AuthenticationResponseJSON of WebAuthn, unchanged. */
  passkey?: { [member: string]: unknown } | undefined
}

export type ChangePassword = {
  /** The current password. Only a person without a password leaves it out. */
  password?: string | undefined
  /** The new password. */
  new_password: string
}

export type SessionEntry = {
  /** The id of the session. */
  session_id: string
  /** The browser, as its User-Agent header describes it. */
  user_agent: string
  /** Whether it is the session of this request. */
  is_current: boolean
  /** When the member signed in. */
  created_at: number
  /** The last use, to the hour. */
  seen_at: number
  /** When the session ends at the latest. */
  expires_at: number
}

export type PasskeyOptions = {
  /** The options for navigator.credentials, as JSON of WebAuthn. Their challenge works once, for 5 minutes. */
  options: { [member: string]: unknown }
}

export type UsePasskey = {
  /** The answer of the browser to the options: AuthenticationResponseJSON of WebAuthn, unchanged. */
  credential: { [member: string]: unknown }
}

export type Passkey = {
  /** The id of the passkey. */
  passkey_id: string
  /** The name of the passkey. */
  name: string
  /** The host at which the passkey works. */
  host: string
  /** Whether the passkey is copied to other devices of the person. */
  is_synced: boolean
  /** When the passkey was added. */
  created_at: number
  /** The last sign-in or confirmation with the passkey; null: none. */
  used_at: number | null
}

export type AddPasskey = {
  /** The name of the passkey, such as the name of the device. */
  name: string
  /** The answer of the browser to the options: RegistrationResponseJSON of WebAuthn, unchanged. */
  credential: { [member: string]: unknown }
}

export type RenamePasskey = {
  /** The name of the passkey, such as the name of the device. */
  name: string
}

export type SecondFactor = {
  /** The code that the app shows, or a recovery code. */
  code: string
}

export type OfferedTotp = {
  /** The secret, to type into the app. */
  secret: string
  /** The secret as an address, for a QR code. */
  url: string
}

export type ActivateTotp = {
  /** The secret that the server offered. */
  secret: string
  /** The code that the app shows. */
  code: string
}

export type RecoveryCodes = {
  /** Ten codes, shown only in this answer. Each code replaces the app once. */
  recovery_codes: string[]
}

export type OpenLink = {
  /** The part of the link after the #. */
  token: string
}

export type LinkKind = 'set_up' | 'invite' | 'recovery'

export type OpenedLink = {
  /** The purpose of the link. */
  kind: LinkKind
  /** The e-mail address that the link is for; null: the person gives it. */
  email: string | null
  /** What the member may do. */
  role: Role
  /** The name of the organization; null: the person names a new one. */
  org_name: string | null
  /** Whether the person has an account, and sends its password. */
  has_account: boolean
  /** The organization, if it requires single sign-on for the address of the invitation; null: it does not. */
  sso_org_id: string | null
}

export type OfferLinkPasskey = {
  /** The part of the link after the #. */
  token: string
  /** The e-mail address of the person. Only set-up links need it. */
  email?: string | undefined
  /** The name of the person. Only a new account needs it. */
  name?: string | undefined
}

export type UseLink = {
  /** The part of the link after the #. */
  token: string
  /** The e-mail address of the person. Only set-up links need it. */
  email?: string | undefined
  /** The name of the person. Only a new account needs it. */
  name?: string | undefined
  /** The password of the account if the person has one, otherwise a new password. */
  password?: string | undefined
  /** A new passkey in place of a new password: the answer of the browser to the options, unchanged. */
  passkey?: { [member: string]: unknown } | undefined
  /** The name of the new passkey, such as the name of the device. */
  passkey_name?: string | undefined
  /** The name of the new organization, if `org_name` of the opened link is null. */
  org_name?: string | undefined
}

export type UsedLink = {
  /** The id of this session. */
  session_id: string
  /** The member who is signed in. */
  member: SignedInMember
  /** The ways to send the missing second factor; empty: none is missing. */
  second_factor: string[]
  /** After single sign-on, the only organization that this session reaches; null: the session reaches all organizations of the member. */
  sso_org_id: string | null
  /** The organizations of the member that only single sign-on reaches. */
  sso_required: SsoOrganization[]
  /** The organizations on which the member can act. */
  memberships: Membership[]
  /** The time until which the person need not confirm their identity again; null: they must confirm it first. */
  confirmed_until: number | null
  /** When the session ends. */
  expires_at: number
  /** The organization to which the link led. */
  link_org_id: string
}

export type InviteMember = {
  /** The e-mail address with which the person signs in. */
  email: string
  /** What the member may do. */
  role: Role
  /** The contacts, companies and deals that the member sees. `all`: all records. `team`: the records that the member or members of the same teams own. `own`: the records that the member owns. Owners and admins see all. */
  record_access?: RecordAccess | undefined
}

export type MadeLink = {
  /** The id of the link. */
  link_id: string
  /** The link, shown only in this answer. Send it to the person yourself. */
  url: string
  /** When the link stops working. */
  expires_at: number
}

export type OfferRecovery = {
  /** The id of the member. */
  member_id: string
}

export type PendingLink = {
  /** The id of the link. */
  link_id: string
  /** The purpose of the link. */
  kind: LinkKind
  /** The e-mail address that the link is for; null: the person gives it. */
  email: string | null
  /** What the member may do. */
  role: Role
  /** The contacts, companies and deals that the member sees. `all`: all records. `team`: the records that the member or members of the same teams own. `own`: the records that the member owns. */
  record_access: RecordAccess
  /** When the link was created. */
  created_at: number
  /** When the link stops working. */
  expires_at: number
}

export type Member = {
  /** The id of the member. */
  member_id: string
  /** The e-mail address of the member. */
  email: string
  /** The name of the member. */
  name: string
  /** What the member may do. */
  role: Role
  /** Permissions; null: all of the role. */
  permissions: string[] | null
  /** The contacts, companies and deals that the member sees. `all`: all records. `team`: the records that the member or members of the same teams own. `own`: the records that the member owns. */
  record_access: RecordAccess
  /** Whether the member has a second factor. */
  has_second_factor: boolean
  /** The last use of the console, to the hour; null: signed out. */
  seen_at: number | null
  /** The agency whose people invited the member; null: no agency. */
  invited_by_org_id: string | null
  /** When the person became a member. */
  created_at: number
  /** A number that rises with every change. Send it in If-Match, and the server refuses your change if the object has changed since. */
  version: number
}

export type UpdateMember = {
  /** What the member may do. */
  role?: Role | undefined
  /** Narrows the role; null: the whole role. A new role has no limits of its own. */
  permissions?: string[] | null | undefined
  /** The contacts, companies and deals that the member sees. `all`: all records. `team`: the records that the member or members of the same teams own. `own`: the records that the member owns. Owners and admins see all. */
  record_access?: RecordAccess | undefined
}

export type Team = {
  /** The id of the team. */
  team_id: string
  /** The name of the team. */
  name: string
  /** The members of the team. */
  member_ids: string[]
  /** A number that rises with every change. Send it in If-Match, and the server refuses your change if the object has changed since. */
  version: number
  /** When the team was created. */
  created_at: number
}

export type CreateTeam = {
  /** The name of the team. */
  name: string
  /** All members of the team. */
  member_ids?: string[] | undefined
}

export type UpdateTeam = {
  /** The name of the team. */
  name?: string | undefined
  /** All members of the team. */
  member_ids?: string[] | undefined
}

export type NewcomerRole = 'admin' | 'member' | 'viewer'

export type SsoConnection = {
  /** The issuer of the OpenID provider. */
  issuer: string
  /** The id of Crosswalk at the provider. */
  client_id: string
  /** The domains of the e-mail addresses that may sign in. */
  domains: string[]
  /** The role of people who are not members yet; null: they are refused. */
  newcomer_role: NewcomerRole | null
  /** Whether people of the domains reach the organization only with single sign-on. */
  is_required: boolean
  /** Whether somebody signed in with this client of the provider. */
  is_tested: boolean
  /** A number that rises with every change. Send it in If-Match, and the server refuses your change if the object has changed since. */
  version: number
  /** When the settings changed last. */
  updated_at: number
}

export type Sso = {
  /** The address to register at the provider. */
  redirect_uri: string
  /** The address at which people of the organization sign in. */
  sign_in_url: string
  /** The provider; null: there is none. */
  connection: SsoConnection | null
}

export type PutSso = {
  /** The issuer of the OpenID provider, exactly as it names itself. */
  issuer: string
  /** The id of Crosswalk at the provider. */
  client_id: string
  /** The client secret from the provider. Needed for a new issuer or client id. Never shown. */
  client_secret?: string | undefined
  /** The domains of the e-mail addresses that may sign in. */
  domains: string[]
  /** The role of people who are not members yet; null: only members and invited people may sign in. */
  newcomer_role: 'admin' | 'member' | 'viewer' | null
  /** Whether people of the domains reach the organization only with single sign-on. */
  is_required: boolean
}

export type ConsentClientKind = 'verified' | 'unknown' | 'on_this_computer'

export type ConsentOrganization = {
  /** The organization. */
  org_id: string
  /** The name of the organization. */
  org_name: string
  /** The permissions that the person may give to the app there. */
  permissions: string[]
}

export type Consent = {
  /** The name that the app gives itself. */
  client_name: string
  /** The host that proves the name of the app; without proof, the host to which the browser returns. */
  client_host: string
  /** Whether the address of the app proves its name. */
  client_kind: ConsentClientKind
  /** Where the browser goes afterwards. */
  redirect_host: string
  /** The organizations to which the person may connect the app. */
  orgs: ConsentOrganization[]
  /** The preselected values. */
  checked: string[]
}

export type AppPermission = 'contacts:read' | 'contacts:write' | 'companies:read' | 'companies:write' | 'deals:read' | 'deals:write' | 'notes:read' | 'tasks:read' | 'close_reasons:read' | 'duplicates:read' | 'duplicates:write' | 'events:read' | 'personas:read' | 'voice:read' | 'voice:write' | 'crm:read' | 'crm:write' | 'signatures:read' | 'signatures:write'

export type AllowApp = {
  /** The organization to which the app is connected. */
  org_id: string
  /** test: calls, pushes and signatures are simulated. */
  mode?: 'live' | 'test' | undefined
  /** The permissions of the app. */
  permissions: AppPermission[]
}

export type AnsweredConsent = {
  /** The address to which the browser goes. */
  redirect_url: string
}

export type Mode = 'live' | 'test'

export type Approval = {
  /** The id of the call. */
  effect_id: string
  /** The tool that was called. */
  tool: string
  /** The question that the person answers. */
  question: string
  /** The expected effect of the call. */
  facts: { [member: string]: unknown }
  /** The API key, the agency whose key it is, or the person and the app. */
  asked_by: string
  /** live: the effect is real. test: it is simulated. */
  mode: Mode
  /** When the tool was called. */
  created_at: number
  /** The time until which a person can decide. */
  expires_at: number
}

export type DecideApprovals = {
  /** The calls. */
  effect_ids: string[]
  /** true: the calls may run. false: they are declined. */
  approved: boolean
}

export type ApprovalOutcome = 'approved' | 'declined' | 'approved_before' | 'declined_before' | 'expired'

export type ApprovalDecision = {
  /** The id of the call. */
  effect_id: string
  /** `approved_before`, `declined_before`: somebody decided otherwise before. `expired`: nobody decided in time, the app or key that asked is gone or lost the permission, or the call is not yours to decide. */
  outcome: ApprovalOutcome
}

/** Filters of lists: `'version[gt]': 1`, `'custom.plan': 'gold'`. */
export type FieldFilters = {
  [filter: `${string}[${string}]` | `custom.${string}`]: string | number | boolean | readonly (string | number)[] | null | undefined
}

export type RemoveMemberQuery = {
  /** The member who gets the tasks and records of the removed member; by default nobody. */
  reassign_to?: string | undefined
}

export type ReturnFromSsoQuery = {
  /** The authorization code. */
  code?: string | undefined
  /** The state of the request. */
  state?: string | undefined
  /** The issuer that answers (RFC 9207). */
  iss?: string | undefined
  /** The reason of a refusal. */
  error?: string | undefined
}

export type StartSsoQuery = {
  /** The organization. */
  org_id: string
  /** The page of the console to which the browser returns. */
  return_to?: string | undefined
  /** Whether to confirm the session instead of signing in. */
  confirm?: 'true' | 'false' | undefined
}
