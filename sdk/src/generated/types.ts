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

export type Organization = {
  /** The id of the organization. */
  org_id: string
  /** The name of the organization. */
  name: string
  /** True if the organization is flagged as an agency or has linked clients. */
  is_agency: boolean
  /** The country of phone numbers without a country code, as in ISO 3166-1; null: such numbers are refused. */
  default_country: string | null
  /** The organization that created this sandbox; null: this organization is not a sandbox. */
  sandbox_of: string | null
}

export type CallingKey = {
  /** The id of the API key. */
  api_key_id: string
  /** The label of the API key. */
  name: string
}

export type Mode = 'live' | 'test'

export type Identity = {
  /** The organization of the API key. */
  org: Organization
  /** The API key that you sent; null: a member is signed in. */
  key: CallingKey | null
  /** The mode of the API key. */
  mode: Mode
  /** True if the API key is an agency key. */
  is_agency: boolean
  /** What the API key may do; null: all permissions. */
  permissions: string[] | null
  /** The organization that this request acts on: the organization of the API key, or the client in X-Target-Org-Id. */
  acting_on: Organization
}

export type UpdateOrganization = {
  /** The name of the organization. */
  name?: string | undefined
  /** The country of phone numbers without a country code. */
  default_country?: string | null | undefined
}

export type UsageStep = 'hour' | 'day'

export type UsageSeriesName = 'requests' | 'rate_limited' | 'calls' | 'call_minutes' | 'events' | 'webhooks_delivered' | 'webhooks_failed'

export type UsageSeries = {
  /** `requests`: all accepted requests. `rate_limited`: those with the answer 429. `calls`: placed calls. `call_minutes`: their minutes, each call rounded up. `events`: changes. `webhooks_delivered`, `webhooks_failed`: requests to webhook endpoints, by their outcome. */
  name: UsageSeriesName
  /** A pair for each step, the oldest first: the beginning of the step in Unix seconds, and the number. */
  points: number[][]
}

export type Usage = {
  /** All series have the same steps. */
  series: UsageSeries[]
}

export type SandboxCopy = 'nothing' | 'settings' | 'sample'

export type CreateSandbox = {
  /** The name of the sandbox. */
  name: string
  /** settings: deal stages, close reasons, defined fields, segments, personas, and the settings of duplicates, calls, CRM pushes and tracking. Never records or credentials. sample: invented companies, contacts and deals. */
  copy?: SandboxCopy | undefined
  /** Days until the sandbox is deleted with everything in it. */
  expires_in_days?: number | undefined
}

export type SandboxStatus = 'preparing' | 'ready' | 'failed'

export type CreatedSandbox = {
  /** The organization that is the sandbox. */
  org_id: string
  /** The name of the sandbox. */
  name: string
  /** The data that was copied into the sandbox when it was made. */
  copy: SandboxCopy
  /** preparing: the sample data is being created, which takes some seconds. failed: it could not be created; delete the sandbox. */
  status: SandboxStatus
  /** When the sandbox was created. */
  created_at: number
  /** When the sandbox is deleted with everything in it. */
  expires_at: number
  /** The id of the test key. */
  api_key_id: string
  /** A test key of the sandbox, shown only in this answer. The test key has the permissions of the key that made the sandbox. */
  api_key_token: string
}

export type Sandbox = {
  /** The organization that is the sandbox. */
  org_id: string
  /** The name of the sandbox. */
  name: string
  /** The data that was copied into the sandbox when it was made. */
  copy: SandboxCopy
  /** preparing: the sample data is being created, which takes some seconds. failed: it could not be created; delete the sandbox. */
  status: SandboxStatus
  /** When the sandbox was created. */
  created_at: number
  /** When the sandbox is deleted with everything in it. */
  expires_at: number
}

export type Pagination = {
  /** Whether more items follow this page. */
  has_next: boolean
  /** The largest number of items on a page. */
  limit: number
  /** The `cursor` of the next page; null: this page is the last one. */
  next_cursor: string | null
  /** The position of this page, from 1. */
  page: number
  /** How many items the whole list has. */
  total: number
}

export type AgencyClient = {
  /** The organization that is the client. */
  org_id: string
  /** The name of the client. */
  name: string
  /** The country of phone numbers without a country code; null: none. */
  default_country: string | null
  /** When the organization was created. */
  created_at: number
  /** When the organization became your client. */
  linked_at: number
}

export type CreateAgencyClient = {
  /** The name of the client. */
  name: string
  /** The country of phone numbers without a country code. */
  default_country?: string | null | undefined
}

export type KeptApiKey = {
  /** The id of the API key. */
  api_key_id: string
  /** The label of the API key. */
  name: string
}

export type Role = 'owner' | 'admin' | 'member' | 'viewer'

export type KeptMember = {
  /** The id of the member. */
  member_id: string
  /** The name of the member. */
  name: string
  /** What the member may do. */
  role: Role
}

export type CutAgencyLink = {
  /** The organization whose link was cut. */
  org_id: string
  /** API keys that the agency created in the client. These keys still work until somebody deletes them. */
  api_keys: KeptApiKey[]
  /** Members of the client whom people of the agency invited. They remain members until somebody removes them. */
  members: KeptMember[]
}

export type CreateAgencyInvitation = {
  /** A note for yourself, such as the name of the client. The client does not see it. */
  label?: string | null | undefined
  /** Days until the token stops working. */
  expires_in_days?: number | undefined
}

export type InvitationStatus = 'pending' | 'accepted' | 'expired'

export type CreatedAgencyInvitation = {
  /** The id of the invitation. */
  invitation_id: string
  /** Your note; null: none. */
  label: string | null
  /** There is no status for a revoked invitation, because revoking deletes it. */
  status: InvitationStatus
  /** The last four characters of the token. */
  token_hint: string
  /** When the invitation was created. */
  created_at: number
  /** When the token stops working. */
  expires_at: number
  /** When the invitation was accepted; null: not yet. */
  accepted_at: number | null
  /** The organization that accepted the invitation; null: none yet. */
  client_org_id: string | null
  /** Shown only in this answer. Give it to the client. */
  token: string
}

export type AgencyInvitation = {
  /** The id of the invitation. */
  invitation_id: string
  /** Your note; null: none. */
  label: string | null
  /** There is no status for a revoked invitation, because revoking deletes it. */
  status: InvitationStatus
  /** The last four characters of the token. */
  token_hint: string
  /** When the invitation was created. */
  created_at: number
  /** When the token stops working. */
  expires_at: number
  /** When the invitation was accepted; null: not yet. */
  accepted_at: number | null
  /** The organization that accepted the invitation; null: none yet. */
  client_org_id: string | null
}

export type Agency = {
  /** The organization that is the agency. */
  org_id: string
  /** The name of the agency. */
  name: string
  /** When your organization became a client of the agency. */
  linked_at: number
}

export type AcceptAgencyInvitation = {
  /** The token that the agency got with its invitation. It works once. */
  token: string
}

export type PreviewedAgency = {
  /** The organization that is the agency. */
  org_id: string
  /** The name of the agency. */
  name: string
}

export type CutAgency = {
  /** The organization whose link was cut. */
  org_id: string
  /** API keys that the agency created in the client. These keys still work until somebody deletes them. */
  api_keys: KeptApiKey[]
  /** Members of the client whom people of the agency invited. They remain members until somebody removes them. */
  members: KeptMember[]
  /** API keys that the agency created here, and that this request deleted, with `revoke_keys`. */
  revoked_api_keys: KeptApiKey[]
}

export type AgencyClientUsage = {
  /** The organization that is the client. */
  org_id: string
  /** The name of the client. */
  name: string
  /** Answered requests, including those with an error. */
  requests: number
  /** Requests with the answer 429. */
  rate_limited: number
  /** Placed calls. */
  calls: number
  /** Minutes of calls. Each call is rounded up to full minutes. */
  call_minutes: number
  /** Events of the audit log. */
  events: number
  /** Requests to webhook endpoints that were accepted. */
  webhooks_delivered: number
  /** Requests to webhook endpoints that failed. */
  webhooks_failed: number
}

export type AgencyUsageTotals = {
  /** The beginning of the first hour. */
  from: number
  /** The end of the last hour, which is not included. */
  to: number
  /** The number of clients. */
  clients: number
  /** Answered requests, including those with an error. */
  requests: number
  /** Requests with the answer 429. */
  rate_limited: number
  /** Placed calls. */
  calls: number
  /** Minutes of calls. Each call is rounded up to full minutes. */
  call_minutes: number
  /** Events of the audit log. */
  events: number
  /** Requests to webhook endpoints that were accepted. */
  webhooks_delivered: number
  /** Requests to webhook endpoints that failed. */
  webhooks_failed: number
}

export type CreateApiKey = {
  /** A label of your choice. */
  name: string
  /** The mode never changes. A test key acts on the same records as a live key; only its calls, CRM pushes and signature installs are simulated. The prefix of the token shows the mode, but does not set it. */
  mode?: Mode | undefined
  /** True makes an agency key, which can act on linked clients with X-Target-Org-Id. */
  is_agency?: boolean | undefined
  /** The number of days until the key stops working. By default the key does not expire. */
  expires_in_days?: number | null | undefined
  /** The permissions of the key. If you omit them, the key gets all permissions, which a restricted key cannot give. */
  permissions?: string[] | null | undefined
}

export type CreatedOrganizationKey = {
  /** The id of the API key. */
  api_key_id: string
  /** A label of your choice. */
  name: string
  /** Whether calls, CRM pushes and signature installs of the key are real (live) or simulated (test). */
  mode: Mode
  /** The key acts on its own organization. */
  is_agency: false
  /** When the key was created. */
  created_at: number
  /** When the key stops working; null: never. */
  expires_at: number | null
  /** What the key may do; null: everything. */
  permissions: string[] | null
  /** The secret, shown only in this answer. Send it as `Authorization: Bearer`. */
  api_key_token: string
}

export type CreatedAgencyKey = {
  /** The id of the API key. */
  api_key_id: string
  /** A label of your choice. */
  name: string
  /** Whether calls, CRM pushes and signature installs of the key are real (live) or simulated (test). */
  mode: Mode
  /** The key may act on linked clients with X-Target-Org-Id. */
  is_agency: true
  /** When the key was created. */
  created_at: number
  /** When the key stops working; null: never. */
  expires_at: number | null
  /** What the key may do; null: everything. */
  permissions: string[] | null
  /** The secret, shown only in this answer. Send it as `Authorization: Bearer`. */
  token: string
}

export type CreatedApiKey = CreatedOrganizationKey | CreatedAgencyKey

export type ApiKey = {
  /** The id of the API key. */
  api_key_id: string
  /** A label of your choice. */
  name: string
  /** Whether calls, CRM pushes and signature installs of the key are real (live) or simulated (test). */
  mode: Mode
  /** Whether the key may act on linked clients with X-Target-Org-Id. */
  is_agency: boolean
  /** When the key was created. */
  created_at: number
  /** When the key stops working; null: never. */
  expires_at: number | null
  /** What the key may do; null: everything. */
  permissions: string[] | null
  /** The last four characters of the token. */
  token_hint: string
  /** When the key was last used, to the minute; null: never. */
  last_used_at: number | null
  /** The organization whose member or API key created this key, directly or through other keys. null: the operator created it. */
  created_by_org_id: string | null
  /** The id of the API key that created this key; null: a member or the operator created it. */
  created_by_api_key_id: string | null
  /** The id of the member who created this key; null: an API key or the operator created it. */
  created_by_member_id: string | null
  /** The id of the API key that replaced this key in a rotation; null: the key was not rotated. */
  replaced_by_api_key_id: string | null
}

export type ApiKeyList = {
  /** All API keys, the newest first. */
  keys: ApiKey[]
  /** The number of API keys. */
  total: number
}

export type UpdateApiKey = {
  /** A label of your choice. */
  name?: string | undefined
  /** null grants all permissions. */
  permissions?: string[] | null | undefined
}

export type RotateApiKey = {
  /** For how many seconds the old token keeps working. 0: it stops working at once. */
  grace_seconds?: number | undefined
}

export type ConnectedApp = {
  /** The id of the connection. */
  connected_app_id: string
  /** The name that the app gives itself. */
  client_name: string
  /** The host that proves the name of the app; without proof, the host to which the browser returned. */
  client_host: string
  /** The person who connected the app, and in whose name it acts. */
  member_id: string
  /** The name of the person, for a person of an agency with the agency in brackets; null: the person is no longer a member. */
  member_name: string | null
  /** Whether calls, pushes and signatures of the app are real. */
  mode: Mode
  /** The permissions of the app, limited by the role of the person. */
  permissions: string[]
  /** When the app was connected. */
  created_at: number
  /** When the app last used a tool; null: never. */
  last_used_at: number | null
  /** When the app was disconnected; null: it is connected. */
  revoked_at: number | null
}

export type AppPermission = 'contacts:read' | 'contacts:write' | 'companies:read' | 'companies:write' | 'deals:read' | 'deals:write' | 'notes:read' | 'tasks:read' | 'close_reasons:read' | 'duplicates:read' | 'duplicates:write' | 'events:read' | 'personas:read' | 'voice:read' | 'voice:write' | 'crm:read' | 'crm:write' | 'signatures:read' | 'signatures:write'

export type NarrowConnectedApp = {
  /** The permissions that the app keeps. It must have them already. */
  permissions: AppPermission[]
}

export type LifecycleStage = 'subscriber' | 'lead' | 'qualified' | 'opportunity' | 'customer' | 'other'

export type ConsentState = 'granted' | 'denied' | 'unknown'

export type ContactSortField = 'created_at' | '-created_at' | 'updated_at' | '-updated_at' | 'owner_email' | '-owner_email' | 'name' | '-name'

export type ContactSort = ContactSortField | string

export type Consent = {
  /** Whether the person agreed to e-mails. */
  email: ConsentState
  /** Whether the person agreed to phone calls. */
  phone: ConsentState
}

export type ConsentKind = 'written' | 'oral' | 'implied'

export type ConsentDetails = {
  /** How the person gave or denied consent; null: not known. */
  kind: ConsentKind | null
  /** Where the person gave or denied consent; null: not known. */
  source: string | null
  /** When the person gave or denied consent; null: not known. */
  at: number | null
}

export type ConsentDetailsByChannel = {
  /** How the person answered about e-mails; null: not known. */
  email: ConsentDetails | null
  /** How the person answered about phone calls; null: not known. */
  phone: ConsentDetails | null
}

export type Contact = {
  /** The id of the contact. */
  contact_id: string
  /** The primary address, which is the first of `emails`. */
  email: string | null
  /** All e-mail addresses of the contact, the primary address first. */
  emails: string[]
  /** An e-mail address that an import could not read. */
  email_raw: string | null
  /** The primary number, which is the first of `phones`. It is stored in E.164. */
  phone: string | null
  /** All phone numbers, the primary number first. */
  phones: string[]
  /** A phone number that an import could not read. */
  phone_raw: string | null
  /** The given name; null: not known. */
  first_name: string | null
  /** The family name; null: not known. */
  last_name: string | null
  /** The company that the person works for; null: none. */
  company_id: string | null
  /** The name of the employer: free text, independent of `company_id`. */
  company_name: string | null
  /** What the person does at the company; null: not known. */
  job_title: string | null
  /** The stage that the person has reached on the way to a purchase; null: not known. */
  lifecycle_stage: LifecycleStage | null
  /** Whether the person agreed to be contacted, by channel. */
  consent: Consent
  /** How each consent was given or denied. */
  consent_details: ConsentDetailsByChannel
  /** The address of the LinkedIn profile; null: not known. */
  linkedin_url: string | null
  /** The town; null: not known. */
  city: string | null
  /** The state, province or county; null: not known. */
  region: string | null
  /** Free text. The value is not checked against a list. */
  country: string | null
  /** The member of the organization who owns the record, from GET /owners; null: nobody. */
  owner_id: string | null
  /** The e-mail address of the member who owns the contact; null: nobody. */
  owner_email: string | null
  /** The website visitor who made the contact, with a form or an `identify` call that nobody has verified. The engine never merges such a contact by itself. null: a person or a program of yours made it. */
  claimed_by: string | null
  /** Words of your choice, by which lists can be filtered. */
  tags: string[]
  /** A JSON object with your own data. */
  custom: { [member: string]: unknown }
  /** Ids of the record in other systems, by system. */
  external_ids: { [member: string]: string }
  /** Where the record came from; null: not known. */
  source: string | null
  /** Ids of the records that were merged into this one, the oldest first. Requests with these ids lead to this record. */
  merged_ids: string[]
  /** By system, external ids of merged records that `external_ids` does not show, because it has another id of the same system. They still find the record. */
  merged_external_ids: { [member: string]: string[] }
  /** A number that rises with every change. Send it in If-Match, and the server refuses your change if the object has changed since. */
  version: number
  /** When the record was created. */
  created_at: number
  /** When the record was last changed. */
  updated_at: number
  /** When the record was archived; null: active. */
  archived_at: number | null
}

export type FilterOperator = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'in' | 'starts_with' | 'is_null'

export type RecordFilter = {
  /** All of these conditions must be true. */
  and?: RecordFilter[] | undefined
  /** At least one of these conditions must be true. */
  or?: RecordFilter[] | undefined
  /** This condition must not be true. */
  not?: RecordFilter | undefined
  /** A field of the record, or `custom.<key>`. */
  field?: string | undefined
  /** How the field is compared with the value. */
  op?: FilterOperator | undefined
  /** The value; for `in` a list of up to 100 values (200 in the whole filter), for `is_null` true or false. */
  value?: unknown
}

export type ContactSearch = {
  /** A condition: a comparison (`field`, `op`, `value`), or `and`, `or` or `not` of conditions. */
  filter?: RecordFilter | undefined
  /** Finds records by words of their names, addresses or numbers. All given words must match, in any order. The beginning of a word is enough. */
  q?: string | undefined
  /** true lists archived records instead of active ones. */
  archived?: boolean | undefined
  /** Only records of this segment. They must also match all other filters. */
  segment_id?: string | undefined
  /** A minus before the name gives descending order. Records without the field come last. `custom.<key>` sorts by a member of `custom`. By default the order of the segment, or `-created_at`. */
  sort?: ContactSort | undefined
  /** The names of the fields that each record has in the answer. By default all. */
  fields?: string[] | undefined
  /** The maximum number of items in a page. A page may have fewer items, because it ends after 4 MiB. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. Keep the filters the same. */
  cursor?: string | undefined
  /** The number of the page, from 1; use it instead of a cursor. It reaches only the first 10,000 items. */
  page?: number | undefined
}

export type RecordFileFormat = 'csv' | 'jsonl'

export type ChangeConsent = {
  /** Whether the person agreed to e-mails. */
  email?: ConsentState | undefined
  /** Whether the person agreed to phone calls. */
  phone?: ConsentState | undefined
}

export type ChangeConsentDetails = {
  /** How the person gave or denied consent. */
  kind?: ConsentKind | null | undefined
  /** Where the person gave or denied consent: a form, a call, a contract. */
  source?: string | null | undefined
  /** When the person gave or denied consent, in Unix seconds. */
  at?: number | null | undefined
}

export type ChangeConsentDetailsByChannel = {
  /** How the person answered about e-mails; null clears it. */
  email?: ChangeConsentDetails | null | undefined
  /** How the person answered about phone calls; null clears it. */
  phone?: ChangeConsentDetails | null | undefined
}

export type NewContact = {
  /** The primary address, which is the first of `emails`. */
  email?: string | null | undefined
  /** All e-mail addresses of the contact, the primary address first. */
  emails?: string[] | null | undefined
  /** The primary number, which is the first of `phones`. It is stored in E.164. */
  phone?: string | null | undefined
  /** All phone numbers, the primary number first. */
  phones?: string[] | null | undefined
  /** The given name; null: not known. */
  first_name?: string | null | undefined
  /** The family name; null: not known. */
  last_name?: string | null | undefined
  /** The company that the person works for; null: none. */
  company_id?: string | null | undefined
  /** The name of the employer: free text, independent of `company_id`. */
  company_name?: string | null | undefined
  /** What the person does at the company; null: not known. */
  job_title?: string | null | undefined
  /** The stage that the person has reached on the way to a purchase; null: not known. */
  lifecycle_stage?: LifecycleStage | null | undefined
  /** Whether the person agreed to be contacted, by channel. If `phone` is `denied`, POST /voice/calls is a 400 for every number of the contact. */
  consent?: ChangeConsent | null | undefined
  /** How each consent was given or denied. Send it together with the `consent` of its channel, `granted` or `denied`. It replaces the details of the channel; null clears them. A later change of the consent without details clears them too. */
  consent_details?: ChangeConsentDetailsByChannel | null | undefined
  /** The address of the LinkedIn profile; null: not known. */
  linkedin_url?: string | null | undefined
  /** The town; null: not known. */
  city?: string | null | undefined
  /** The state, province or county; null: not known. */
  region?: string | null | undefined
  /** Free text. The value is not checked against a list. */
  country?: string | null | undefined
  /** The member of the organization who owns the record, from GET /owners; null: nobody. */
  owner_id?: string | null | undefined
  /** The e-mail address of the member who owns the contact; null: nobody. */
  owner_email?: string | null | undefined
  /** Words of your choice, by which lists can be filtered. */
  tags?: string[] | null | undefined
  /** Any JSON object. PATCH and upsert change only the values that you send; null removes a value. */
  custom?: { [member: string]: unknown } | null | undefined
  /** Ids of the record in other systems, by system; a PATCH replaces all of them. */
  external_ids?: { [member: string]: string } | null | undefined
  /** Where the record came from; null: not known. */
  source?: string | null | undefined
  /** A domain or website. The contact gets the company with this domain, or the oldest of several. If no company has it, the request creates one with the name `company_name`. A host that many companies share, such as gmail.com, gives no company. Needs `companies:write`. Not together with `company_id`. */
  company_domain?: string | null | undefined
}

export type ContactFields = {
  /** The primary address, which is the first of `emails`. */
  email?: string | null | undefined
  /** All e-mail addresses of the contact, the primary address first. */
  emails?: string[] | null | undefined
  /** The primary number, which is the first of `phones`. It is stored in E.164. */
  phone?: string | null | undefined
  /** All phone numbers, the primary number first. */
  phones?: string[] | null | undefined
  /** The given name; null: not known. */
  first_name?: string | null | undefined
  /** The family name; null: not known. */
  last_name?: string | null | undefined
  /** The company that the person works for; null: none. */
  company_id?: string | null | undefined
  /** The name of the employer: free text, independent of `company_id`. */
  company_name?: string | null | undefined
  /** What the person does at the company; null: not known. */
  job_title?: string | null | undefined
  /** The stage that the person has reached on the way to a purchase; null: not known. */
  lifecycle_stage?: LifecycleStage | null | undefined
  /** Whether the person agreed to be contacted, by channel. If `phone` is `denied`, POST /voice/calls is a 400 for every number of the contact. */
  consent?: ChangeConsent | null | undefined
  /** How each consent was given or denied. Send it together with the `consent` of its channel, `granted` or `denied`. It replaces the details of the channel; null clears them. A later change of the consent without details clears them too. */
  consent_details?: ChangeConsentDetailsByChannel | null | undefined
  /** The address of the LinkedIn profile; null: not known. */
  linkedin_url?: string | null | undefined
  /** The town; null: not known. */
  city?: string | null | undefined
  /** The state, province or county; null: not known. */
  region?: string | null | undefined
  /** Free text. The value is not checked against a list. */
  country?: string | null | undefined
  /** The member of the organization who owns the record, from GET /owners; null: nobody. */
  owner_id?: string | null | undefined
  /** The e-mail address of the member who owns the contact; null: nobody. */
  owner_email?: string | null | undefined
  /** Words of your choice, by which lists can be filtered. */
  tags?: string[] | null | undefined
  /** Any JSON object. PATCH and upsert change only the values that you send; null removes a value. */
  custom?: { [member: string]: unknown } | null | undefined
  /** Ids of the record in other systems, by system; a PATCH replaces all of them. */
  external_ids?: { [member: string]: string } | null | undefined
  /** Where the record came from; null: not known. */
  source?: string | null | undefined
}

export type ErasedContact = {
  /** The contact that was erased. */
  contact_id: string
  /** The data was removed permanently. */
  erased: true
}

export type ContactMatchOnKey = 'email' | 'phone' | 'external_id'

export type ContactMatchOn = ContactMatchOnKey | string

export type ContactUpsert = {
  /** The primary address, which is the first of `emails`. */
  email?: string | null | undefined
  /** All e-mail addresses of the contact, the primary address first. */
  emails?: string[] | null | undefined
  /** The primary number, which is the first of `phones`. It is stored in E.164. */
  phone?: string | null | undefined
  /** All phone numbers, the primary number first. */
  phones?: string[] | null | undefined
  /** The given name; null: not known. */
  first_name?: string | null | undefined
  /** The family name; null: not known. */
  last_name?: string | null | undefined
  /** The company that the person works for; null: none. */
  company_id?: string | null | undefined
  /** The name of the employer: free text, independent of `company_id`. */
  company_name?: string | null | undefined
  /** What the person does at the company; null: not known. */
  job_title?: string | null | undefined
  /** The stage that the person has reached on the way to a purchase; null: not known. */
  lifecycle_stage?: LifecycleStage | null | undefined
  /** Whether the person agreed to be contacted, by channel. If `phone` is `denied`, POST /voice/calls is a 400 for every number of the contact. */
  consent?: ChangeConsent | null | undefined
  /** How each consent was given or denied. Send it together with the `consent` of its channel, `granted` or `denied`. It replaces the details of the channel; null clears them. A later change of the consent without details clears them too. */
  consent_details?: ChangeConsentDetailsByChannel | null | undefined
  /** The address of the LinkedIn profile; null: not known. */
  linkedin_url?: string | null | undefined
  /** The town; null: not known. */
  city?: string | null | undefined
  /** The state, province or county; null: not known. */
  region?: string | null | undefined
  /** Free text. The value is not checked against a list. */
  country?: string | null | undefined
  /** The member of the organization who owns the record, from GET /owners; null: nobody. */
  owner_id?: string | null | undefined
  /** The e-mail address of the member who owns the contact; null: nobody. */
  owner_email?: string | null | undefined
  /** Words of your choice, by which lists can be filtered. */
  tags?: string[] | null | undefined
  /** Any JSON object. PATCH and upsert change only the values that you send; null removes a value. */
  custom?: { [member: string]: unknown } | null | undefined
  /** Ids of the record in other systems, by system; a PATCH replaces all of them. */
  external_ids?: { [member: string]: string } | null | undefined
  /** Where the record came from; null: not known. */
  source?: string | null | undefined
  /** A domain or website. The contact gets the company with this domain, or the oldest of several. If no company has it, the request creates one with the name `company_name`. A host that many companies share, such as gmail.com, gives no company. Needs `companies:write`. Not together with `company_id`. */
  company_domain?: string | null | undefined
  /** The key by which the record is found. `custom.<key>` is a unique defined field. */
  match_on: ContactMatchOn
}

export type UpsertOutcome = 'created' | 'updated'

export type UpsertedContact = {
  /** The id of the contact. */
  contact_id: string
  /** The primary address, which is the first of `emails`. */
  email: string | null
  /** All e-mail addresses of the contact, the primary address first. */
  emails: string[]
  /** An e-mail address that an import could not read. */
  email_raw: string | null
  /** The primary number, which is the first of `phones`. It is stored in E.164. */
  phone: string | null
  /** All phone numbers, the primary number first. */
  phones: string[]
  /** A phone number that an import could not read. */
  phone_raw: string | null
  /** The given name; null: not known. */
  first_name: string | null
  /** The family name; null: not known. */
  last_name: string | null
  /** The company that the person works for; null: none. */
  company_id: string | null
  /** The name of the employer: free text, independent of `company_id`. */
  company_name: string | null
  /** What the person does at the company; null: not known. */
  job_title: string | null
  /** The stage that the person has reached on the way to a purchase; null: not known. */
  lifecycle_stage: LifecycleStage | null
  /** Whether the person agreed to be contacted, by channel. */
  consent: Consent
  /** How each consent was given or denied. */
  consent_details: ConsentDetailsByChannel
  /** The address of the LinkedIn profile; null: not known. */
  linkedin_url: string | null
  /** The town; null: not known. */
  city: string | null
  /** The state, province or county; null: not known. */
  region: string | null
  /** Free text. The value is not checked against a list. */
  country: string | null
  /** The member of the organization who owns the record, from GET /owners; null: nobody. */
  owner_id: string | null
  /** The e-mail address of the member who owns the contact; null: nobody. */
  owner_email: string | null
  /** The website visitor who made the contact, with a form or an `identify` call that nobody has verified. The engine never merges such a contact by itself. null: a person or a program of yours made it. */
  claimed_by: string | null
  /** Words of your choice, by which lists can be filtered. */
  tags: string[]
  /** A JSON object with your own data. */
  custom: { [member: string]: unknown }
  /** Ids of the record in other systems, by system. */
  external_ids: { [member: string]: string }
  /** Where the record came from; null: not known. */
  source: string | null
  /** Ids of the records that were merged into this one, the oldest first. Requests with these ids lead to this record. */
  merged_ids: string[]
  /** By system, external ids of merged records that `external_ids` does not show, because it has another id of the same system. They still find the record. */
  merged_external_ids: { [member: string]: string[] }
  /** A number that rises with every change. Send it in If-Match, and the server refuses your change if the object has changed since. */
  version: number
  /** When the record was created. */
  created_at: number
  /** When the record was last changed. */
  updated_at: number
  /** When the record was archived; null: active. */
  archived_at: number | null
  /** Whether the request created the contact or updated it. */
  outcome: UpsertOutcome
}

export type ContactBatchCreate = {
  /** The primary address, which is the first of `emails`. */
  email?: string | null | undefined
  /** All e-mail addresses of the contact, the primary address first. */
  emails?: string[] | null | undefined
  /** The primary number, which is the first of `phones`. It is stored in E.164. */
  phone?: string | null | undefined
  /** All phone numbers, the primary number first. */
  phones?: string[] | null | undefined
  /** The given name; null: not known. */
  first_name?: string | null | undefined
  /** The family name; null: not known. */
  last_name?: string | null | undefined
  /** The company that the person works for; null: none. */
  company_id?: string | null | undefined
  /** The name of the employer: free text, independent of `company_id`. */
  company_name?: string | null | undefined
  /** What the person does at the company; null: not known. */
  job_title?: string | null | undefined
  /** The stage that the person has reached on the way to a purchase; null: not known. */
  lifecycle_stage?: LifecycleStage | null | undefined
  /** Whether the person agreed to be contacted, by channel. If `phone` is `denied`, POST /voice/calls is a 400 for every number of the contact. */
  consent?: ChangeConsent | null | undefined
  /** How each consent was given or denied. Send it together with the `consent` of its channel, `granted` or `denied`. It replaces the details of the channel; null clears them. A later change of the consent without details clears them too. */
  consent_details?: ChangeConsentDetailsByChannel | null | undefined
  /** The address of the LinkedIn profile; null: not known. */
  linkedin_url?: string | null | undefined
  /** The town; null: not known. */
  city?: string | null | undefined
  /** The state, province or county; null: not known. */
  region?: string | null | undefined
  /** Free text. The value is not checked against a list. */
  country?: string | null | undefined
  /** The member of the organization who owns the record, from GET /owners; null: nobody. */
  owner_id?: string | null | undefined
  /** The e-mail address of the member who owns the contact; null: nobody. */
  owner_email?: string | null | undefined
  /** Words of your choice, by which lists can be filtered. */
  tags?: string[] | null | undefined
  /** Any JSON object. PATCH and upsert change only the values that you send; null removes a value. */
  custom?: { [member: string]: unknown } | null | undefined
  /** Ids of the record in other systems, by system; a PATCH replaces all of them. */
  external_ids?: { [member: string]: string } | null | undefined
  /** Where the record came from; null: not known. */
  source?: string | null | undefined
  /** A domain or website. The contact gets the company with this domain, or the oldest of several. If no company has it, the request creates one with the name `company_name`. A host that many companies share, such as gmail.com, gives no company. Needs `companies:write`. Not together with `company_id`. */
  company_domain?: string | null | undefined
  /** The key by which the item finds the record to update. Without `match_on`, the item creates a record. */
  match_on?: ContactMatchOn | undefined
}

export type ContactBatchChange = {
  /** The primary address, which is the first of `emails`. */
  email?: string | null | undefined
  /** All e-mail addresses of the contact, the primary address first. */
  emails?: string[] | null | undefined
  /** The primary number, which is the first of `phones`. It is stored in E.164. */
  phone?: string | null | undefined
  /** All phone numbers, the primary number first. */
  phones?: string[] | null | undefined
  /** The given name; null: not known. */
  first_name?: string | null | undefined
  /** The family name; null: not known. */
  last_name?: string | null | undefined
  /** The company that the person works for; null: none. */
  company_id?: string | null | undefined
  /** The name of the employer: free text, independent of `company_id`. */
  company_name?: string | null | undefined
  /** What the person does at the company; null: not known. */
  job_title?: string | null | undefined
  /** The stage that the person has reached on the way to a purchase; null: not known. */
  lifecycle_stage?: LifecycleStage | null | undefined
  /** Whether the person agreed to be contacted, by channel. If `phone` is `denied`, POST /voice/calls is a 400 for every number of the contact. */
  consent?: ChangeConsent | null | undefined
  /** How each consent was given or denied. Send it together with the `consent` of its channel, `granted` or `denied`. It replaces the details of the channel; null clears them. A later change of the consent without details clears them too. */
  consent_details?: ChangeConsentDetailsByChannel | null | undefined
  /** The address of the LinkedIn profile; null: not known. */
  linkedin_url?: string | null | undefined
  /** The town; null: not known. */
  city?: string | null | undefined
  /** The state, province or county; null: not known. */
  region?: string | null | undefined
  /** Free text. The value is not checked against a list. */
  country?: string | null | undefined
  /** The member of the organization who owns the record, from GET /owners; null: nobody. */
  owner_id?: string | null | undefined
  /** The e-mail address of the member who owns the contact; null: nobody. */
  owner_email?: string | null | undefined
  /** Words of your choice, by which lists can be filtered. */
  tags?: string[] | null | undefined
  /** Any JSON object. PATCH and upsert change only the values that you send; null removes a value. */
  custom?: { [member: string]: unknown } | null | undefined
  /** Ids of the record in other systems, by system; a PATCH replaces all of them. */
  external_ids?: { [member: string]: string } | null | undefined
  /** Where the record came from; null: not known. */
  source?: string | null | undefined
  /** The id of the contact to write. */
  contact_id: string
  /** The version that the record must have; otherwise the item fails, as with If-Match. */
  version?: number | undefined
}

export type BatchAction = 'archive' | 'restore'

export type ContactBatchAction = {
  /** The id of the contact to write. */
  contact_id: string
  /** The version that the record must have; otherwise the item fails, as with If-Match. */
  version?: number | undefined
  /** Archives the contact or restores it. */
  action: BatchAction
}

export type ContactBatchItem = ContactBatchCreate | ContactBatchChange | ContactBatchAction

export type BatchReturn = 'id' | 'record'

export type ContactBatch = {
  /** The items, in the order in which they are written. If an item is invalid, only this item fails. */
  items: ContactBatchItem[]
  /** `record`: each outcome also has the record after the whole batch. */
  return?: BatchReturn | undefined
}

export type BatchOutcome = 'created' | 'updated' | 'archived' | 'restored' | 'failed'

export type ContactBatchOutcome = {
  /** The position of the item in the request, from 0. */
  index: number
  /** The effect of the item. `failed`: nothing, for the reason in `code` and `detail`. */
  outcome: BatchOutcome
  /** The record that the item wrote. */
  contact_id?: string | undefined
  /** The version of the record after this item. */
  version?: number | undefined
  /** The record after the whole batch, if you sent `return: record`. */
  record?: Contact | undefined
  /** Why the item failed, as a stable code for programs. */
  code?: ErrorCode | undefined
  /** Why the item failed: a text, or details as in a 422. */
  detail?: unknown
}

export type ContactBatchRead = {
  /** Ids of contacts. */
  ids?: string[] | undefined
  /** Finds contacts by any of their addresses. Letter case does not matter. */
  emails?: string[] | undefined
  /** Finds records by any of their numbers. A phone number in E.164. National form also works if a default_country is set. */
  phones?: string[] | undefined
  /** Only records with this external id: the system, a colon and the id, such as `crm:D-17`. */
  external_ids?: string[] | undefined
  /** The names of the fields that each record has in the answer. By default all. */
  fields?: string[] | undefined
}

export type FoundStatus = 'found' | 'merged'

export type ContactFound = {
  /** The id or key that you sent. */
  requested: string
  /** `merged`: the id belongs to a merged record, and `record` is its canonical record. */
  status: FoundStatus
  /** The contact. */
  record: Contact
  /** The ids of further active records with this key, the oldest first. */
  other_ids: string[]
}

export type MissingStatus = 'erased' | 'not_found'

export type ContactMissing = {
  /** The id or key that you sent. */
  requested: string
  /** Why there is no record. */
  status: MissingStatus
  /** No record was found. */
  record: null
  /** The ids of further active records with this key, the oldest first. */
  other_ids: string[]
}

export type ContactBatchReadItem = ContactFound | ContactMissing

export type CompanySortField = 'created_at' | '-created_at' | 'updated_at' | '-updated_at' | 'owner_email' | '-owner_email' | 'name' | '-name'

export type CompanySort = CompanySortField | string

export type Company = {
  /** The id of the company. */
  company_id: string
  /** What the company is called; null: not known. */
  name: string | null
  /** The primary domain, which is the first of `domains`. A web address is cut down to its host. */
  domain: string | null
  /** All domains of the company, the primary domain first. */
  domains: string[]
  /** The phone number, stored in E.164; null: none. */
  phone: string | null
  /** A phone number that an import could not read. */
  phone_raw: string | null
  /** The website. If the company has no domain, it gets the domain of the website, unless many companies share that host. */
  website: string | null
  /** What the company does; null: not known. */
  industry: string | null
  /** How many people the company employs; null: not known. */
  employee_count: number | null
  /** The address of the LinkedIn profile; null: not known. */
  linkedin_url: string | null
  /** The town; null: not known. */
  city: string | null
  /** The state, province or county; null: not known. */
  region: string | null
  /** Free text. The value is not checked against a list. */
  country: string | null
  /** The member of the organization who owns the record, from GET /owners; null: nobody. */
  owner_id: string | null
  /** The e-mail address of the member who owns the company; null: nobody. */
  owner_email: string | null
  /** Words of your choice, by which lists can be filtered. */
  tags: string[]
  /** A JSON object with your own data. */
  custom: { [member: string]: unknown }
  /** Ids of the record in other systems, by system. */
  external_ids: { [member: string]: string }
  /** Where the record came from; null: not known. */
  source: string | null
  /** Ids of the records that were merged into this one, the oldest first. Requests with these ids lead to this record. */
  merged_ids: string[]
  /** By system, external ids of merged records that `external_ids` does not show, because it has another id of the same system. They still find the record. */
  merged_external_ids: { [member: string]: string[] }
  /** A number that rises with every change. Send it in If-Match, and the server refuses your change if the object has changed since. */
  version: number
  /** When the record was created. */
  created_at: number
  /** When the record was last changed. */
  updated_at: number
  /** When the record was archived; null: active. */
  archived_at: number | null
}

export type CompanySearch = {
  /** A condition: a comparison (`field`, `op`, `value`), or `and`, `or` or `not` of conditions. */
  filter?: RecordFilter | undefined
  /** Finds records by words of their names, addresses or numbers. All given words must match, in any order. The beginning of a word is enough. */
  q?: string | undefined
  /** true lists archived records instead of active ones. */
  archived?: boolean | undefined
  /** Only records of this segment. They must also match all other filters. */
  segment_id?: string | undefined
  /** A minus before the name gives descending order. Records without the field come last. `custom.<key>` sorts by a member of `custom`. By default the order of the segment, or `-created_at`. */
  sort?: CompanySort | undefined
  /** The names of the fields that each record has in the answer. By default all. */
  fields?: string[] | undefined
  /** The maximum number of items in a page. A page may have fewer items, because it ends after 4 MiB. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. Keep the filters the same. */
  cursor?: string | undefined
  /** The number of the page, from 1; use it instead of a cursor. It reaches only the first 10,000 items. */
  page?: number | undefined
}

export type CompanyFields = {
  /** What the company is called; null: not known. */
  name?: string | null | undefined
  /** The primary domain, which is the first of `domains`. A web address is cut down to its host. */
  domain?: string | null | undefined
  /** All domains of the company, the primary domain first. */
  domains?: string[] | null | undefined
  /** The phone number, stored in E.164; null: none. */
  phone?: string | null | undefined
  /** The website. If the company has no domain, it gets the domain of the website, unless many companies share that host. */
  website?: string | null | undefined
  /** What the company does; null: not known. */
  industry?: string | null | undefined
  /** How many people the company employs; null: not known. */
  employee_count?: number | null | undefined
  /** The address of the LinkedIn profile; null: not known. */
  linkedin_url?: string | null | undefined
  /** The town; null: not known. */
  city?: string | null | undefined
  /** The state, province or county; null: not known. */
  region?: string | null | undefined
  /** Free text. The value is not checked against a list. */
  country?: string | null | undefined
  /** The member of the organization who owns the record, from GET /owners; null: nobody. */
  owner_id?: string | null | undefined
  /** The e-mail address of the member who owns the company; null: nobody. */
  owner_email?: string | null | undefined
  /** Words of your choice, by which lists can be filtered. */
  tags?: string[] | null | undefined
  /** Any JSON object. PATCH and upsert change only the values that you send; null removes a value. */
  custom?: { [member: string]: unknown } | null | undefined
  /** Ids of the record in other systems, by system; a PATCH replaces all of them. */
  external_ids?: { [member: string]: string } | null | undefined
  /** Where the record came from; null: not known. */
  source?: string | null | undefined
}

export type ErasedCompany = {
  /** The company that was erased. */
  company_id: string
  /** The data was removed permanently. */
  erased: true
}

export type CompanyMatchOnKey = 'domain' | 'phone' | 'external_id'

export type CompanyMatchOn = CompanyMatchOnKey | string

export type CompanyUpsert = {
  /** What the company is called; null: not known. */
  name?: string | null | undefined
  /** The primary domain, which is the first of `domains`. A web address is cut down to its host. */
  domain?: string | null | undefined
  /** All domains of the company, the primary domain first. */
  domains?: string[] | null | undefined
  /** The phone number, stored in E.164; null: none. */
  phone?: string | null | undefined
  /** The website. If the company has no domain, it gets the domain of the website, unless many companies share that host. */
  website?: string | null | undefined
  /** What the company does; null: not known. */
  industry?: string | null | undefined
  /** How many people the company employs; null: not known. */
  employee_count?: number | null | undefined
  /** The address of the LinkedIn profile; null: not known. */
  linkedin_url?: string | null | undefined
  /** The town; null: not known. */
  city?: string | null | undefined
  /** The state, province or county; null: not known. */
  region?: string | null | undefined
  /** Free text. The value is not checked against a list. */
  country?: string | null | undefined
  /** The member of the organization who owns the record, from GET /owners; null: nobody. */
  owner_id?: string | null | undefined
  /** The e-mail address of the member who owns the company; null: nobody. */
  owner_email?: string | null | undefined
  /** Words of your choice, by which lists can be filtered. */
  tags?: string[] | null | undefined
  /** Any JSON object. PATCH and upsert change only the values that you send; null removes a value. */
  custom?: { [member: string]: unknown } | null | undefined
  /** Ids of the record in other systems, by system; a PATCH replaces all of them. */
  external_ids?: { [member: string]: string } | null | undefined
  /** Where the record came from; null: not known. */
  source?: string | null | undefined
  /** The key by which the record is found. `custom.<key>` is a unique defined field. */
  match_on: CompanyMatchOn
}

export type UpsertedCompany = {
  /** The id of the company. */
  company_id: string
  /** What the company is called; null: not known. */
  name: string | null
  /** The primary domain, which is the first of `domains`. A web address is cut down to its host. */
  domain: string | null
  /** All domains of the company, the primary domain first. */
  domains: string[]
  /** The phone number, stored in E.164; null: none. */
  phone: string | null
  /** A phone number that an import could not read. */
  phone_raw: string | null
  /** The website. If the company has no domain, it gets the domain of the website, unless many companies share that host. */
  website: string | null
  /** What the company does; null: not known. */
  industry: string | null
  /** How many people the company employs; null: not known. */
  employee_count: number | null
  /** The address of the LinkedIn profile; null: not known. */
  linkedin_url: string | null
  /** The town; null: not known. */
  city: string | null
  /** The state, province or county; null: not known. */
  region: string | null
  /** Free text. The value is not checked against a list. */
  country: string | null
  /** The member of the organization who owns the record, from GET /owners; null: nobody. */
  owner_id: string | null
  /** The e-mail address of the member who owns the company; null: nobody. */
  owner_email: string | null
  /** Words of your choice, by which lists can be filtered. */
  tags: string[]
  /** A JSON object with your own data. */
  custom: { [member: string]: unknown }
  /** Ids of the record in other systems, by system. */
  external_ids: { [member: string]: string }
  /** Where the record came from; null: not known. */
  source: string | null
  /** Ids of the records that were merged into this one, the oldest first. Requests with these ids lead to this record. */
  merged_ids: string[]
  /** By system, external ids of merged records that `external_ids` does not show, because it has another id of the same system. They still find the record. */
  merged_external_ids: { [member: string]: string[] }
  /** A number that rises with every change. Send it in If-Match, and the server refuses your change if the object has changed since. */
  version: number
  /** When the record was created. */
  created_at: number
  /** When the record was last changed. */
  updated_at: number
  /** When the record was archived; null: active. */
  archived_at: number | null
  /** Whether the request created the company or updated it. */
  outcome: UpsertOutcome
}

export type CompanyBatchCreate = {
  /** What the company is called; null: not known. */
  name?: string | null | undefined
  /** The primary domain, which is the first of `domains`. A web address is cut down to its host. */
  domain?: string | null | undefined
  /** All domains of the company, the primary domain first. */
  domains?: string[] | null | undefined
  /** The phone number, stored in E.164; null: none. */
  phone?: string | null | undefined
  /** The website. If the company has no domain, it gets the domain of the website, unless many companies share that host. */
  website?: string | null | undefined
  /** What the company does; null: not known. */
  industry?: string | null | undefined
  /** How many people the company employs; null: not known. */
  employee_count?: number | null | undefined
  /** The address of the LinkedIn profile; null: not known. */
  linkedin_url?: string | null | undefined
  /** The town; null: not known. */
  city?: string | null | undefined
  /** The state, province or county; null: not known. */
  region?: string | null | undefined
  /** Free text. The value is not checked against a list. */
  country?: string | null | undefined
  /** The member of the organization who owns the record, from GET /owners; null: nobody. */
  owner_id?: string | null | undefined
  /** The e-mail address of the member who owns the company; null: nobody. */
  owner_email?: string | null | undefined
  /** Words of your choice, by which lists can be filtered. */
  tags?: string[] | null | undefined
  /** Any JSON object. PATCH and upsert change only the values that you send; null removes a value. */
  custom?: { [member: string]: unknown } | null | undefined
  /** Ids of the record in other systems, by system; a PATCH replaces all of them. */
  external_ids?: { [member: string]: string } | null | undefined
  /** Where the record came from; null: not known. */
  source?: string | null | undefined
  /** The key by which the item finds the record to update. Without `match_on`, the item creates a record. */
  match_on?: CompanyMatchOn | undefined
}

export type CompanyBatchChange = {
  /** What the company is called; null: not known. */
  name?: string | null | undefined
  /** The primary domain, which is the first of `domains`. A web address is cut down to its host. */
  domain?: string | null | undefined
  /** All domains of the company, the primary domain first. */
  domains?: string[] | null | undefined
  /** The phone number, stored in E.164; null: none. */
  phone?: string | null | undefined
  /** The website. If the company has no domain, it gets the domain of the website, unless many companies share that host. */
  website?: string | null | undefined
  /** What the company does; null: not known. */
  industry?: string | null | undefined
  /** How many people the company employs; null: not known. */
  employee_count?: number | null | undefined
  /** The address of the LinkedIn profile; null: not known. */
  linkedin_url?: string | null | undefined
  /** The town; null: not known. */
  city?: string | null | undefined
  /** The state, province or county; null: not known. */
  region?: string | null | undefined
  /** Free text. The value is not checked against a list. */
  country?: string | null | undefined
  /** The member of the organization who owns the record, from GET /owners; null: nobody. */
  owner_id?: string | null | undefined
  /** The e-mail address of the member who owns the company; null: nobody. */
  owner_email?: string | null | undefined
  /** Words of your choice, by which lists can be filtered. */
  tags?: string[] | null | undefined
  /** Any JSON object. PATCH and upsert change only the values that you send; null removes a value. */
  custom?: { [member: string]: unknown } | null | undefined
  /** Ids of the record in other systems, by system; a PATCH replaces all of them. */
  external_ids?: { [member: string]: string } | null | undefined
  /** Where the record came from; null: not known. */
  source?: string | null | undefined
  /** The id of the company to write. */
  company_id: string
  /** The version that the record must have; otherwise the item fails, as with If-Match. */
  version?: number | undefined
}

export type CompanyBatchAction = {
  /** The id of the company to write. */
  company_id: string
  /** The version that the record must have; otherwise the item fails, as with If-Match. */
  version?: number | undefined
  /** Archives the company or restores it. */
  action: BatchAction
}

export type CompanyBatchItem = CompanyBatchCreate | CompanyBatchChange | CompanyBatchAction

export type CompanyBatch = {
  /** The items, in the order in which they are written. If an item is invalid, only this item fails. */
  items: CompanyBatchItem[]
  /** `record`: each outcome also has the record after the whole batch. */
  return?: BatchReturn | undefined
}

export type CompanyBatchOutcome = {
  /** The position of the item in the request, from 0. */
  index: number
  /** The effect of the item. `failed`: nothing, for the reason in `code` and `detail`. */
  outcome: BatchOutcome
  /** The record that the item wrote. */
  company_id?: string | undefined
  /** The version of the record after this item. */
  version?: number | undefined
  /** The record after the whole batch, if you sent `return: record`. */
  record?: Company | undefined
  /** Why the item failed, as a stable code for programs. */
  code?: ErrorCode | undefined
  /** Why the item failed: a text, or details as in a 422. */
  detail?: unknown
}

export type CompanyBatchRead = {
  /** Ids of companies. */
  ids?: string[] | undefined
  /** Only companies with this domain, or with the domain of this web address. */
  domains?: string[] | undefined
  /** A phone number in E.164. National form also works if a default_country is set. */
  phones?: string[] | undefined
  /** Only records with this external id: the system, a colon and the id, such as `crm:D-17`. */
  external_ids?: string[] | undefined
  /** The names of the fields that each record has in the answer. By default all. */
  fields?: string[] | undefined
}

export type CompanyFound = {
  /** The id or key that you sent. */
  requested: string
  /** `merged`: the id belongs to a merged record, and `record` is its canonical record. */
  status: FoundStatus
  /** The company. */
  record: Company
  /** The ids of further active records with this key, the oldest first. */
  other_ids: string[]
}

export type CompanyMissing = {
  /** The id or key that you sent. */
  requested: string
  /** Why there is no record. */
  status: MissingStatus
  /** No record was found. */
  record: null
  /** The ids of further active records with this key, the oldest first. */
  other_ids: string[]
}

export type CompanyBatchReadItem = CompanyFound | CompanyMissing

export type DealStatus = 'open' | 'won' | 'lost'

export type DealSortField = 'created_at' | '-created_at' | 'updated_at' | '-updated_at' | 'owner_email' | '-owner_email' | 'name' | '-name' | 'amount_cents' | '-amount_cents' | 'closed_at' | '-closed_at'

export type DealSort = DealSortField | string

export type Deal = {
  /** The id of the deal. */
  deal_id: string
  /** The name of the deal. */
  name: string
  /** In the minor unit of `currency`, such as cents; null: not known. */
  amount_cents: number | null
  /** The currency of the amount, as its code of ISO 4217. */
  currency: string | null
  /** A stage from the list of GET /deals/stages. */
  stage: string
  /** Only the endpoints for close and reopen change the status. */
  status: DealStatus
  /** The company that the deal is about; null: none. */
  company_id: string | null
  /** The contacts in their order, the main one first. */
  contact_ids: string[]
  /** Why the deal was won or lost; null: open, or closed without a reason. */
  close_reason_id: string | null
  /** When the deal was closed; null: open. */
  closed_at: number | null
  /** The member of the organization who owns the record, from GET /owners; null: nobody. */
  owner_id: string | null
  /** The e-mail address of the person in charge, who need not be a member; null: nobody. */
  owner_email: string | null
  /** The day on which the deal is expected to close, as YYYY-MM-DD; null: not known. */
  expected_close_on: string | null
  /** The probability that the deal is won, in percent; null: not known. */
  probability: number | null
  /** Words of your choice, by which lists can be filtered. */
  tags: string[]
  /** A JSON object with your own data. */
  custom: { [member: string]: unknown }
  /** Ids of the record in other systems, by system. */
  external_ids: { [member: string]: string }
  /** Where the record came from; null: not known. */
  source: string | null
  /** Ids of the records that were merged into this one, the oldest first. Requests with these ids lead to this record. */
  merged_ids: string[]
  /** By system, external ids of merged records that `external_ids` does not show, because it has another id of the same system. They still find the record. */
  merged_external_ids: { [member: string]: string[] }
  /** A number that rises with every change. Send it in If-Match, and the server refuses your change if the object has changed since. */
  version: number
  /** When the record was created. */
  created_at: number
  /** When the record was last changed. */
  updated_at: number
  /** When the record was archived; null: active. */
  archived_at: number | null
}

export type DealSearch = {
  /** A condition: a comparison (`field`, `op`, `value`), or `and`, `or` or `not` of conditions. */
  filter?: RecordFilter | undefined
  /** Finds records by words of their names, addresses or numbers. All given words must match, in any order. The beginning of a word is enough. */
  q?: string | undefined
  /** true lists archived records instead of active ones. */
  archived?: boolean | undefined
  /** Only records of this segment. They must also match all other filters. */
  segment_id?: string | undefined
  /** A minus before the name gives descending order. Records without the field come last. `custom.<key>` sorts by a member of `custom`. By default the order of the segment, or `-created_at`. */
  sort?: DealSort | undefined
  /** The names of the fields that each record has in the answer. By default all. */
  fields?: string[] | undefined
  /** The maximum number of items in a page. A page may have fewer items, because it ends after 4 MiB. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. Keep the filters the same. */
  cursor?: string | undefined
  /** The number of the page, from 1; use it instead of a cursor. It reaches only the first 10,000 items. */
  page?: number | undefined
}

export type DealFields = {
  /** The name of the deal. */
  name: string
  /** In the minor unit of `currency`, such as cents. An amount needs a currency. */
  amount_cents?: number | null | undefined
  /** The currency of the amount, as its code of ISO 4217. */
  currency?: string | null | undefined
  /** The stage of the deal, from the list of GET /deals/stages. By default a new deal is in the first stage. */
  stage?: string | undefined
  /** The company that the deal is about; null: none. */
  company_id?: string | null | undefined
  /** The contacts in their order, the main one first. */
  contact_ids?: string[] | null | undefined
  /** The member of the organization who owns the record, from GET /owners; null: nobody. */
  owner_id?: string | null | undefined
  /** The e-mail address of the person in charge, who need not be a member; null: nobody. */
  owner_email?: string | null | undefined
  /** The day on which the deal is expected to close, as YYYY-MM-DD; null: not known. */
  expected_close_on?: string | null | undefined
  /** The probability that the deal is won, in percent; null: not known. */
  probability?: number | null | undefined
  /** Words of your choice, by which lists can be filtered. */
  tags?: string[] | null | undefined
  /** Any JSON object. PATCH and upsert change only the values that you send; null removes a value. */
  custom?: { [member: string]: unknown } | null | undefined
  /** Ids of the record in other systems, by system; a PATCH replaces all of them. */
  external_ids?: { [member: string]: string } | null | undefined
  /** Where the record came from; null: not known. */
  source?: string | null | undefined
}

export type DealChanges = {
  /** The name of the deal. */
  name?: string | undefined
  /** In the minor unit of `currency`, such as cents. An amount needs a currency. */
  amount_cents?: number | null | undefined
  /** The currency of the amount, as its code of ISO 4217. */
  currency?: string | null | undefined
  /** The stage of the deal, from the list of GET /deals/stages. By default a new deal is in the first stage. */
  stage?: string | undefined
  /** The company that the deal is about; null: none. */
  company_id?: string | null | undefined
  /** The contacts in their order, the main one first. */
  contact_ids?: string[] | null | undefined
  /** The member of the organization who owns the record, from GET /owners; null: nobody. */
  owner_id?: string | null | undefined
  /** The e-mail address of the person in charge, who need not be a member; null: nobody. */
  owner_email?: string | null | undefined
  /** The day on which the deal is expected to close, as YYYY-MM-DD; null: not known. */
  expected_close_on?: string | null | undefined
  /** The probability that the deal is won, in percent; null: not known. */
  probability?: number | null | undefined
  /** Words of your choice, by which lists can be filtered. */
  tags?: string[] | null | undefined
  /** Any JSON object. PATCH and upsert change only the values that you send; null removes a value. */
  custom?: { [member: string]: unknown } | null | undefined
  /** Ids of the record in other systems, by system; a PATCH replaces all of them. */
  external_ids?: { [member: string]: string } | null | undefined
  /** Where the record came from; null: not known. */
  source?: string | null | undefined
}

export type ErasedDeal = {
  /** The deal that was erased. */
  deal_id: string
  /** The data was removed permanently. */
  erased: true
}

export type DealMatchOnKey = 'external_id'

export type DealMatchOn = DealMatchOnKey | string

export type DealUpsert = {
  /** The name of the deal. */
  name: string
  /** In the minor unit of `currency`, such as cents. An amount needs a currency. */
  amount_cents?: number | null | undefined
  /** The currency of the amount, as its code of ISO 4217. */
  currency?: string | null | undefined
  /** The stage of the deal, from the list of GET /deals/stages. By default a new deal is in the first stage. */
  stage?: string | undefined
  /** The company that the deal is about; null: none. */
  company_id?: string | null | undefined
  /** The contacts in their order, the main one first. */
  contact_ids?: string[] | null | undefined
  /** The member of the organization who owns the record, from GET /owners; null: nobody. */
  owner_id?: string | null | undefined
  /** The e-mail address of the person in charge, who need not be a member; null: nobody. */
  owner_email?: string | null | undefined
  /** The day on which the deal is expected to close, as YYYY-MM-DD; null: not known. */
  expected_close_on?: string | null | undefined
  /** The probability that the deal is won, in percent; null: not known. */
  probability?: number | null | undefined
  /** Words of your choice, by which lists can be filtered. */
  tags?: string[] | null | undefined
  /** Any JSON object. PATCH and upsert change only the values that you send; null removes a value. */
  custom?: { [member: string]: unknown } | null | undefined
  /** Ids of the record in other systems, by system; a PATCH replaces all of them. */
  external_ids?: { [member: string]: string } | null | undefined
  /** Where the record came from; null: not known. */
  source?: string | null | undefined
  /** The key by which the record is found. `custom.<key>` is a unique defined field. */
  match_on: DealMatchOn
}

export type UpsertedDeal = {
  /** The id of the deal. */
  deal_id: string
  /** The name of the deal. */
  name: string
  /** In the minor unit of `currency`, such as cents; null: not known. */
  amount_cents: number | null
  /** The currency of the amount, as its code of ISO 4217. */
  currency: string | null
  /** A stage from the list of GET /deals/stages. */
  stage: string
  /** Only the endpoints for close and reopen change the status. */
  status: DealStatus
  /** The company that the deal is about; null: none. */
  company_id: string | null
  /** The contacts in their order, the main one first. */
  contact_ids: string[]
  /** Why the deal was won or lost; null: open, or closed without a reason. */
  close_reason_id: string | null
  /** When the deal was closed; null: open. */
  closed_at: number | null
  /** The member of the organization who owns the record, from GET /owners; null: nobody. */
  owner_id: string | null
  /** The e-mail address of the person in charge, who need not be a member; null: nobody. */
  owner_email: string | null
  /** The day on which the deal is expected to close, as YYYY-MM-DD; null: not known. */
  expected_close_on: string | null
  /** The probability that the deal is won, in percent; null: not known. */
  probability: number | null
  /** Words of your choice, by which lists can be filtered. */
  tags: string[]
  /** A JSON object with your own data. */
  custom: { [member: string]: unknown }
  /** Ids of the record in other systems, by system. */
  external_ids: { [member: string]: string }
  /** Where the record came from; null: not known. */
  source: string | null
  /** Ids of the records that were merged into this one, the oldest first. Requests with these ids lead to this record. */
  merged_ids: string[]
  /** By system, external ids of merged records that `external_ids` does not show, because it has another id of the same system. They still find the record. */
  merged_external_ids: { [member: string]: string[] }
  /** A number that rises with every change. Send it in If-Match, and the server refuses your change if the object has changed since. */
  version: number
  /** When the record was created. */
  created_at: number
  /** When the record was last changed. */
  updated_at: number
  /** When the record was archived; null: active. */
  archived_at: number | null
  /** Whether the request created the deal or updated it. */
  outcome: UpsertOutcome
}

export type DealBatchCreate = {
  /** The name of the deal. */
  name: string
  /** In the minor unit of `currency`, such as cents. An amount needs a currency. */
  amount_cents?: number | null | undefined
  /** The currency of the amount, as its code of ISO 4217. */
  currency?: string | null | undefined
  /** The stage of the deal, from the list of GET /deals/stages. By default a new deal is in the first stage. */
  stage?: string | undefined
  /** The company that the deal is about; null: none. */
  company_id?: string | null | undefined
  /** The contacts in their order, the main one first. */
  contact_ids?: string[] | null | undefined
  /** The member of the organization who owns the record, from GET /owners; null: nobody. */
  owner_id?: string | null | undefined
  /** The e-mail address of the person in charge, who need not be a member; null: nobody. */
  owner_email?: string | null | undefined
  /** The day on which the deal is expected to close, as YYYY-MM-DD; null: not known. */
  expected_close_on?: string | null | undefined
  /** The probability that the deal is won, in percent; null: not known. */
  probability?: number | null | undefined
  /** Words of your choice, by which lists can be filtered. */
  tags?: string[] | null | undefined
  /** Any JSON object. PATCH and upsert change only the values that you send; null removes a value. */
  custom?: { [member: string]: unknown } | null | undefined
  /** Ids of the record in other systems, by system; a PATCH replaces all of them. */
  external_ids?: { [member: string]: string } | null | undefined
  /** Where the record came from; null: not known. */
  source?: string | null | undefined
  /** The key by which the item finds the record to update. Without `match_on`, the item creates a record. */
  match_on?: DealMatchOn | undefined
}

export type DealBatchChange = {
  /** The name of the deal. */
  name?: string | undefined
  /** In the minor unit of `currency`, such as cents. An amount needs a currency. */
  amount_cents?: number | null | undefined
  /** The currency of the amount, as its code of ISO 4217. */
  currency?: string | null | undefined
  /** The stage of the deal, from the list of GET /deals/stages. By default a new deal is in the first stage. */
  stage?: string | undefined
  /** The company that the deal is about; null: none. */
  company_id?: string | null | undefined
  /** The contacts in their order, the main one first. */
  contact_ids?: string[] | null | undefined
  /** The member of the organization who owns the record, from GET /owners; null: nobody. */
  owner_id?: string | null | undefined
  /** The e-mail address of the person in charge, who need not be a member; null: nobody. */
  owner_email?: string | null | undefined
  /** The day on which the deal is expected to close, as YYYY-MM-DD; null: not known. */
  expected_close_on?: string | null | undefined
  /** The probability that the deal is won, in percent; null: not known. */
  probability?: number | null | undefined
  /** Words of your choice, by which lists can be filtered. */
  tags?: string[] | null | undefined
  /** Any JSON object. PATCH and upsert change only the values that you send; null removes a value. */
  custom?: { [member: string]: unknown } | null | undefined
  /** Ids of the record in other systems, by system; a PATCH replaces all of them. */
  external_ids?: { [member: string]: string } | null | undefined
  /** Where the record came from; null: not known. */
  source?: string | null | undefined
  /** The id of the deal to write. */
  deal_id: string
  /** The version that the record must have; otherwise the item fails, as with If-Match. */
  version?: number | undefined
}

export type DealBatchAction = {
  /** The id of the deal to write. */
  deal_id: string
  /** The version that the record must have; otherwise the item fails, as with If-Match. */
  version?: number | undefined
  /** Archives the deal or restores it. */
  action: BatchAction
}

export type DealBatchItem = DealBatchCreate | DealBatchChange | DealBatchAction

export type DealBatch = {
  /** The items, in the order in which they are written. If an item is invalid, only this item fails. */
  items: DealBatchItem[]
  /** `record`: each outcome also has the record after the whole batch. */
  return?: BatchReturn | undefined
}

export type DealBatchOutcome = {
  /** The position of the item in the request, from 0. */
  index: number
  /** The effect of the item. `failed`: nothing, for the reason in `code` and `detail`. */
  outcome: BatchOutcome
  /** The record that the item wrote. */
  deal_id?: string | undefined
  /** The version of the record after this item. */
  version?: number | undefined
  /** The record after the whole batch, if you sent `return: record`. */
  record?: Deal | undefined
  /** Why the item failed, as a stable code for programs. */
  code?: ErrorCode | undefined
  /** Why the item failed: a text, or details as in a 422. */
  detail?: unknown
}

export type DealBatchRead = {
  /** Ids of deals. */
  ids?: string[] | undefined
  /** Only records with this external id: the system, a colon and the id, such as `crm:D-17`. */
  external_ids?: string[] | undefined
  /** The names of the fields that each record has in the answer. By default all. */
  fields?: string[] | undefined
}

export type DealFound = {
  /** The id or key that you sent. */
  requested: string
  /** `merged`: the id belongs to a merged record, and `record` is its canonical record. */
  status: FoundStatus
  /** The deal. */
  record: Deal
  /** The ids of further active records with this key, the oldest first. */
  other_ids: string[]
}

export type DealMissing = {
  /** The id or key that you sent. */
  requested: string
  /** Why there is no record. */
  status: MissingStatus
  /** No record was found. */
  record: null
  /** The ids of further active records with this key, the oldest first. */
  other_ids: string[]
}

export type DealBatchReadItem = DealFound | DealMissing

export type ClosedStatus = 'won' | 'lost'

export type CloseDeal = {
  /** How the deal ended. */
  status: ClosedStatus
  /** A close reason for this status that is not archived. */
  close_reason_id?: string | null | undefined
}

export type DealStages = {
  /** All stages in their order. */
  stages: string[]
  /** A number that rises with every change. Send it in If-Match, and the server refuses your change if the object has changed since. */
  version: number
}

export type DealStageMove = {
  /** A stage that this change removes. */
  from: string
  /** A stage that stays or that this change adds. */
  to: string
}

export type ReplaceDealStages = {
  /** All stages in their order. New deals start in the first one. */
  stages: string[]
  /** Where the open deals of removed stages go, including archived deals. To rename a stage, move its deals to the new name. */
  moves?: DealStageMove[] | undefined
}

export type DealValue = {
  /** The ISO 4217 code of the sum; null: deals without a currency. */
  currency: string | null
  /** How many deals are in the sum. */
  deals: number
  /** The exact sum, as a text of decimal digits, because many programs round large JSON numbers. */
  amount_cents: string
}

export type DealStageSummary = {
  /** The name of the stage. */
  stage: string
  /** Open deals in the stage, by currency. */
  values: DealValue[]
}

export type DealMonthSummary = {
  /** The month in UTC, as YYYY-MM. */
  month: string
  /** Won deals, by currency. */
  won: DealValue[]
  /** Lost deals, by currency. */
  lost: DealValue[]
}

export type CloseReasonSummary = {
  /** The id of the close reason; null: closed without a reason. */
  close_reason_id: string | null
  /** The label of the close reason; null: closed without a reason. */
  label: string | null
  /** Won deals, by currency. */
  won: DealValue[]
  /** Lost deals, by currency. */
  lost: DealValue[]
}

export type DealSummary = {
  /** The first month, as YYYY-MM. */
  from: string
  /** The last month, as YYYY-MM. */
  to: string
  /** Open deals, by stage. */
  open: DealStageSummary[]
  /** Every month of the period. A deal counts in the month in which it was closed. */
  months: DealMonthSummary[]
  /** The reasons of deals closed in these months; null: closed without a reason. */
  close_reasons: CloseReasonSummary[]
}

export type CloseReasonOutcome = 'won' | 'lost' | 'any'

export type CloseReason = {
  /** The id of the close reason. */
  close_reason_id: string
  /** The text that people see. */
  label: string
  /** The deals that the reason is for. */
  outcome: CloseReasonOutcome
  /** The position in the list, counted from 1; null: archived. If other reasons move, it changes without a new version. */
  position: number | null
  /** A number that rises with every change. Send it in If-Match, and the server refuses your change if the object has changed since. */
  version: number
  /** When the close reason was created. */
  created_at: number
  /** When the close reason was last changed. */
  updated_at: number
  /** When the close reason was archived; null: active. */
  archived_at: number | null
}

export type CloseReasonList = {
  /** All close reasons in their order. */
  close_reasons: CloseReason[]
  /** Whether your API key may create, change and archive close reasons. */
  can_manage: boolean
}

export type CreateCloseReason = {
  /** The text that people see. */
  label: string
  /** The deals that the reason is for. */
  outcome?: CloseReasonOutcome | undefined
  /** The position of the reason, from 1. The reason that has this position now, and all later reasons, move down by one. With a number beyond the end, the reason becomes the last. */
  position?: number | undefined
}

export type UpdateCloseReason = {
  /** The text that people see. */
  label?: string | undefined
  /** The deals that the reason is for. */
  outcome?: CloseReasonOutcome | undefined
  /** The position of the reason, from 1. The reason that has this position now, and all later reasons, move down by one. With a number beyond the end, the reason becomes the last. */
  position?: number | undefined
}

export type Owner = {
  /** The id of the member, for `owner_id` of records. */
  owner_id: string
  /** The name of the member. */
  name: string
  /** The e-mail address of the member, for `owner_email` of records. */
  email: string
}

export type OwnerRecords = {
  /** The id of the member, for `owner_id` of records. */
  owner_id: string
  /** The name of the member. */
  name: string
  /** The e-mail address of the member, for `owner_email` of records. */
  email: string
  /** How many active and archived contacts the member owns; null: you may not read contacts. */
  contacts: number | null
  /** How many active and archived companies the member owns; null: you may not read companies. */
  companies: number | null
  /** How many active and archived deals the member owns; null: you may not read deals. */
  deals: number | null
}

export type Reassign = {
  /** The member who gets the records; null: nobody owns them. */
  to_owner_id: string | null
}

export type BulkChangeEntity = 'contact' | 'company' | 'deal'

export type RecordsChange = {
  /** The member who gets the records; null: nobody owns them. */
  owner_id?: string | null | undefined
  /** Tags that each record gets. */
  add_tags?: string[] | undefined
  /** Tags that are removed from each record. */
  remove_tags?: string[] | undefined
  /** Members of `custom` that each record gets; null removes a member. Other members stay. */
  custom?: { [member: string]: unknown } | undefined
  /** Archives the records. Nothing else can change in the same request. */
  archive?: true | undefined
}

export type PreviewBulkChange = {
  /** The record type. */
  entity: BulkChangeEntity
  /** A filter as `POST /contacts/search` accepts it. */
  filter?: RecordFilter | undefined
  /** Words that each record must contain, with the same rules as `q` of the list. */
  q?: string | undefined
  /** Only records of this segment. */
  segment_id?: string | undefined
  /** What changes in each record. */
  change: RecordsChange
}

export type BulkChangePreview = {
  /** How many active records match, as far as you see them. */
  records: number
}

export type CreateBulkChange = {
  /** The record type. */
  entity: BulkChangeEntity
  /** A filter as `POST /contacts/search` accepts it. */
  filter?: RecordFilter | undefined
  /** Words that each record must contain, with the same rules as `q` of the list. */
  q?: string | undefined
  /** Only records of this segment. */
  segment_id?: string | undefined
  /** What changes in each record. */
  change: RecordsChange
}

export type BulkChangeStatus = 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled'

export type RequestedChange = {
  /** The member who gets the records; null: nobody owns them. */
  owner_id?: string | null | undefined
  /** Tags that each record gets. */
  add_tags?: string[] | undefined
  /** Tags that are removed from each record. */
  remove_tags?: string[] | undefined
  /** Members of `custom` that each record gets; null removes a member. */
  custom?: { [member: string]: unknown } | undefined
  /** Whether the records are archived. */
  archive?: boolean | undefined
}

export type BulkChangeRefusal = {
  /** The record that was not changed. */
  record_id: string
  /** The reason, as a stable code for programs. */
  code: string
  /** The reason. */
  reason: string
}

export type BulkChangeFailureCode = 'sender_removed' | 'filter_unusable' | 'internal_error'

export type BulkChangeFailure = {
  /** A stable code for programs. */
  code: BulkChangeFailureCode
  /** A text that says what is wrong and what to do. */
  message: string
}

export type ActorKind = 'api_key' | 'member' | 'operator' | 'system'

export type EventActor = {
  /** An API key, a person who is signed in, a command of the operator, or Crosswalk itself. Later versions may add kinds. */
  kind: ActorKind
  /** The id of the API key or member; null for the operator and the system. */
  id: string | null
  /** The current name of the API key or member. For an API key of an agency, and for a deleted one that it made: the name of the agency. The name of a person of an agency has the agency in brackets. null: it is deleted or has no name. */
  name: string | null
}

export type BulkChange = {
  /** The id of the change. */
  bulk_change_id: string
  /** The record type. */
  entity: BulkChangeEntity
  /** The state of the job. */
  status: BulkChangeStatus
  /** What changes in each record: the members that the request had; null: the job has ended. */
  change: RequestedChange | null
  /** How many records matched when the change was requested. */
  records: number
  /** How many records have been changed. */
  changed: number
  /** How many records had the values already. */
  unchanged: number
  /** How many records could not be changed. */
  refused: number
  /** The first 100 records that could not be changed, and why. */
  refusals: BulkChangeRefusal[]
  /** Why the job failed; null: it did not. */
  error: BulkChangeFailure | null
  /** The API key or person that requested the change. */
  created_by: EventActor
  /** When the change was requested. */
  created_at: number
  /** When the job ended; null: it has not ended. */
  ended_at: number | null
}

export type FieldEntity = 'contact' | 'company' | 'deal'

export type FieldType = 'text' | 'number' | 'boolean' | 'date' | 'datetime' | 'select' | 'multi_select' | 'url' | 'email' | 'phone'

export type FieldIndexState = 'building' | 'ready' | 'failed'

export type FieldConversionState = 'running' | 'succeeded' | 'failed'

export type FieldConversion = {
  /** Whether the job runs. After `failed`, send `"existing": "convert"` again. */
  state: FieldConversionState
  /** How many records had a value to convert when the job started. */
  records: number
  /** How many records have been changed. */
  converted: number
  /** How many records keep a value that does not fit. */
  unfit: number
  /** The first 100 records that keep a value that does not fit. */
  unfit_ids: string[]
}

export type Field = {
  /** The id of the field. */
  field_id: string
  /** The record type that has the field. */
  entity: FieldEntity
  /** The member of `custom` that holds the value. */
  key: string
  /** The name that people see. */
  label: string
  /** A help text for people; null: none. */
  description: string | null
  /** What the values are. */
  type: FieldType
  /** The values of a `select` or `multi_select`; empty for other types. */
  options: string[]
  /** The position among the fields of this record type, counted from 1. */
  position: number
  /** Whether the values have an index, so that filters by this field are fast. */
  filterable: boolean
  /** Whether a second active record with the same value is refused. */
  unique: boolean
  /** The index: `building`, `ready` or `failed`; null without one. Filters find the same records in every state. They are fast when it is `ready`. */
  index_state: FieldIndexState | null
  /** The latest job that converted the values of existing records; null: none. */
  conversion: FieldConversion | null
  /** A number that rises with every change. Send it in If-Match, and the server refuses your change if the object has changed since. */
  version: number
  /** When the field was defined. */
  created_at: number
  /** When the definition was last changed. */
  updated_at: number
}

export type FieldList = {
  /** All fields, by record type, each in its order. */
  fields: Field[]
  /** Whether your API key may define, change and delete fields. */
  can_manage: boolean
}

export type ExistingValues = 'refuse' | 'keep' | 'convert'

export type CreateField = {
  /** The record type that has the field. */
  entity: FieldEntity
  /** The member of `custom` that holds the value. It never changes. */
  key: string
  /** The name that people see. */
  label?: string | undefined
  /** A help text for people; empty: none. */
  description?: string | undefined
  /** What the values are. A `date` is `YYYY-MM-DD`, a `datetime` is stored as `YYYY-MM-DDTHH:MM:SSZ`, a `phone` in E.164. */
  type: FieldType
  /** The values of a `select` or `multi_select`, in the order in which people see them. */
  options?: string[] | undefined
  /** The position among the fields of this record type, from 1. The field that has this position now, and all later fields, move down by one. */
  position?: number | undefined
  /** What happens to values that records have: `refuse` answers 409 if some do not fit, and changes nothing. `keep` leaves all values until somebody writes them. `convert` starts a job that converts them, and leaves those that cannot be converted (`conversion`). */
  existing?: ExistingValues | undefined
  /** Whether the values get an index, so that filters by this field are fast. A background job builds it (`index_state`). At most 20 fields of each record type have one. */
  filterable?: boolean | undefined
  /** Whether a second active record with the same value is refused (409 `value_taken`). For `text`, `number`, `date`, `datetime`, `url`, `email` and `phone`. A unique field is also filterable. */
  unique?: boolean | undefined
}

export type RenameOption = {
  /** The option as it is now. */
  from: string
  /** Its new name. If another option has this name, the two become one. */
  to: string
}

export type UpdateField = {
  /** The name that people see. */
  label?: string | undefined
  /** A help text for people; empty: none. */
  description?: string | undefined
  /** What the values are. A `date` is `YYYY-MM-DD`, a `datetime` is stored as `YYYY-MM-DDTHH:MM:SSZ`, a `phone` in E.164. */
  type?: FieldType | undefined
  /** The values of a `select` or `multi_select`, in the order in which people see them. */
  options?: string[] | undefined
  /** The position among the fields of this record type, from 1. The field that has this position now, and all later fields, move down by one. */
  position?: number | undefined
  /** What happens to values that records have: `refuse` answers 409 if some do not fit, and changes nothing. `keep` leaves all values until somebody writes them. `convert` starts a job that converts them, and leaves those that cannot be converted (`conversion`). */
  existing?: ExistingValues | undefined
  /** Options of a `select` or `multi_select` to rename. A job changes the value in all records (`conversion`). Segments follow at once. */
  rename_options?: RenameOption[] | undefined
  /** Whether the values get an index, so that filters by this field are fast. A background job builds it (`index_state`). At most 20 fields of each record type have one. */
  filterable?: boolean | undefined
  /** Whether a second active record with the same value is refused (409 `value_taken`). For `text`, `number`, `date`, `datetime`, `url`, `email` and `phone`. A unique field is also filterable. */
  unique?: boolean | undefined
}

export type EntityType = 'contact' | 'company' | 'deal'

export type Note = {
  /** The id of the note. */
  note_id: string
  /** The type of the record that the note is about. */
  entity_type: EntityType
  /** The record that the note is about. It follows merges and undos of the record, without a new version of the note. */
  record_id: string
  /** The current name of the record; null: it has none. */
  record_name: string | null
  /** The text in Markdown. */
  text: string
  /** The API key, person or program that wrote the note. */
  author: EventActor
  /** A number that rises with every change. Send it in If-Match, and the server refuses your change if the object has changed since. */
  version: number
  /** When the note was written. */
  created_at: number
  /** When the text was last changed. */
  updated_at: number
}

export type CreateNote = {
  /** The type of the record that the note is about. */
  entity_type: EntityType
  /** The record that the note is about. After a merge, the id of any merged record works. After an undo, the note belongs to the record whose id you sent. */
  record_id: string
  /** The text in Markdown, up to 65,536 characters. */
  text: string
}

export type UpdateNote = {
  /** The text in Markdown, up to 65,536 characters. */
  text: string
}

export type TaskStatus = 'open' | 'done'

export type Task = {
  /** The id of the task. */
  task_id: string
  /** The type of the record that the task is about. */
  entity_type: EntityType
  /** The record that the task is about. It follows merges and undos of the record, without a new version of the task. */
  record_id: string
  /** The current name of the record; null: it has none. */
  record_name: string | null
  /** The thing to do. */
  title: string
  /** More about the task in Markdown; null: nothing. */
  text: string | null
  /** The last day on which the task is not late; null: none. */
  due_on: string | null
  /** The member in charge of the task; null: nobody. */
  assignee_id: string | null
  /** The current name of the member in charge; null: nobody. */
  assignee_name: string | null
  /** The API key, person or program that created the task. */
  author: EventActor
  /** When the task was completed; null: it is open. */
  completed_at: number | null
  /** The API key, person or program that completed the task; null: it is open. */
  completed_by: EventActor | null
  /** A number that rises with every change. Send it in If-Match, and the server refuses your change if the object has changed since. */
  version: number
  /** When the task was created. */
  created_at: number
  /** When the task was last changed. */
  updated_at: number
}

export type CreateTask = {
  /** The type of the record that the task is about. */
  entity_type: EntityType
  /** The record that the task is about. After a merge, the id of any merged record works. After an undo, the task belongs to the record whose id you sent. */
  record_id: string
  /** The thing to do. */
  title: string
  /** More about the task in Markdown, up to 65,536 characters; null or empty: nothing. */
  text?: string | null | undefined
  /** The last day on which the task is not late, as YYYY-MM-DD; null: none. */
  due_on?: string | null | undefined
  /** The member in charge of the task; null: nobody. */
  assignee_id?: string | null | undefined
}

export type UpdateTask = {
  /** The thing to do. */
  title?: string | undefined
  /** More about the task in Markdown, up to 65,536 characters; null or empty: nothing. */
  text?: string | null | undefined
  /** The last day on which the task is not late, as YYYY-MM-DD; null: none. */
  due_on?: string | null | undefined
  /** The member in charge of the task; null: nobody. */
  assignee_id?: string | null | undefined
}

export type SegmentEntity = 'contact' | 'company' | 'deal'

export type SegmentCountState = 'counted' | 'counting' | 'too_slow' | 'filter_invalid' | 'limited'

export type SegmentProblemCode = 'filter_invalid' | 'field_deleted' | 'field_type_changed' | 'option_deleted' | 'stage_deleted'

export type SegmentProblem = {
  /** `filter_invalid`: lists with the segment answer 422. With all other codes, the segment still works, but may find fewer records than you expect. */
  code: SegmentProblemCode
  /** The problem, and how to solve it. */
  message: string
}

export type Segment = {
  /** The id of the segment. Send it to lists, exports and pushes. */
  segment_id: string
  /** The records that the segment selects. */
  entity: SegmentEntity
  /** The name that people see. */
  name: string
  /** The filter, with the operator of each condition; null: all records. */
  filter: { [member: string]: unknown } | null
  /** Words that each record must contain; null: no words. */
  q: string | null
  /** The order of lists; null: the newest first. */
  sort: string | null
  /** The number of active records in the segment at `counted_at`; null: `count_state` says why. */
  count: number | null
  /** When the records were last counted; null: not since the filter changed. */
  counted_at: number | null
  /** `counting`: read the segment again later. `too_slow`: PostgreSQL stopped the last count after 10 s. `filter_invalid`: no list works with this filter, see `problem`. `limited`: your record access is limited, and a count would include hidden records. */
  count_state: SegmentCountState
  /** Why the segment does not do what its filter says; null: there is no problem. */
  problem: SegmentProblem | null
  /** A number that rises with every change. Send it in If-Match, and the server refuses your change if the object has changed since. */
  version: number
  /** When the segment was created. */
  created_at: number
  /** When the segment was last changed. */
  updated_at: number
}

export type SegmentList = {
  /** The segments, by their records and names. */
  segments: Segment[]
}

export type CreateSegment = {
  /** The records that the segment selects. It never changes. */
  entity: SegmentEntity
  /** The name that people see. */
  name: string
  /** A filter as `POST /contacts/search` accepts it, up to 16 KiB; null: all records. */
  filter?: RecordFilter | null | undefined
  /** Words that each record must contain, with the same rules as `q` of the list; null: no words. */
  q?: string | null | undefined
  /** The order of lists that do not send `sort`, such as `-updated_at`; null: the newest first. */
  sort?: string | null | undefined
}

export type UpdateSegment = {
  /** The name that people see. */
  name?: string | undefined
  /** A filter as `POST /contacts/search` accepts it, up to 16 KiB; null: all records. */
  filter?: RecordFilter | null | undefined
  /** Words that each record must contain, with the same rules as `q` of the list; null: no words. */
  q?: string | null | undefined
  /** The order of lists that do not send `sort`, such as `-updated_at`; null: the newest first. */
  sort?: string | null | undefined
}

export type MergeFilterStatus = 'applied' | 'undone' | 'shadow' | 'dismissed'

export type MergeSort = '-created_at' | '-score'

export type MergeStatus = 'applied' | 'applying' | 'undone' | 'shadow' | 'dismissed' | 'stale'

export type DuplicateEvidence = {
  /** The compared field. */
  field: string
  /** How well the two values agree, in words. */
  level: string
  /** How much this field changes the odds that the two records are the same, as an exponent of two. A negative weight lowers the odds. */
  weight: number
}

export type MergeMethod = 'auto' | 'manual' | 'api' | 'import'

export type UndoBlock = 'shadow' | 'already_undone' | 'applying' | 'expired' | 'erased' | 'survivor_deleted' | 'not_permitted' | 'dry_run'

export type Merge = {
  /** The id of the merge or the proposal. In the answer to a dry run, no merge has this id. */
  merge_id: string
  /** All merges of one request have the same group id. */
  merge_group_id: string
  /** The type of the two records. */
  entity_type: EntityType
  /** A proposal is `shadow` while it is open, and then `dismissed`, or `stale` if it was applied or one of its records changed. Lists show dismissed proposals only with `status=dismissed`, and never show `stale` ones. */
  status: MergeStatus
  /** True if this is only a proposal, which has merged nothing. */
  is_shadow: boolean
  /** The record that the merge keeps. */
  survivor_id: string
  /** The record that the survivor absorbs. */
  loser_id: string
  /** The name of the survivor; null: it has none. */
  survivor_name: string | null
  /** The name of the absorbed record; null: it has none. */
  loser_name: string | null
  /** The rule that decided; null: no rule decided. */
  rule: string | null
  /** The probability that the two records are the same, from 0 to 1; null: not computed. */
  score: number | null
  /** How well the fields of the two records agreed. */
  evidence: DuplicateEvidence[]
  /** `auto`: the engine merged the records. `manual`: a user applied a proposal. `api`: a request merged the records. `import`: an import merged them. */
  method: MergeMethod
  /** The version of the model that computed the score; null: there is no score. */
  model_version: string | null
  /** For a proposal: whether mode `auto` would merge the two. null: it is not a proposal. */
  would_apply: boolean | null
  /** When the merge or the proposal was created. */
  created_at: number
  /** When the two were merged; null: not merged. */
  merged_at: number | null
  /** The API key or member that merged the records; null: not merged, or merged by the engine or the operator. */
  merged_by: string | null
  /** When the merge was undone; null: not undone. */
  undone_at: number | null
  /** The API key or member that undid the merge; null: not undone, or undone by the operator. */
  undone_by: string | null
  /** Whether POST /duplicates/undo-merge/{id} would succeed now. */
  can_undo: boolean
  /** Why the merge cannot be undone now; null: it can be undone. */
  undo_blocked_reason: UndoBlock | null
  /** Fields of the survivor that the merge changed. */
  fields_filled: string[]
  /** How many records referred to the loser and refer to the survivor now; null: the member sees only some. */
  children_moved: number | null
}

export type MergeRequest = {
  /** The type of the records. */
  entity_type: EntityType
  /** The record into which the others are merged. */
  survivor_id: string
  /** The records that the survivor absorbs. */
  loser_ids: string[]
  /** By field, the id of the record whose value the survivor takes, instead of the value that the policy would choose. */
  field_choices?: { [member: string]: string } | undefined
  /** Also merges records with the verdict "different". */
  force?: boolean | undefined
  /** Returns the result without changing anything. */
  dry_run?: boolean | undefined
}

export type MergeResult = {
  /** true: nothing was merged, and the answer shows what a merge would do. */
  dry_run: boolean
  /** The `merge_group_id` of all merges of the request. After a dry run, no merge has this id. */
  merge_group_id: string
  /** One merge for each absorbed record. */
  merges: Merge[]
  /** The survivor after the merge, as GET returns it. */
  record: { [member: string]: unknown }
}

export type UndoMergeRequest = {
  /** Returns the result without changing anything. */
  dry_run?: boolean | undefined
}

export type UndoneMerge = {
  /** true: the merge is not undone, and the answer shows what an undo would do. */
  dry_run: boolean
  /** The id of the merge or the proposal. In the answer to a dry run, no merge has this id. */
  merge_id: string
  /** All merges of one request have the same group id. */
  merge_group_id: string
  /** The type of the two records. */
  entity_type: EntityType
  /** A proposal is `shadow` while it is open, and then `dismissed`, or `stale` if it was applied or one of its records changed. Lists show dismissed proposals only with `status=dismissed`, and never show `stale` ones. */
  status: MergeStatus
  /** True if this is only a proposal, which has merged nothing. */
  is_shadow: boolean
  /** The record that the merge keeps. */
  survivor_id: string
  /** The record that the survivor absorbs. */
  loser_id: string
  /** The name of the survivor; null: it has none. */
  survivor_name: string | null
  /** The name of the absorbed record; null: it has none. */
  loser_name: string | null
  /** The rule that decided; null: no rule decided. */
  rule: string | null
  /** The probability that the two records are the same, from 0 to 1; null: not computed. */
  score: number | null
  /** How well the fields of the two records agreed. */
  evidence: DuplicateEvidence[]
  /** `auto`: the engine merged the records. `manual`: a user applied a proposal. `api`: a request merged the records. `import`: an import merged them. */
  method: MergeMethod
  /** The version of the model that computed the score; null: there is no score. */
  model_version: string | null
  /** For a proposal: whether mode `auto` would merge the two. null: it is not a proposal. */
  would_apply: boolean | null
  /** When the merge or the proposal was created. */
  created_at: number
  /** When the two were merged; null: not merged. */
  merged_at: number | null
  /** The API key or member that merged the records; null: not merged, or merged by the engine or the operator. */
  merged_by: string | null
  /** When the merge was undone; null: not undone. */
  undone_at: number | null
  /** The API key or member that undid the merge; null: not undone, or undone by the operator. */
  undone_by: string | null
  /** Whether POST /duplicates/undo-merge/{id} would succeed now. */
  can_undo: boolean
  /** Why the merge cannot be undone now; null: it can be undone. */
  undo_blocked_reason: UndoBlock | null
  /** Fields of the survivor that the merge changed. */
  fields_filled: string[]
  /** How many records referred to the loser and refer to the survivor now; null: the member sees only some. */
  children_moved: number | null
  /** The record that the undo restored. */
  restored_id: string
  /** How many records refer to the restored record again; null: the member sees only some. */
  returned_children: number | null
  /** How many records still refer to the survivor; null: the member sees only some. */
  kept_children: number | null
  /** Warnings about values that the undo could not restore. */
  warnings: string[]
}

export type DuplicateMode = 'off' | 'shadow' | 'auto'

export type DuplicateRules = {
  /** The action of the engine for duplicates: nothing (`off`), propose (`shadow`) or merge (`auto`). */
  mode: DuplicateMode
  /** Modes of single rules that override `mode`. */
  rules: { [member: string]: DuplicateMode }
  /** The lowest probability (0 to 1) at which the engine merges two records even if no rule applies. */
  auto_threshold: number
  /** The lowest probability (0 to 1) at which the engine proposes two records. */
  review_threshold: number
  /** By field, a policy that overrides the field’s own policy. */
  survivorship: { [member: string]: string }
  /** For how many days a merge can be undone; null: no limit. */
  undo_days: number | null
}

export type DuplicateSettings = {
  /** The settings for contacts. */
  contact: DuplicateRules
  /** The settings for companies. */
  company: DuplicateRules
  /** The settings for deals. */
  deal: DuplicateRules
}

export type ChangeDuplicateRules = {
  /** The action of the engine for duplicates: nothing (`off`), propose (`shadow`) or merge (`auto`). Deals cannot have `auto`. */
  mode?: DuplicateMode | null | undefined
  /** Modes of single rules that override `mode`. Rules that the request does not name keep their mode; null removes the mode of a rule. */
  rules?: { [member: string]: DuplicateMode | null } | null | undefined
  /** The lowest probability (0.01 to 1) at which the engine merges two records even if no rule applies. It must be at least `review_threshold`. */
  auto_threshold?: number | null | undefined
  /** The lowest probability (0.01 to 1) at which the engine proposes two records that no rule finds. A rule proposes its records at any score. */
  review_threshold?: number | null | undefined
  /** By field, the policy that decides between two values: `primary`, `furthest_stage`, `min`, `max`, `longest` or `members`. Each field supports some of them; null restores the default. */
  survivorship?: { [member: string]: string | null } | null | undefined
  /** For how many days a merge can be undone; null: no limit. */
  undo_days?: number | null | undefined
}

export type ChangeDuplicateSettings = {
  /** The settings for contacts; only the fields that you send change. */
  contact?: ChangeDuplicateRules | null | undefined
  /** The settings for companies; only the fields that you send change. */
  company?: ChangeDuplicateRules | null | undefined
  /** The settings for deals; only the fields that you send change. */
  deal?: ChangeDuplicateRules | null | undefined
}

export type PreviewCounts = {
  /** Pairs that the engine would merge. */
  merged: number
  /** Pairs that the engine would propose. */
  proposed: number
  /** Pairs that the engine would leave alone. */
  left: number
}

export type RulePreview = {
  /** The name of a rule; null: the score alone. */
  rule: string | null
  /** With the present settings. */
  before: PreviewCounts
  /** With the settings of the request. */
  after: PreviewCounts
}

export type PreviewedAction = 'merge' | 'propose' | 'nothing'

export type PreviewedPair = {
  /** The id of the proposal or the merge. */
  merge_id: string
  /** The name of one record; null: it has none. */
  survivor_name: string | null
  /** The name of the other record; null: it has none. */
  loser_name: string | null
  /** The rule that applies; null: none. */
  rule: string | null
  /** The probability of a match, 0 to 1. */
  score: number
  /** The action with the present settings. */
  before: PreviewedAction
  /** The action with the settings of the request. */
  after: PreviewedAction
}

export type PreviewGap = 'many_pairs' | 'lower_review_threshold' | 'was_off'

export type SettingsPreview = {
  /** The preview has the pairs that the engine proposed or merged at or after this time. */
  since: number
  /** With the present settings. */
  before: PreviewCounts
  /** With the settings of the request. */
  after: PreviewCounts
  /** Pairs that the settings of the request would merge, although somebody dismissed the proposal or undid the merge. */
  contradicted: number
  /** The same numbers for each rule of the record type. */
  rules: RulePreview[]
  /** Up to 20 pairs with which the engine would act differently, the highest scores first. */
  changes: PreviewedPair[]
  /** Why pairs are missing. `many_pairs`: only the newest 1,000 are counted. `lower_review_threshold`: the engine stored no pairs below the present threshold. `was_off`: the request turns on a mode or a rule that is off now, and the engine stored no pairs for it. */
  incomplete_because: PreviewGap[]
}

export type SettingsPreviews = {
  /** The preview for contacts; null: the request does not name them. */
  contact: SettingsPreview | null
  /** The preview for companies; null: the request does not name them. */
  company: SettingsPreview | null
  /** The preview for deals; null: the request does not name them. */
  deal: SettingsPreview | null
}

export type ProposalIds = {
  /** The `merge_id` of each proposal, each once. */
  merge_ids: string[]
}

export type ProposalOutcome = 'applied' | 'dismissed' | 'failed'

export type AnsweredProposal = {
  /** The id of the proposal. */
  merge_id: string
  /** The result for the proposal. `failed`: nothing changed. */
  outcome: ProposalOutcome
  /** The id of the merge, if the proposal was applied. */
  applied_merge_id?: string | undefined
  /** A code that is listed in docs/reference/errors.md. Later versions may add codes. */
  code?: ErrorCode | undefined
  /** Why the proposal failed. */
  detail?: string | undefined
}

export type ProposalResult = {
  /** The record that stays: one of the two. By default, the survivor of the proposal. */
  survivor_id?: string | undefined
  /** By field, the id of the record whose value the survivor takes, as in POST /duplicates/merge. */
  field_choices?: { [member: string]: string } | undefined
}

export type CandidateOutcome = 'auto' | 'review' | 'none'

export type Candidate = {
  /** The record that may be the same. */
  record_id: string
  /** The name of the record; null: it has none. */
  name: string | null
  /** The probability that the two records are the same, from 0 to 1. */
  score: number
  /** The rule that applies; null: no rule applies. */
  rule: string | null
  /** How well the fields of the two records agree. */
  evidence: DuplicateEvidence[]
  /** Why the engine must not merge the two automatically, or at all; null: no veto. */
  veto: string | null
  /** The action of the engine: `auto` (merge if the mode is `auto`), `review` (propose) or `none`. */
  outcome: CandidateOutcome
  /** Whether mode `auto` would merge the two. */
  would_apply: boolean
  /** The open proposal about the two records; null: none. */
  merge_id: string | null
}

export type ScanRequest = {
  /** The type of the records. */
  entity_type: EntityType
}

export type ScanStatus = 'queued' | 'running' | 'succeeded' | 'failed'

export type ScanCounts = {
  /** Records that were read. */
  records_read: number
  /** Pairs of records that were compared. */
  pairs_compared: number
  /** Proposals that the scan created. */
  proposals_opened: number
  /** Merges that the scan applied. */
  merges_applied: number
}

export type ScanFailureCode = 'internal_error'

export type ScanFailure = {
  /** A stable code for programs. */
  code: ScanFailureCode
  /** A text that says what is wrong and what to do. */
  message: string
}

export type DuplicateScan = {
  /** The id of the scan. */
  scan_id: string
  /** The type of the compared records. */
  entity_type: EntityType
  /** The state of the scan. The last two are final. */
  status: ScanStatus
  /** The share of the scan that is finished, from 0 to 1. */
  progress: number
  /** The progress of the scan so far. */
  counts: ScanCounts
  /** Why the scan failed; null: it did not. */
  error: ScanFailure | null
  /** When the scan was requested. */
  created_at: number
  /** When the scan began; null: not yet. */
  started_at: number | null
  /** When the scan ended; null: not yet. */
  finished_at: number | null
}

export type PersonaStatus = 'draft' | 'active' | 'archived'

export type PersonaVoice = {
  /** The id of the voice at the provider; null: its default voice. */
  provider_voice_id: string | null
  /** The spoken language as a BCP 47 tag; null: the default of the provider. */
  language: string | null
  /** The speed of the voice, as a factor: 1 is normal; null: the default. */
  speed: number | null
}

export type Persona = {
  /** The id of the persona. */
  persona_id: string
  /** The name of the persona. */
  name: string
  /** The job title of the persona; null: none. */
  role_title: string | null
  /** The purpose of the persona. The agent does not get it. null: none. */
  description: string | null
  /** The prompt of the AI agent; null: none. */
  instructions: string | null
  /** How the AI agent speaks. */
  voice: PersonaVoice
  /** The first words of the AI agent; null: none. */
  greeting: string | null
  /** A new persona is a draft until it is activated. */
  status: PersonaStatus
  /** When the persona was archived; null: not archived. */
  archived_at: number | null
  /** A number that rises with every change. Send it in If-Match, and the server refuses your change if the object has changed since. */
  version: number
  /** When the persona was created. */
  created_at: number
  /** When the persona was last changed. */
  updated_at: number
}

export type ChangePersonaVoice = {
  /** The voice's id at the provider; null: the provider's default voice. */
  provider_voice_id?: string | null | undefined
  /** The spoken language as a BCP 47 tag; null: the default of the provider. */
  language?: string | null | undefined
  /** The speed of the voice, as a factor: 1 is normal; null: the default of the provider. */
  speed?: number | null | undefined
}

export type CreatePersona = {
  /** The name of the persona. */
  name: string
  /** The job title of the persona. Only people see it. */
  role_title?: string | null | undefined
  /** The purpose of the persona. The agent does not get it. */
  description?: string | null | undefined
  /** The prompt of the AI agent: who it is, what it should achieve, what it must not do. */
  instructions?: string | null | undefined
  /** The first words of the AI agent. */
  greeting?: string | null | undefined
  /** Only the fields that you send change; null clears all of them. */
  voice?: ChangePersonaVoice | null | undefined
}

export type UpdatePersona = {
  /** The name of the persona. */
  name?: string | undefined
  /** The job title of the persona. Only people see it. */
  role_title?: string | null | undefined
  /** The purpose of the persona. The agent does not get it. */
  description?: string | null | undefined
  /** The prompt of the AI agent: who it is, what it should achieve, what it must not do. */
  instructions?: string | null | undefined
  /** The first words of the AI agent. */
  greeting?: string | null | undefined
  /** Only the fields that you send change; null clears all of them. */
  voice?: ChangePersonaVoice | null | undefined
}

export type VoiceNumber = {
  /** The id of the number. */
  number_id: string
  /** The phone number in E.164. */
  number: string
  /** A name for people; null: none. */
  label: string | null
  /** The id of the number at the provider; null: none. */
  provider_ref: string | null
  /** When the number was added. */
  created_at: number
}

export type CreateVoiceNumber = {
  /** A phone number in E.164. National form also works if a default_country is set. */
  number: string
  /** A name for people. */
  label?: string | null | undefined
  /** The provider's id of the number, if its calls need that. */
  provider_ref?: string | null | undefined
}

export type VoiceProvider = 'simulator' | 'livekit' | 'vapi' | 'twilio'

export type CallingHours = {
  /** The time at which the calling hours begin, as HH:MM. */
  start: string
  /** The time at which the calling hours end, as HH:MM. */
  end: string
}

export type SubscriptionStatus = 'active' | 'past_due' | 'canceled'

export type VoiceSubscription = {
  /** The status of the subscription. Calls need the status `active`, even in test mode. */
  status: SubscriptionStatus
  /** Minutes of live calls in a month; null: no limit. */
  included_minutes: number | null
}

export type VoiceSettings = {
  /** The provider that places the calls. API keys of test mode always use the simulator. */
  provider: VoiceProvider
  /** The provider’s credentials, each with its last characters; null: none. */
  credentials: { [member: string]: string } | null
  /** Providers whose credentials are stored. */
  kept_credentials: string[]
  /** Whether premium-rate, shared-cost, personal, pager and satellite numbers may be called. */
  allow_premium: boolean
  /** The maximum number of calls that run at once. */
  concurrent_call_cap: number
  /** When calls may be placed, by the clock of the callee; null: at any time. */
  calling_hours: CallingHours | null
  /** Whether calls begin with a sentence that says an AI is calling. */
  ai_disclosure: boolean
  /** Your own text for the sentence that says an AI is calling; null: the built-in sentence. */
  ai_disclosure_text: string | null
  /** The subscription for calls, which the operator of this installation sets. */
  subscription: VoiceSubscription
  /** A number that rises with every change. Send it in If-Match, and the server refuses your change if the object has changed since. */
  version: number
  /** When the settings were last changed; null: never. */
  updated_at: number | null
  /** The address at which the provider reports the progress of calls. LiveKit needs it in its configuration. null: the simulator, or no PUBLIC_URL. */
  callback_url: string | null
}

export type ChangeCallingHours = {
  /** The time at which the calling hours begin, as HH:MM. */
  start: string
  /** The time at which the calling hours end, as HH:MM. */
  end: string
}

export type UpdateVoiceSettings = {
  /** The provider that places the calls. Keys of test mode always use the simulator. */
  provider?: VoiceProvider | undefined
  /** The credentials that the provider needs: twilio {account_sid, auth_token}, vapi {api_key, assistant_id, phone_number_id}, livekit {url, api_key, api_secret, sip_trunk_id, agent_name}. Only the credentials that you send change. Answers show at most their last four characters. To delete all credentials, send null together with the provider `simulator`. */
  credentials?: { [member: string]: string } | null | undefined
  /** Whether premium-rate, shared-cost, personal, pager and satellite numbers may be called. */
  allow_premium?: boolean | undefined
  /** The maximum number of calls that run at once. */
  concurrent_call_cap?: number | undefined
  /** When calls may be placed, by the callee's clock; past midnight if the end is before the start. null: at any time. */
  calling_hours?: ChangeCallingHours | null | undefined
  /** Whether every call begins with a sentence that says an AI is calling. The law demands it in many places (EU AI Act, Article 50). The event `voice_settings.updated` has the old value and the new one. */
  ai_disclosure?: boolean | undefined
  /** Your own text for the sentence that says an AI is calling. null: the built-in sentence, in the language of the persona's voice, or in English. */
  ai_disclosure_text?: string | null | undefined
}

export type PlaceCall = {
  /** The number to call: a phone number in E.164. National form also works if a default_country is set. The number must be in use. */
  to_number: string
  /** The caller id, one of the organization's numbers; optional if it has exactly one. */
  from_number?: string | null | undefined
  /** The time zone of the callee, a name of the IANA database. Required if there are calling hours. */
  timezone?: string | null | undefined
  /** true: make all checks, and place no call. */
  dry_run?: boolean | undefined
  /** The persona that speaks. */
  persona_id?: string | null | undefined
  /** Instructions for this call. The AI agent gets them after the persona’s instructions. */
  instructions?: string | null | undefined
  /** Texts by name. In the greeting of the persona, `{{name}}` shows the text `name`. */
  variables?: { [member: string]: string } | undefined
  /** Your own data; answers return it unchanged. */
  metadata?: { [member: string]: unknown } | undefined
}

export type DialedCallStatus = 'dispatched' | 'unknown' | 'failed'

export type DialedCall = {
  /** The id of the call. */
  call_id: string
  /** The mode of the API key. Calls of test mode make no phone ring. */
  mode: Mode
  /** The provider of the call. In test mode, it is always the simulator. */
  provider: VoiceProvider
  /** The id of the call at the provider; null: none yet. */
  provider_call_id: string | null
  /** The called number in E.164; null: erased together with its contact. */
  to_number: string | null
  /** The number of the organization that calls, in E.164. */
  from_number: string
  /** The persona that speaks; null: none. */
  persona_id: string | null
  /** When the call was placed. */
  created_at: number
  /** unknown: the provider did not say whether it dials. Crosswalk polls the provider and does not dial again; GET /voice/calls/{call_id} shows the outcome. failed: only in the answer to a retry. The first request was interrupted, and the provider has no such call. */
  status: DialedCallStatus
  /** The request was not a dry run: it placed the call. */
  dry_run: false
  /** The unchanged answer of the provider. */
  dispatch: unknown
}

export type ValidatedCall = {
  /** A dry run places no call. */
  call_id: null
  /** The mode of the API key. Calls of test mode make no phone ring. */
  mode: Mode
  /** The provider of the call. In test mode, it is always the simulator. */
  provider: VoiceProvider
  /** The id of the call at the provider; null: none yet. */
  provider_call_id: string | null
  /** The called number in E.164; null: erased together with its contact. */
  to_number: string | null
  /** The number of the organization that calls, in E.164. */
  from_number: string
  /** The persona that speaks; null: none. */
  persona_id: string | null
  /** When the call was placed. */
  created_at: number
  /** A call would be placed. */
  status: 'validated'
  /** The request only made the checks, and placed no call. */
  dry_run: true
  /** The unchanged answer of the provider. */
  dispatch: unknown
}

export type PlacedCall = DialedCall | ValidatedCall

export type CallStatus = 'dispatching' | 'unknown' | 'queued' | 'ringing' | 'in_progress' | 'completed' | 'busy' | 'no_answer' | 'failed' | 'canceled'

export type CallFailureCode = 'call_refused' | 'consent_denied' | 'number_suppressed' | 'call_never_dialed' | 'call_end_unknown' | 'call_result_unknown'

export type CallFailure = {
  /** A stable code for programs. */
  code: CallFailureCode
  /** A text that says what is wrong and what to do. */
  message: string
}

export type Call = {
  /** The id of the call. */
  call_id: string
  /** The mode of the API key. Calls of test mode make no phone ring. */
  mode: Mode
  /** The provider of the call. In test mode, it is always the simulator. */
  provider: VoiceProvider
  /** The id of the call at the provider; null: none yet. */
  provider_call_id: string | null
  /** The called number in E.164; null: erased together with its contact. */
  to_number: string | null
  /** The number of the organization that calls, in E.164. */
  from_number: string
  /** The persona that speaks; null: none. */
  persona_id: string | null
  /** When the call was placed. */
  created_at: number
  /** `dispatching` and `unknown` are not final: another status follows. A status never moves back. */
  status: CallStatus
  /** Your instructions for this call; null: none. */
  instructions: string | null
  /** Your values for instructions and greeting. */
  variables: { [member: string]: string }
  /** Your own data, unchanged. */
  metadata: { [member: string]: unknown }
  /** Seconds of conversation; null: not known yet. */
  duration_seconds: number | null
  /** Why the call failed; `message` has the code and the message of the provider. null: the call did not fail. */
  error: CallFailure | null
  /** When the call ended; null: not yet. */
  ended_at: number | null
}

export type CallCounts = {
  /** All placed calls. */
  calls: number
  /** Calls that somebody answered. */
  answered: number
  /** Seconds of conversation, in calls that have ended. */
  seconds: number
  /** Minutes of conversation. The minutes of each call are rounded up. */
  minutes: number
}

export type VoiceUsageMonth = {
  /** The month in UTC, as YYYY-MM. */
  month: string
  /** Calls of live mode. */
  live: CallCounts
  /** Calls of test mode. */
  test: CallCounts
}

export type VoiceUsage = {
  /** Months with calls, the latest first. */
  months: VoiceUsageMonth[]
  /** Minutes of live calls in a month; null: no limit. */
  included_minutes: number | null
  /** Running live calls that count against the cap. */
  concurrent_calls: number
  /** The maximum number of live calls that run at once. */
  concurrent_call_cap: number
}

export type Suppression = {
  /** The id of the entry. */
  suppression_id: string
  /** The phone number in E.164. */
  number: string
  /** Why the number must not be called; null: not given. `consent_denied`: the number belonged to an erased contact that had denied consent to phone calls. */
  reason: string | null
  /** Where the entry comes from; null: not given. */
  source: string | null
  /** When the person asked not to be called. */
  since: number
  /** When the entry was created. */
  created_at: number
}

export type CreateSuppression = {
  /** A phone number in E.164. National form also works if a default_country is set. */
  number: string
  /** Why the number must not be called. */
  reason?: string | null | undefined
  /** Where the entry comes from. */
  source?: string | null | undefined
  /** Unix seconds: when the person asked. Default: now. This time is only a note: the entry takes effect at once. */
  since?: number | null | undefined
}

export type SuppressionOutcome = 'created' | 'existing'

export type CreatedSuppression = {
  /** The id of the entry. */
  suppression_id: string
  /** The phone number in E.164. */
  number: string
  /** Why the number must not be called; null: not given. `consent_denied`: the number belonged to an erased contact that had denied consent to phone calls. */
  reason: string | null
  /** Where the entry comes from; null: not given. */
  source: string | null
  /** When the person asked not to be called. */
  since: number
  /** When the entry was created. */
  created_at: number
  /** existing: the number was on the list, and nothing changed. */
  outcome: SuppressionOutcome
}

export type SuppressionEntry = {
  /** A phone number in E.164. National form also works if a default_country is set. */
  number: string
  /** Why the number must not be called. */
  reason?: string | null | undefined
  /** Where the entry comes from. */
  source?: string | null | undefined
  /** Unix seconds: when the person asked. Default: now. This time is only a note: the entry takes effect at once. */
  since?: number | null | undefined
}

export type ImportSuppressions = {
  /** Each entry as in POST /voice/suppressions. */
  suppressions: SuppressionEntry[]
}

export type RefusedSuppression = {
  /** For CSV, the line in the file. For JSON, the position in the list, from 1. */
  row: number
  /** A code that is listed in docs/reference/errors.md. Later versions may add codes. */
  code: ErrorCode
  /** Why the row was refused. */
  reason: string
}

export type ImportedSuppressions = {
  /** Numbers that are new on the list. */
  created: number
  /** Rows whose number was already on the list, or in an earlier row of this import. */
  existing: number
  /** Rows that could not be read. Nothing was stored for them. */
  refused: number
  /** The first 1,000 refused rows. */
  refusals: RefusedSuppression[]
}

export type SignatureTemplate = {
  /** The id of the template. */
  template_id: string
  /** The name of the template. */
  name: string
  /** HTML with Liquid. */
  html: string
  /** The plain text, with Liquid; null: it is derived from the HTML. */
  text: string | null
  /** The number of mailboxes that use the template. */
  mailboxes: number
  /** A number that rises with every change. Send it in If-Match, and in a push. */
  version: number
  /** When the template was created. */
  created_at: number
  /** When the template was last changed. */
  updated_at: number
}

export type CreateSignatureTemplate = {
  /** The name of the template. */
  name: string
  /** HTML with Liquid; see docs/reference/signatures.md. */
  html: string
  /** The plain text, with Liquid; null: it is derived from the HTML. */
  text?: string | null | undefined
}

export type UpdateSignatureTemplate = {
  /** The name of the template. */
  name?: string | undefined
  /** HTML with Liquid; see docs/reference/signatures.md. */
  html?: string | undefined
  /** The plain text, with Liquid; null: it is derived from the HTML. */
  text?: string | null | undefined
}

export type SignatureProvider = 'sandbox' | 'gmail' | 'manual'

export type DeploymentStatus = 'never' | 'queued' | 'compiling' | 'installing' | 'installed' | 'failed' | 'manual_pending'

export type SignaturePushFailureCode = 'mailbox_deleted' | 'template_missing' | 'template_invalid' | 'provider_not_configured' | 'provider_refused' | 'provider_unavailable' | 'internal_error'

export type SignaturePushFailure = {
  /** A stable code for programs. */
  code: SignaturePushFailureCode
  /** A text that says what is wrong and what to do. */
  message: string
}

export type SignatureDeployment = {
  /** The mode of the pushes: the mode of the API keys that requested them. */
  mode: Mode
  /** The state of the last push. `never`: there was none. */
  status: DeploymentStatus
  /** The installed version of the mailbox; null: none is installed. */
  revision: number | null
  /** When the signature was installed; null: none is installed. */
  installed_at: number | null
  /** Why the last push failed or will be retried; null: neither. */
  error: SignaturePushFailure | null
  /** SHA-256 of the installed HTML in UTF-8; null: none is installed. */
  html_sha256: string | null
}

export type Mailbox = {
  /** The id of the mailbox. */
  mailbox_id: number
  /** The e-mail address of the mailbox. */
  email: string
  /** The name of the person; null: none. */
  display_name: string | null
  /** How the signature is installed. */
  provider: SignatureProvider
  /** The template of the signature; null: none. */
  template_id: string | null
  /** The persona that the template sees; null: none. */
  persona_id: string | null
  /** The data of the person for the template. */
  fields: { [member: string]: string }
  /** The version that the next push would install. It rises when the mailbox or its template changes. */
  version: number
  /** The result of the last push. */
  deployment: SignatureDeployment
  /** When the mailbox was added. */
  created_at: number
  /** When the mailbox was last changed. */
  updated_at: number
}

export type CreateMailbox = {
  /** The e-mail address of the mailbox. */
  email: string
  /** The name of the person, for the template. */
  display_name?: string | null | undefined
  /** How the signature is installed. API keys of test mode always use the sandbox. */
  provider?: SignatureProvider | undefined
  /** The template of the signature; null: none. */
  template_id?: string | null | undefined
  /** The persona that the template sees as `persona`. */
  persona_id?: string | null | undefined
  /** The person’s data for the template, such as title, phone or photo_url. Only the fields that you send change; null for a text clears it, and null for `fields` clears all texts. */
  fields?: { [member: string]: string | null } | null | undefined
}

export type UpdateMailbox = {
  /** The e-mail address of the mailbox. */
  email?: string | undefined
  /** The name of the person, for the template. */
  display_name?: string | null | undefined
  /** How the signature is installed. API keys of test mode always use the sandbox. */
  provider?: SignatureProvider | undefined
  /** The template of the signature; null: none. */
  template_id?: string | null | undefined
  /** The persona that the template sees as `persona`. */
  persona_id?: string | null | undefined
  /** The person’s data for the template, such as title, phone or photo_url. Only the fields that you send change; null for a text clears it, and null for `fields` clears all texts. */
  fields?: { [member: string]: string | null } | null | undefined
}

export type SignaturePart = 'html' | 'text'

export type SignatureWarning = {
  /** The kind of the warning. */
  code: string
  /** The possible display problem, and its cause. */
  message: string
  /** The part of the template with the cause; null: unknown. */
  part: SignaturePart | null
  /** The line of the cause in that part, from 1; null: unknown. */
  line: number | null
}

export type SignaturePreview = {
  /** The id of the mailbox. */
  mailbox_id: number
  /** The version of the mailbox that is shown. */
  version: number
  /** The HTML of the signature. */
  html: string
  /** The plain text of the signature. */
  text: string
  /** Characters of the HTML; the maximum is 10,000. */
  size: number
  /** SHA-256 of the HTML in UTF-8. */
  html_sha256: string
  /** Possible display problems in mail programs. */
  warnings: SignatureWarning[]
}

export type PreviewSignatureTemplate = {
  /** HTML with Liquid; see docs/reference/signatures.md. */
  html: string
  /** The plain text, with Liquid; null: it is derived from the HTML. */
  text?: string | null | undefined
  /** The mailbox whose data is shown. Without it, each name in the template shows itself or an example. */
  mailbox_id?: number | null | undefined
}

export type SignatureTemplatePreview = {
  /** The HTML of the signature. */
  html: string
  /** The plain text of the signature. */
  text: string
  /** Characters of the HTML; the maximum is 10,000. */
  size: number
  /** Possible display problems in mail programs. */
  warnings: SignatureWarning[]
}

export type PushTemplate = {
  /** The version of the template that you have read. If it is not the current one, the answer is 409. */
  version: number
}

export type RolloutStatus = 'running' | 'finished'

export type SignatureRolloutCounts = {
  /** All mailboxes of the rollout. */
  mailboxes: number
  /** Mailboxes whose push waits. */
  queued: number
  /** Mailboxes whose signature is being compiled. */
  compiling: number
  /** Mailboxes whose signature is being installed. */
  installing: number
  /** Mailboxes whose signature is installed. */
  installed: number
  /** Mailboxes whose push failed. */
  failed: number
  /** Mailboxes whose owner has not yet installed the signature. */
  manual_pending: number
}

export type SignatureRollout = {
  /** The id of the rollout. */
  rollout_id: string
  /** The pushed template. */
  template_id: string
  /** The version of the template when it was pushed. */
  version: number
  /** The mode of the API key. */
  mode: Mode
  /** Whether pushes of the rollout are still under way. */
  status: RolloutStatus
  /** The mailboxes by the state of their push. */
  counts: SignatureRolloutCounts
  /** When the rollout was requested. */
  created_at: number
  /** When the last push ended; null: not yet. */
  finished_at: number | null
}

export type SandboxSignature = {
  /** The id of the mailbox. */
  mailbox_id: number
  /** The mode of the push. */
  mode: Mode
  /** The installed version of the mailbox. */
  revision: number
  /** The HTML of the signature. */
  html: string
  /** The plain text of the signature. */
  text: string
  /** When the signature was installed. */
  installed_at: number
}

export type PushMailbox = {
  /** The version of the mailbox that you have read. If it is not the current one, the answer is 409. */
  version: number
}

export type QueuedPush = {
  /** The id of the mailbox. */
  mailbox_id: number
  /** The version of the mailbox. */
  version: number
  /** The id of the push. */
  push_id: string
  /** The push runs in the background. */
  status: 'queued'
  /** When the push was requested. */
  queued_at: number
}

export type SignaturePushStatus = 'queued' | 'compiling' | 'installing' | 'installed' | 'failed' | 'manual_pending'

export type SignaturePush = {
  /** The id of the push. */
  push_id: string
  /** The id of the mailbox. */
  mailbox_id: number
  /** The mode of the API key. A push of test mode installs nothing. */
  mode: Mode
  /** The state of the push. `queued`, `compiling` and `installing` are not final. */
  status: SignaturePushStatus
  /** The version of the mailbox when it was pushed. */
  version: number
  /** The version that was installed; null: none. It is newer than `version` if the mailbox changed before the install. */
  revision: number | null
  /** The rollout of the push; null: the push of a single mailbox. */
  rollout_id: string | null
  /** Why the push failed or will be retried; null: neither. */
  error: SignaturePushFailure | null
  /** The page from which the mailbox’s owner installs the signature, while the status is `manual_pending`. null: no page. */
  install_url: string | null
  /** When the push was requested. */
  queued_at: number
  /** When the push ended; null: not yet. */
  finished_at: number | null
}

export type GoogleServiceAccount = {
  /** The address of the service account. */
  client_email: string
}

export type GmailSettings = {
  /** The stored service account, without its private key; null: none is stored. */
  service_account: GoogleServiceAccount | null
}

export type SignatureSettings = {
  /** How signatures are installed in Gmail. */
  gmail: GmailSettings
}

export type GoogleServiceAccountKey = {
  /** The address of the service account. */
  client_email: string
  /** The private key in PEM. */
  private_key: string
}

export type ChangeGmailSettings = {
  /** The key file of a service account with domain-wide delegation, as Google issues it; null deletes it. */
  service_account?: GoogleServiceAccountKey | null | undefined
}

export type UpdateSignatureSettings = {
  /** How signatures are installed in Gmail; only the fields that you send change. */
  gmail?: ChangeGmailSettings | null | undefined
}

export type CrmProvider = 'sandbox' | 'salesforce' | 'hubspot' | 'espocrm'

export type CrmConnectionStatus = 'ok' | 'needs_attention'

export type CrmConnectionFailureCode = 'access_refused'

export type CrmConnectionFailure = {
  /** A stable code for programs. */
  code: CrmConnectionFailureCode
  /** A text that says what is wrong and what to do. */
  message: string
}

export type CrmConnectionSettings = {
  /** The field of the CRM that stores the Crosswalk id of a person. */
  external_id_field: string
  /** Whether people are created that the CRM refuses as duplicates of other records. */
  allow_duplicates: boolean
}

export type CrmConnection = {
  /** The id of the connection. */
  connection_id: string
  /** The CRM. The sandbox simulates one. */
  provider: CrmProvider
  /** The name of the connection. */
  name: string
  /** `needs_attention`: the CRM refused the credentials of the last push or test. Do what `error` says. */
  status: CrmConnectionStatus
  /** The reason for `needs_attention`, and what to do; null: none. */
  error: CrmConnectionFailure | null
  /** Whether the CRM has Leads besides Contacts. */
  supports_leads: boolean
  /** The credentials: `url` and `username` in full, and at most the last four characters of the others. */
  credentials: { [member: string]: string }
  /** The name of this connection in `external_ids` of contacts. */
  system: string
  /** The Crosswalk fields whose default you changed, each with its CRM field; null: not pushed. */
  field_map: { [member: string]: string | null }
  /** How people are found and created in the CRM. */
  settings: CrmConnectionSettings
  /** A number that rises with every change. Send it in If-Match, and the server refuses your change if the object has changed since. */
  version: number
  /** When the connection was created. */
  created_at: number
  /** When the connection was last changed. */
  updated_at: number
}

export type ChangeCrmConnectionSettings = {
  /** The CRM’s field that stores the Crosswalk id of a person. It must be unique. */
  external_id_field?: string | undefined
  /** Whether to create people that the CRM refuses as duplicates of other records. */
  allow_duplicates?: boolean | undefined
}

export type CreateSandboxConnection = {
  /** The CRM. The sandbox simulates one. */
  provider: 'sandbox'
  /** A name for people. By default, the name of the provider. */
  name?: string | undefined
  /** For each Crosswalk field, the name of the CRM field to which it goes; null: not pushed. Fields that you do not name go to the default field in that CRM (docs/reference/crm-sync.md). */
  field_map?: { [member: string]: string | null } | undefined
  /** Only fields that are sent change. */
  settings?: ChangeCrmConnectionSettings | undefined
}

export type SalesforceRefreshToken = {
  /** The consumer key of a connected app. */
  client_id: string
  /** The consumer secret of the app. */
  client_secret: string
  /** A refresh token of a user who gave the app access. */
  refresh_token: string
}

export type SalesforcePrivateKey = {
  /** The consumer key of a connected app. */
  client_id: string
  /** The user for whom the app acts. */
  username: string
  /** The private key whose certificate the app has, as PEM. */
  private_key: string
}

export type SalesforceCredentials = SalesforceRefreshToken | SalesforcePrivateKey

export type CreateSalesforceConnection = {
  /** The CRM. The sandbox simulates one. */
  provider: 'salesforce'
  /** A name for people. By default, the name of the provider. */
  name?: string | undefined
  /** For each Crosswalk field, the name of the CRM field to which it goes; null: not pushed. Fields that you do not name go to the default field in that CRM (docs/reference/crm-sync.md). */
  field_map?: { [member: string]: string | null } | undefined
  /** Only fields that are sent change. */
  settings?: ChangeCrmConnectionSettings | undefined
  /** Crosswalk stores credentials sealed and never shows them. */
  credentials: SalesforceCredentials
}

export type HubspotCredentials = {
  /** The access token of a private app. */
  access_token: string
}

export type CreateHubspotConnection = {
  /** The CRM. The sandbox simulates one. */
  provider: 'hubspot'
  /** A name for people. By default, the name of the provider. */
  name?: string | undefined
  /** For each Crosswalk field, the name of the CRM field to which it goes; null: not pushed. Fields that you do not name go to the default field in that CRM (docs/reference/crm-sync.md). */
  field_map?: { [member: string]: string | null } | undefined
  /** Only fields that are sent change. */
  settings?: ChangeCrmConnectionSettings | undefined
  /** Crosswalk stores credentials sealed and never shows them. */
  credentials: HubspotCredentials
}

export type EspocrmCredentials = {
  /** The address of the CRM, such as https://crm.example.com. */
  url: string
  /** The key of an API user. */
  api_key: string
}

export type CreateEspocrmConnection = {
  /** The CRM. The sandbox simulates one. */
  provider: 'espocrm'
  /** A name for people. By default, the name of the provider. */
  name?: string | undefined
  /** For each Crosswalk field, the name of the CRM field to which it goes; null: not pushed. Fields that you do not name go to the default field in that CRM (docs/reference/crm-sync.md). */
  field_map?: { [member: string]: string | null } | undefined
  /** Only fields that are sent change. */
  settings?: ChangeCrmConnectionSettings | undefined
  /** Crosswalk stores credentials sealed and never shows them. */
  credentials: EspocrmCredentials
}

export type CreateCrmConnection = CreateSandboxConnection | CreateSalesforceConnection | CreateHubspotConnection | CreateEspocrmConnection

export type UpdateCrmConnection = {
  /** The name of the connection. */
  name?: string | undefined
  /** The credentials that the CRM needs: salesforce {client_id, client_secret, refresh_token} or {client_id, username, private_key}, hubspot {access_token}, espocrm {url, api_key}; the sandbox needs none. Crosswalk stores credentials sealed and never shows secrets in full. */
  credentials?: { [member: string]: string } | undefined
  /** For each Crosswalk field, the name of the CRM field to which it goes; null: not pushed. Fields that you do not name go to the default field in that CRM (docs/reference/crm-sync.md). */
  field_map?: { [member: string]: string | null } | undefined
  /** Only fields that are sent change. */
  settings?: ChangeCrmConnectionSettings | undefined
}

export type CrmKindReport = {
  /** Whether a push of this kind would work. */
  works: boolean
  /** The missing settings, and how to add them. */
  problems: string[]
  /** Each Crosswalk field that would be pushed, with its CRM field. */
  field_map: { [member: string]: string }
}

export type CrmConnectionTest = {
  /** The id of the connection. */
  connection_id: string
  /** True if a push of at least one kind (Leads or Contacts) would work. */
  works: boolean
  /** The report about Leads. */
  lead: CrmKindReport
  /** The report about Contacts. */
  contact: CrmKindReport
}

export type CrmRecordKind = 'lead' | 'contact'

export type CrmSandboxRecord = {
  /** The id of the record in the simulated CRM. */
  external_id: string
  /** Whether it is a Lead or a Contact. */
  kind: CrmRecordKind
  /** The mode of the push that wrote the record. */
  mode: Mode
  /** The Crosswalk id of the person in the CRM. */
  record_key: string
  /** The fields of the record, by their CRM names. */
  values: { [member: string]: unknown }
  /** When the first push wrote the record. */
  created_at: number
  /** When the last push changed the record. */
  updated_at: number
}

export type CrmSettings = {
  /** A push of more people than this needs a confirmation. */
  threshold: number
}

export type UpdateCrmSettings = {
  /** A push of more people than this needs a confirmation. */
  threshold?: number | undefined
}

export type CrmPopulationFilter = {
  /** Finds records by words of their names, addresses or numbers. All given words must match, in any order. The beginning of a word is enough. */
  q?: string | undefined
  /** Unix seconds: only people who changed at or after this time. */
  updated_since?: number | undefined
  /** Finds contacts by any of their addresses. Letter case does not matter. */
  email?: string | undefined
  /** Finds records by any of their numbers. A phone number in E.164. National form also works if a default_country is set. */
  phone?: string | undefined
  /** Only records with exactly this tag. */
  tag?: string | undefined
  /** Only people with this `company_id`. */
  company_id?: string | undefined
  /** Only people with this `import_id`. */
  import_id?: string | undefined
  /** Only people with this `lifecycle_stage`. */
  lifecycle_stage?: LifecycleStage | undefined
}

export type CrmPreviewRequest = {
  /** The connection to push to. */
  connection_id: string
  /** Only the people with these contact ids. */
  contact_ids?: string[] | undefined
  /** The filters of GET /contacts, and `lifecycle_stage`: only people who match all of them. */
  filter?: CrmPopulationFilter | undefined
  /** A tree of conditions, as `filter` of POST /contacts/search: only people who match it. */
  conditions?: RecordFilter | undefined
  /** Only people of this segment of contacts, as it is now. */
  segment_id?: string | undefined
}

export type CrmPreview = {
  /** How many people a push would push: active contacts with an e-mail address or a phone number, and contacts that an earlier push sent. */
  count: number
  /** A push of more people than this needs a confirmation. */
  threshold: number
  /** Whether the push needs `large_population_confirmed`. */
  confirmation_required: boolean
  /** People who are not in the CRM yet. */
  would_create: number
  /** People who are already in the CRM. The push skips those who did not change. */
  would_update: number
  /** The number of selected people who are not pushed, by reason. */
  skipped: { [member: string]: number }
  /** Five people in the form in which they would be sent. */
  sample: { [member: string]: unknown }[]
}

export type CrmPushRequest = {
  /** The connection to push to. */
  connection_id: string
  /** Only the people with these contact ids. */
  contact_ids?: string[] | undefined
  /** The filters of GET /contacts, and `lifecycle_stage`: only people who match all of them. */
  filter?: CrmPopulationFilter | undefined
  /** A tree of conditions, as `filter` of POST /contacts/search: only people who match it. */
  conditions?: RecordFilter | undefined
  /** Only people of this segment of contacts, as it is now. */
  segment_id?: string | undefined
  /** True, as a JSON boolean, allows a push of more people than the confirmation threshold. */
  large_population_confirmed?: boolean | undefined
  /** True also sends people who did not change since the last push. */
  resend_unchanged?: boolean | undefined
}

export type CrmJobKind = 'leads_push' | 'contacts_push'

export type CrmJobStatus = 'queued' | 'running' | 'succeeded' | 'partially_succeeded' | 'failed' | 'refused' | 'canceled'

export type CrmJobCounts = {
  /** People whom the job has processed. */
  processed: number
  /** People whom the push created in the CRM. */
  created: number
  /** People whom the push updated in the CRM. */
  updated: number
  /** People who did not change since the last push. */
  unchanged: number
  /** People who cannot be pushed. */
  skipped: number
  /** People whom the CRM refused. */
  failed: number
}

export type CrmJobRefusal = {
  /** More people than the confirmation threshold would be pushed. */
  reason: 'large_population'
  /** How many people would be pushed. */
  population: number
  /** The confirmation threshold when the push was requested. */
  threshold: number
}

export type CrmJobFailureCode = 'access_refused' | 'crm_unusable' | 'crm_unavailable' | 'internal_error'

export type CrmJobFailure = {
  /** A stable code for programs. */
  code: CrmJobFailureCode
  /** A text that says what is wrong and what to do. */
  message: string
}

export type CrmJob = {
  /** The id of the job. */
  job_id: string
  /** Whether people are pushed as Leads or as Contacts. */
  kind: CrmJobKind
  /** The state of the job. All states except `queued` and `running` are final. */
  status: CrmJobStatus
  /** The connection that the job pushes to. */
  connection_id: string
  /** The mode of the API key. A job of test mode pushes to a sandbox. */
  mode: Mode
  /** How many people the job pushes; null: the job has not begun. */
  population: number | null
  /** A push of more people than this needs a confirmation. */
  threshold: number
  /** Whether the request confirmed a large push. */
  large_population_confirmed: boolean
  /** True: the job was canceled. It stays `running` until the batches under way have ended. */
  cancel_requested: boolean
  /** The progress of the job so far. */
  counts: CrmJobCounts
  /** Why the job was refused; null: it was not. */
  refusal: CrmJobRefusal | null
  /** Why the job failed, or why it waits; null: neither. */
  error: CrmJobFailure | null
  /** When the job was requested. */
  created_at: number
  /** When the job began; null: not yet. */
  started_at: number | null
  /** When the job ended; null: not yet. */
  finished_at: number | null
}

export type CrmItemOutcome = 'created' | 'updated' | 'unchanged' | 'skipped' | 'failed'

export type CrmItemFailureCode = 'not_reachable' | 'merged' | 'duplicate' | 'refused' | 'not_tried'

export type CrmItemFailure = {
  /** A stable code for programs. */
  code: CrmItemFailureCode
  /** A text that says what is wrong and what to do. */
  message: string
}

export type CrmJobItem = {
  /** The id of the contact that is pushed. */
  contact_id: string
  /** The result for the person; null: none yet. */
  outcome: CrmItemOutcome | null
  /** The id of the person in the CRM; null: none. */
  external_id: string | null
  /** Why the person was not pushed or, without an `outcome`, why the push tries the person again. null: no error. */
  error: CrmItemFailure | null
}

export type ContactImportMatchOnKey = 'contact_id' | 'email' | 'phone' | 'external_id'

export type ContactImportMatchOn = ContactImportMatchOnKey | string

export type DecimalSign = 'point' | 'comma'

export type DateOrder = 'day_month' | 'month_day'

export type ContactImportRequest = {
  /** The file as text. */
  csv: string
  /** CSV header to field: a field of the record, full_name, external_id:<system>, custom:<key> or ignore. */
  mapping?: { [member: string]: string } | undefined
  /** true reads the whole file, refuses and counts rows as an import does, and creates nothing. */
  dry_run?: boolean | undefined
  /** A name by which people recognize the import. */
  file_name?: string | undefined
  /** The key by which a row finds the contact that it updates, as in an upsert. With `contact_id`, a row updates the contact whose id is in its `contact_id` column. Exports have this column. `custom.<key>` is a unique defined field. Without this parameter, each row creates a contact. */
  match_on?: ContactImportMatchOn | undefined
  /** The country of phone numbers without a country code, if the row itself has none. By default, the default country of the organization. */
  default_country?: string | undefined
  /** The sign before the decimals of numbers in your defined fields: with `comma`, `1.234` is 1234 and `1,5` is 1.5. Without it, forms that have several meanings are refused, and `1.234` is less than 2. A spreadsheet needs no sign: its numbers are read as they are stored. */
  decimal_sign?: DecimalSign | undefined
  /** What comes first in days with slashes in your defined fields: with `month_day`, `03/04/2026` is 4 March. Without it, such days are refused. */
  date_order?: DateOrder | undefined
}

export type ImportedType = 'contact' | 'company'

export type ImportStatus = 'uploading' | 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled' | 'reverting' | 'reverted'

export type ImportColumn = {
  /** The header of the column. */
  header: string
  /** The field that the column goes to; null: left out. */
  field: string | null
}

export type ImportCounts = {
  /** Rows that were read. */
  rows_read: number
  /** Rows that created a record. */
  created: number
  /** Rows that changed an existing record. */
  updated: number
  /** Rows that changed nothing, because their record already had all their values. */
  unchanged: number
  /** Rows that could not be imported. */
  refused: number
  /** Rows that were not refused, although their e-mail address or phone number cannot be read. The record keeps the text. */
  unreadable: number
  /** Records that the revert archived, or whose old values it restored. */
  reverted: number
  /** Records that still have values of the import, because somebody has changed or merged them since. */
  kept: number
}

export type ImportFailureCode = 'file_unusable' | 'mapping_unusable' | 'nothing_imported' | 'interrupted' | 'sender_removed' | 'revert_failed' | 'internal_error'

export type ImportFailure = {
  /** A stable code for programs. */
  code: ImportFailureCode
  /** A text that says what is wrong and what to do. */
  message: string
}

export type Import = {
  /** The id of the import. */
  import_id: string
  /** The type of the imported records. */
  entity_type: ImportedType
  /** The state of the import. `uploading`: the file is not complete yet, and lists leave the import out. `succeeded`, `failed`, `canceled` and `reverted` are final, except that an import that wrote records can be reverted. */
  status: ImportStatus
  /** The mode of the API key that sent the file. Both modes write the same records. */
  mode: Mode
  /** true: the import created nothing, and `counts.created` is what it would have created. */
  dry_run: boolean
  /** The name that you gave the import; null: none. */
  file_name: string | null
  /** The key by which rows found existing records; null: each row created a record. */
  match_on: string | null
  /** The country of phone numbers without a country code; null: the default country of the organization. */
  default_country: string | null
  /** The sign before the decimals of numbers; null: not sent. */
  decimal_sign: DecimalSign | null
  /** What comes first in days with slashes; null: not sent. */
  date_order: DateOrder | null
  /** The size of the file. 0: an operator sent it through standard input. */
  bytes_total: number
  /** How the bytes were read, such as `utf-8` or `windows-1252`; null for a spreadsheet. */
  encoding: string | null
  /** The field of each column; null until the header was read. */
  columns: ImportColumn[] | null
  /** The numbers of rows by outcome so far. */
  counts: ImportCounts
  /** How many rows were refused with each code; null until the import ended. */
  refused_by_code: { [member: string]: number } | null
  /** Why the import failed; null: it did not. */
  error: ImportFailure | null
  /** The API key or person that sent the file, or the operator. */
  created_by: EventActor
  /** When the file was sent. */
  created_at: number
  /** When the first row was read; null: not yet. */
  started_at: number | null
  /** When the last row was written; null: not yet. */
  finished_at: number | null
}

export type CompanyImportMatchOnKey = 'company_id' | 'domain' | 'phone' | 'external_id'

export type CompanyImportMatchOn = CompanyImportMatchOnKey | string

export type CompanyImportRequest = {
  /** The file as text. */
  csv: string
  /** CSV header to field: a field of the record, full_name, external_id:<system>, custom:<key> or ignore. */
  mapping?: { [member: string]: string } | undefined
  /** true reads the whole file, refuses and counts rows as an import does, and creates nothing. */
  dry_run?: boolean | undefined
  /** A name by which people recognize the import. */
  file_name?: string | undefined
  /** The key by which a row finds the company that it updates, as in an upsert. With `company_id`, a row updates the company whose id is in its `company_id` column. Exports have this column. `custom.<key>` is a unique defined field. Without this parameter, each row creates a company. */
  match_on?: CompanyImportMatchOn | undefined
  /** The country of phone numbers without a country code, if the row itself has none. By default, the default country of the organization. */
  default_country?: string | undefined
  /** The sign before the decimals of numbers in your defined fields: with `comma`, `1.234` is 1234 and `1,5` is 1.5. Without it, forms that have several meanings are refused, and `1.234` is less than 2. A spreadsheet needs no sign: its numbers are read as they are stored. */
  decimal_sign?: DecimalSign | undefined
  /** What comes first in days with slashes in your defined fields: with `month_day`, `03/04/2026` is 4 March. Without it, such days are refused. */
  date_order?: DateOrder | undefined
}

export type InspectRequest = {
  /** The start of the file as text; the first 64 KiB are read. */
  csv: string
}

export type FileFormat = 'csv' | 'xlsx'

export type ExportSource = 'crosswalk' | 'hubspot' | 'salesforce' | 'twenty'

export type InspectedColumn = {
  /** The position of the column, from 1. A mapping can name the column as `#<position>`. */
  position: number
  /** The header of the column. */
  header: string
  /** The recognized field; null: not recognized, the column goes to `custom`. */
  field: string | null
  /** Up to 3 values of the first 100 rows, cut to 100 characters. */
  samples: string[]
}

export type Inspection = {
  /** The format of the file, by its bytes. */
  format: FileFormat
  /** How the bytes were read, such as `utf-8` or `windows-1252`; null for a spreadsheet. */
  encoding: string | null
  /** The character between two values; null for a spreadsheet. */
  delimiter: string | null
  /** The program that exported the file, recognized by the headers; null: not recognized. */
  source: ExportSource | null
  /** The maximum size of an imported file of this format, in bytes. */
  max_bytes: number
  /** false if the first row looks like values. An import always reads the first row as the header. */
  has_header: boolean
  /** The columns in the order of the file. */
  columns: InspectedColumn[]
  /** The mapping that an import would use. You can change it and send it with the import. */
  mapping: { [member: string]: string }
  /** The `match_on` to send with the import: the id, if the file has ids of records of this organization; otherwise null. */
  match_on: string | null
}

export type ListedImportStatus = 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled' | 'reverting' | 'reverted'

export type RefusedRow = {
  /** The line of the file, from 1. */
  line: number
  /** The row was not imported. */
  outcome: 'refused'
  /** A code that is listed in docs/reference/errors.md. Later versions may add codes. */
  code: ErrorCode
  /** Why the row was refused. */
  reason: string
}

export type WriteKeyPurpose = 'track' | 'identify' | 'forms'

export type WriteKeyLimits = {
  /** The maximum number of events in a second. */
  events_per_second: number
  /** The maximum number of events in a day (UTC). */
  events_per_day: number
}

export type WriteKey = {
  /** The id of the write key. A rotation does not change it. */
  write_key_id: string
  /** The key that a web page shows to everybody. It can add events and read nothing. */
  key: string
  /** A label of your choice. */
  name: string
  /** The mode of the events that come with the key. */
  mode: Mode
  /** The sites that may use the key in a browser. Empty: every site. */
  origins: string[]
  /** The calls that the key may make. */
  purposes: WriteKeyPurpose[]
  /** The maximum numbers of events that may come with the key. */
  limits: WriteKeyLimits
  /** The key before the last rotation, while it is still accepted; null: none. */
  old_key: string | null
  /** When the old key stops working; null: there is no old key. */
  old_key_expires_at: number | null
  /** When the last event came with the key; null: no event came. */
  last_seen_at: number | null
  /** A number that rises with every change. Send it in If-Match, and the server refuses your change if the object has changed since. */
  version: number
  /** When the write key was created. */
  created_at: number
  /** When the write key was last changed. */
  updated_at: number
}

export type CreateWriteKeyLimits = {
  /** The maximum number of events in a second. */
  events_per_second?: number | undefined
  /** The maximum number of events in a day (UTC). */
  events_per_day?: number | undefined
}

export type CreateWriteKey = {
  /** A label of your choice. */
  name: string
  /** The mode never changes. By default it is the mode of your API key or session. Reports leave out events of a test key. */
  mode?: Mode | undefined
  /** The sites that may use the key in a browser, such as `https://www.example.com`. `https://*.example.com` is every subdomain of example.com, but not example.com itself. An empty list allows every site. */
  origins?: string[] | undefined
  /** `track`: the calls track, page and screen. `identify`: the calls identify, group and alias. `forms`: reads forms and sends them. */
  purposes?: WriteKeyPurpose[] | undefined
  /** The maximum numbers of events that may come with the key. */
  limits?: CreateWriteKeyLimits | undefined
}

export type UpdateWriteKeyLimits = {
  /** The maximum number of events in a second. */
  events_per_second?: number | undefined
  /** The maximum number of events in a day (UTC). */
  events_per_day?: number | undefined
}

export type UpdateWriteKey = {
  /** A label of your choice. */
  name?: string | undefined
  /** The sites that may use the key in a browser, such as `https://www.example.com`. `https://*.example.com` is every subdomain of example.com, but not example.com itself. An empty list allows every site. */
  origins?: string[] | undefined
  /** `track`: the calls track, page and screen. `identify`: the calls identify, group and alias. `forms`: reads forms and sends them. */
  purposes?: WriteKeyPurpose[] | undefined
  /** The maximum numbers of events that may come with the key. A field that you omit keeps its value. */
  limits?: UpdateWriteKeyLimits | undefined
}

export type RotateWriteKey = {
  /** For how many seconds the old key is still accepted: by default 7 days, at most 90 days. 0: it is refused at once. */
  grace_seconds?: number | undefined
}

export type FormStatus = 'draft' | 'live' | 'archived'

export type FormFieldType = 'text' | 'textarea' | 'email' | 'phone' | 'number' | 'date' | 'url' | 'select' | 'multi_select' | 'checkbox' | 'scale'

export type FormField = {
  /** The name of the answer. It is unique in the form. */
  key: string
  /** What people read beside the field. */
  label: string
  /** The kind of value. `scale` is a number from 0 to 10. */
  type: FormFieldType
  /** Whether an answer is needed. */
  required: boolean
  /** The choices of `select` and `multi_select`. */
  options: string[]
  /** The field of the contact that the answer fills, such as `email` or `custom.plan`; null: only the submission has the answer. */
  maps_to: string | null
  /** A short help below the field; null: none. */
  hint: string | null
}

export type FormConsentChannel = 'email' | 'phone'

export type FormConsent = {
  /** The text that the person agrees to. */
  text: string
  /** The channels of `consent` of the contact that the person agrees to. */
  channels: FormConsentChannel[]
  /** Whether the form can be sent only with this consent. */
  required: boolean
}

export type CallBackApproval = 'manual' | 'automatic'

export type FormCallBack = {
  /** `manual`: each request waits for a person. `automatic`: Crosswalk calls by itself if all conditions are met; other requests wait for a person. */
  approval: CallBackApproval
  /** The countries whose numbers may be called, as in ISO 3166-1. */
  countries: string[]
  /** When people are called, by their clock, in each time zone of the country of their number. */
  hours: CallingHours
  /** The persona that speaks; null: none. */
  persona_id: string | null
  /** The number of the organization that calls; null: its only number. */
  from_number: string | null
  /** Instructions for these calls; null: none. */
  instructions: string | null
  /** The maximum number of automatic calls of this form in 24 hours. */
  daily_limit: number
}

export type FormThankYou = {
  /** What people read after they sent the form. */
  text: string
  /** The page that opens instead of the text; null: none. */
  url: string | null
}

export type Form = {
  /** The id of the form. It is public: it is part of the address of the hosted page. */
  form_id: string
  /** A name that only your organization sees. */
  name: string
  /** Only a `live` form can be opened and sent. */
  status: FormStatus
  /** The heading that people see. */
  title: string
  /** A text below the heading; empty: none. */
  description: string
  /** The fields, in the order in which people see them. */
  fields: FormField[]
  /** A check box with a consent text; null: the form asks for no consent. */
  consent: FormConsent | null
  /** People who send the form ask for a call; null: the form asks for no call. */
  call_back: FormCallBack | null
  /** The text of the button. */
  submit_label: string
  /** What happens after a person sent the form. */
  thank_you: FormThankYou
  /** The sites that may show the form or send it. Empty: every site. */
  origins: string[]
  /** For each question whose answers do not fill its field of the contact: why, and what to do. null: all of them fit. */
  problem: string | null
  /** The number of accepted submissions: spam and reverted submissions do not count. */
  submissions: number
  /** A number that rises with every change. Send it in If-Match, and the server refuses your change if the object has changed since. */
  version: number
  /** When the form was created. */
  created_at: number
  /** When the form was last changed. */
  updated_at: number
}

export type CreateFormField = {
  /** The name of the answer. It is unique in the form. */
  key: string
  /** What people read beside the field. */
  label: string
  /** The kind of value. `scale` is a number from 0 to 10. */
  type?: FormFieldType | undefined
  /** Whether an answer is needed. */
  required?: boolean | undefined
  /** The choices of `select` and `multi_select`. */
  options?: string[] | undefined
  /** The field of the contact that the answer fills, such as `email` or `custom.plan`; null: only the submission has the answer. */
  maps_to?: string | null | undefined
  /** A short help below the field; null: none. */
  hint?: string | null | undefined
}

export type CreateFormConsent = {
  /** The text that the person agrees to. */
  text: string
  /** The channels of `consent` of the contact that the person agrees to. */
  channels: FormConsentChannel[]
  /** Whether the form can be sent only with this consent. */
  required?: boolean | undefined
}

export type CreateFormCallBack = {
  /** `manual`: each request waits for a person. `automatic`: Crosswalk calls by itself if all conditions are met; other requests wait for a person. */
  approval?: CallBackApproval | undefined
  /** The countries whose numbers may be called, as in ISO 3166-1. */
  countries: string[]
  /** When people are called, by their clock, in each time zone of the country of their number. */
  hours?: ChangeCallingHours | undefined
  /** The persona that speaks; null: none. */
  persona_id?: string | null | undefined
  /** The number of the organization that calls; null: its only number. */
  from_number?: string | null | undefined
  /** Instructions for these calls; null: none. */
  instructions?: string | null | undefined
  /** The maximum number of automatic calls of this form in 24 hours. */
  daily_limit?: number | undefined
}

export type CreateFormThankYou = {
  /** What people read after they sent the form. */
  text?: string | undefined
  /** The page that opens instead of the text; null: none. */
  url?: string | null | undefined
}

export type CreateForm = {
  /** A name that only your organization sees. */
  name: string
  /** Only a `live` form can be opened and sent. */
  status?: FormStatus | undefined
  /** The heading that people see; by default the name. */
  title?: string | undefined
  /** A text below the heading; empty: none. */
  description?: string | undefined
  /** The fields, in the order in which people see them. */
  fields: CreateFormField[]
  /** A check box with a consent text; null: the form asks for no consent. */
  consent?: CreateFormConsent | null | undefined
  /** People who send the form ask for a call; null: the form asks for no call. It needs `voice:write`, one required field of the type `phone`, and a required consent for the channel `phone`. */
  call_back?: CreateFormCallBack | null | undefined
  /** The text of the button. */
  submit_label?: string | undefined
  /** What happens after a person sent the form. */
  thank_you?: CreateFormThankYou | undefined
  /** The sites that may show the form or send it, such as `https://www.example.com`. `https://*.example.com` is every subdomain of example.com. An empty list allows every site. */
  origins?: string[] | undefined
}

export type UpdateForm = {
  /** A name that only your organization sees. */
  name?: string | undefined
  /** Only a `live` form can be opened and sent. */
  status?: FormStatus | undefined
  /** The heading that people see. */
  title?: string | undefined
  /** A text below the heading; empty: none. */
  description?: string | undefined
  /** The fields, in the order in which people see them. */
  fields?: CreateFormField[] | undefined
  /** A check box with a consent text; null: the form asks for no consent. */
  consent?: CreateFormConsent | null | undefined
  /** People who send the form ask for a call; null: the form asks for no call. It needs `voice:write`, one required field of the type `phone`, and a required consent for the channel `phone`. */
  call_back?: CreateFormCallBack | null | undefined
  /** The text of the button. */
  submit_label?: string | undefined
  /** What happens after a person sent the form. */
  thank_you?: CreateFormThankYou | undefined
  /** The sites that may show the form or send it, such as `https://www.example.com`. `https://*.example.com` is every subdomain of example.com. An empty list allows every site. */
  origins?: string[] | undefined
}

export type FormVersion = {
  /** The number of the version. */
  version: number
  /** The heading that people see. */
  title: string
  /** A text below the heading; empty: none. */
  description: string
  /** The fields, in the order in which people see them. */
  fields: FormField[]
  /** A check box with a consent text; null: the form asks for no consent. */
  consent: FormConsent | null
  /** People who send the form ask for a call; null: the form asks for no call. */
  call_back: FormCallBack | null
  /** The text of the button. */
  submit_label: string
  /** What happens after a person sent the form. */
  thank_you: FormThankYou
  /** When this version became the current one. */
  created_at: number
}

export type SubmissionStatus = 'accepted' | 'spam' | 'reverted'

export type SpamReason = 'honeypot' | 'challenge_missing' | 'too_fast' | 'too_old' | 'bot' | 'proof_missing' | 'proof_reused' | 'daily_limit' | 'person'

export type FormSubmission = {
  /** The id of the submission. */
  submission_id: string
  /** The form. */
  form_id: string
  /** The version of the form that the person saw. */
  form_version: number
  /** The mode of the write key; `live` for the hosted page, in a sandbox `test`. */
  mode: Mode
  /** `spam` does nothing and is deleted after 30 days. `reverted`: a revert archived the contact that only this submission made. */
  status: SubmissionStatus
  /** Why it counts as spam; null: it does not. */
  spam_reason: SpamReason | null
  /** The answers by the keys of the fields. Fields without an answer are left out. */
  answers: { [member: string]: unknown }
  /** Whether the person agreed to the consent text of this version; null: the version asks for no consent. */
  consent: boolean | null
  /** The own contact of the visitor, which the submission created or changed; null: none. */
  contact_id: string | null
  /** Whether the submission created this contact. */
  created_contact: boolean
  /** The visitor. Without an id of the browser, each submission has its own visitor. */
  visitor_id: string
  /** The write key; null: the hosted page. */
  write_key_id: string | null
  /** The page with the form; null: not known. */
  page_url: string | null
  /** When the submission arrived. */
  created_at: number
}

export type RevertForm = {
  /** The first second of the time window. */
  since: number
  /** The last second of the time window; by default now. */
  until?: number | undefined
}

export type RevertedForm = {
  /** The number of submissions that are now `reverted`. */
  submissions: number
  /** How many of them created a contact, which a background job archives. */
  contacts: number
}

export type CallBackRequestStatus = 'waiting' | 'scheduled' | 'called' | 'declined' | 'refused' | 'expired'

export type CallBackReason = 'number_limit' | 'visitor_limit' | 'address_limit' | 'waiting_limit' | 'consent_denied' | 'number_suppressed' | 'spam' | 'proof_missing' | 'form_limit' | 'organization_limit' | 'hours_closed' | 'settings_changed' | 'call_not_allowed'

export type CallBackRequest = {
  /** The id of the request. */
  request_id: string
  /** The form. */
  form_id: string
  /** The name of the form. */
  form_name: string
  /** The version of the form that the person saw, with the text of the consent. */
  form_version: number
  /** The submission of the form. */
  submission_id: string
  /** The own contact of the visitor; null: none. */
  contact_id: string | null
  /** Requests of test mode are called by the simulator. */
  mode: Mode
  /** `waiting` for a person; `scheduled`: Crosswalk calls by itself at `call_at`; `called`: the only attempt was made; `declined` by a person; `refused` by a limit or an objection; `expired` after 7 days. */
  status: CallBackRequestStatus
  /** Why it is refused, or why it waits although the form calls by itself; null: no reason. */
  reason: CallBackReason | null
  /** The number to call, in E.164. */
  number: string
  /** The country of the number. */
  country: string
  /** Whether the form scheduled the call, without a person. */
  automatic: boolean
  /** When Crosswalk calls by itself; null: it does not. */
  call_at: number | null
  /** The call; null: none yet. */
  call_id: string | null
  /** The API key that approved or declined it; null: none. */
  api_key_id: string | null
  /** The member who approved or declined it; null: none. */
  member_id: string | null
  /** When it was approved or declined; null: not yet. */
  decided_at: number | null
  /** When the person sent the form. */
  created_at: number
}

export type ApproveCallBackRequest = {
  /** The time zone of the person, if you know it. By default, the hours must be open in all time zones of the country. */
  timezone?: string | null | undefined
}

export type DeclineCallBackRequest = {
  /** true: the number also gets onto the suppression list, so that nobody calls it. */
  suppress?: boolean | undefined
}

export type WebEventType = 'track' | 'page' | 'screen' | 'identify' | 'group' | 'alias'

export type WebEvent = {
  /** The id of the event. It is derived from the `messageId` that the client sent. */
  event_id: string
  /** The mode of the key with which the event was sent. */
  mode: Mode
  /** The call of the client. */
  type: WebEventType
  /** The name of a track event, a page or a screen; null: none. */
  name: string | null
  /** Whether a program made the event. An event of a program has no ids and no properties. */
  bot: boolean
  /** The visitor; null: the client sent only a `userId`, or a program made the event. */
  visitor_id: string | null
  /** The `userId` that the client sent; null: none. A browser can send any value, so this proves nothing. */
  user_key: string | null
  /** The session that the client names; null: none. */
  session_id: string | null
  /** The path of the page, without its query; null: none. */
  url_path: string | null
  /** The host of the previous page; null: none. */
  referrer_host: string | null
  /** The properties, or the traits of identify. */
  properties: { [member: string]: unknown }
  /** The facts about page and device that the client sent. */
  context: { [member: string]: unknown }
  /** When the event happened, by the clock of this server. */
  occurred_at: number
  /** When the event was received. */
  received_at: number
}

export type WebEventPage = {
  /** The events, newest first by the time of their receipt. */
  events: WebEvent[]
  /** Send it as `cursor` to get older events; null: there are none. */
  next_cursor: string | null
}

export type UserTrust = 'claimed' | 'verified' | 'trusted'

export type VisitSource = {
  /** `utm_source`, or the source that the client sent; null: none. */
  source: string | null
  /** `utm_medium`; null: none. */
  medium: string | null
  /** `utm_campaign`; null: none. */
  campaign: string | null
  /** `utm_term`; null: none. */
  term: string | null
  /** `utm_content`; null: none. */
  content: string | null
  /** The parameter with the click id of an advertisement, such as `gclid`; null: none. */
  ad_click: string | null
  /** The host of the site that linked here; null: none. */
  referrer_host: string | null
}

export type Visitor = {
  /** The id of the visitor. It is derived from the `anonymousId` of the client. */
  visitor_id: string
  /** The mode of the events. */
  mode: Mode
  /** The `userId` of the visitor: the last that an API key sent, otherwise the last that the browser sent; null: none. */
  user_key: string | null
  /** `trusted`: an API key sent the `userId`. `verified`: a token or hash of your server proved it. `claimed`: the browser sent it, which is not proof; null: no `userId`. */
  user_trust: UserTrust | null
  /** The number of events of the visitor, including events that were deleted since. */
  events: number
  /** How many of these events were views of pages and screens. */
  views: number
  /** The source of the first event; null: unknown. */
  first_source: VisitSource | null
  /** The source of the last event that has one; null: none. */
  last_source: VisitSource | null
  /** When the visitor last refused advertising, by Global Privacy Control or by consent; null: never. */
  ads_denied_at: number | null
  /** When the first event happened. */
  first_seen_at: number
  /** When the last event happened. */
  last_seen_at: number
}

export type VisitorPage = {
  /** The visitors, by the minute of `last_seen_at`, the latest first. */
  visitors: Visitor[]
  /** Send it as `cursor` to get older visitors; null: there are none. */
  next_cursor: string | null
}

export type LinkTrust = 'verified' | 'trusted' | 'accepted'

export type VisitorLink = {
  /** The id of the link. */
  link_id: string
  /** The `userId` of the person; null: none. */
  user_key: string | null
  /** The e-mail address that was sent with it; null: none. */
  email: string | null
  /** From when the events of the visitor belong to this person. Events up to 30 days before the first identify call belong to its person. */
  since: number
  /** The time until which they belong to this person, because another person then used the browser; null: until now. */
  until: number | null
  /** The active contacts with this user id or, without one, with this address. */
  contact_ids: string[]
  /** `verified`: a token or hash of your server proved it. `trusted`: an API key sent it. `accepted`: a person accepted the claim. */
  trust: LinkTrust
}

export type VisitorClaim = {
  /** The id of the claim. */
  claim_id: string
  /** The `userId` of the person; null: none. */
  user_key: string | null
  /** The e-mail address that was sent with it; null: none. */
  email: string | null
  /** From when the events of the visitor belong to this person. Events up to 30 days before the first identify call belong to its person. */
  since: number
  /** The time until which they belong to this person, because another person then used the browser; null: until now. */
  until: number | null
  /** The active contacts with this user id or, without one, with this address. */
  contact_ids: string[]
}

export type IdentifiedVisitor = {
  /** The id of the visitor. It is derived from the `anonymousId` of the client. */
  visitor_id: string
  /** The mode of the events. */
  mode: Mode
  /** The `userId` of the visitor: the last that an API key sent, otherwise the last that the browser sent; null: none. */
  user_key: string | null
  /** `trusted`: an API key sent the `userId`. `verified`: a token or hash of your server proved it. `claimed`: the browser sent it, which is not proof; null: no `userId`. */
  user_trust: UserTrust | null
  /** The number of events of the visitor, including events that were deleted since. */
  events: number
  /** How many of these events were views of pages and screens. */
  views: number
  /** The source of the first event; null: unknown. */
  first_source: VisitSource | null
  /** The source of the last event that has one; null: none. */
  last_source: VisitSource | null
  /** When the visitor last refused advertising, by Global Privacy Control or by consent; null: never. */
  ads_denied_at: number | null
  /** When the first event happened. */
  first_seen_at: number
  /** When the last event happened. */
  last_seen_at: number
  /** The people to whom the visitor is linked, the oldest link first. */
  links: VisitorLink[]
  /** The people whom the visitor only claims to be, the oldest claim first. A claim is not proof. */
  claims: VisitorClaim[]
  /** The contact that only statements of this visitor made; null: there is none. */
  own_contact_id: string | null
}

export type VisitorEventPage = {
  /** The events, newest first by the time when they happened. */
  events: WebEvent[]
  /** Send it as `cursor` to get older events; null: there are none. */
  next_cursor: string | null
}

export type VisitorSession = {
  /** The session id that the client sent; null: none, so the times of the events give the beginning and end. */
  session_id: string | null
  /** When the first event of the session happened. */
  started_at: number
  /** When the last event of the session happened. */
  ended_at: number
  /** The number of events in the session. */
  events: number
  /** How many of these events were views of pages and screens. */
  views: number
  /** The path of the first page; null: no event has a path. */
  entry_path: string | null
  /** The path of the last page; null: no event has a path. */
  exit_path: string | null
  /** The source of the session; null: no event has one. */
  source: VisitSource | null
}

export type VisitorSessionPage = {
  /** The sessions, newest first. */
  sessions: VisitorSession[]
  /** Send it as `cursor` to get older sessions; null: there are none. */
  next_cursor: string | null
}

export type ErasedVisitor = {
  /** The visitor that was erased. */
  visitor_id: string
  /** The events were erased permanently. */
  erased: true
}

export type ActivityKind = 'web_event' | 'submission' | 'call' | 'note' | 'task' | 'change' | 'merge' | 'push'

export type ActivityItem = {
  /** `web_event`: an event of a web page. `submission`: a form that the person sent. `call`: a phone call. `note`, `task`: written about the record. `change`: the record was created, changed, archived or restored. `merge`: records were merged, or a merge was undone. `push`: the last push to a CRM. */
  kind: ActivityKind
  /** The id of the web event, submission, call, note, task or event of the audit log; for a push, of the connection. */
  object_id: string
  /** What happened. `web_event`: the call of the client. `submission`: `accepted`, `spam` or `reverted`. `call`: the status. `task`: `open` or `done`. `change`, `merge`: the type of the event. `push`: `lead` or `contact`. */
  type: string
  /** The name or path of the web event, the dialed number, the first 500 characters of the note, or the title of the task. A submission has the name of its form, and a push that of its connection. null: none. */
  title: string | null
  /** The contact to whom the item belongs; null: the item is about the company itself. */
  contact_id: string | null
  /** The visitor of a web event; null for other kinds. */
  visitor_id: string | null
  /** Whether only a browser said who the visitor of the web event is, which is not proof. */
  claimed: boolean
  /** The author; null: a web event, a submission, a call or a push. */
  actor: EventActor | null
  /** The names of changed fields; null: none. */
  changed: string[] | null
  /** When it happened. */
  at: number
}

export type ActivityPage = {
  /** The items, newest first. */
  items: ActivityItem[]
  /** Send it as `cursor` to get older items; null: there are none. */
  next_cursor: string | null
}

export type Touch = {
  /** `utm_source`; null: none. */
  source: string | null
  /** `utm_campaign`; null: none. */
  campaign: string | null
  /** The host of the site that linked here; null: none. */
  referrer_host: string | null
  /** The path of the page; null: unknown, or the event was deleted. */
  page: string | null
  /** When it happened. */
  at: number
}

export type Touches = {
  /** The first web event of the contact; null: there is none. */
  first_touch: Touch | null
  /** The last web event of the contact that says where the visit came from; null: there is none. */
  last_touch: Touch | null
}

export type TrackingReportTotals = {
  /** Views of pages and screens. */
  views: number
  /** Different visitors. */
  visitors: number
  /** Sessions. */
  sessions: number
  /** All events. */
  events: number
}

export type TrackingReportSeriesName = 'views' | 'visitors' | 'sessions' | 'events' | 'submissions'

export type TrackingReportSeries = {
  /** `views`: views of pages and screens. `visitors`: different visitors. `sessions`: sessions with an event in the step. `events`: all events; in the report `events`, track events. `submissions`: submissions of forms. */
  name: TrackingReportSeriesName
  /** A pair for each step, the oldest first: the beginning of the step in Unix seconds, and the number. */
  points: number[][]
}

export type TrackingOverview = {
  /** The numbers of the whole range. */
  totals: TrackingReportTotals
  /** The series `views`, `visitors`, `sessions` and `events`. A visitor counts in each step, so the steps may add up to more than the total. */
  series: TrackingReportSeries[]
}

export type TrackingReportUnit = 'views' | 'events' | 'submissions'

export type TrackingReportRow = {
  /** The path, host, source, campaign, event name or name of the form. It has at most 200 characters. */
  key: string
  /** The number of the whole range. */
  n: number
}

export type TrackingReport = {
  /** What the numbers count. */
  counted: TrackingReportUnit
  /** The number of the whole range. */
  total: number
  /** The number of each step. */
  series: TrackingReportSeries
  /** The rows with the highest numbers, the highest first. */
  rows: TrackingReportRow[]
  /** The part of `total` that is not in `rows`. On a UTC day, at most 1,000 keys are counted separately. */
  other: number
}

export type FunnelStepKind = 'page' | 'event'

export type FunnelStepMatch = 'is' | 'starts_with' | 'contains'

export type FunnelStepQuery = {
  /** `page`: a view of a page, by its path. `event`: a track event, by its name. */
  kind: FunnelStepKind
  /** The path or the name, or a part of it. */
  value: string
  /** How the path or name is compared. Letter case matters. */
  match?: FunnelStepMatch | undefined
}

export type FunnelQuery = {
  /** Two to five steps, in their order. */
  steps: FunnelStepQuery[]
  /** Unix seconds. By default 30 days before `to`; at most 92 days before it. */
  from?: number | undefined
  /** Unix seconds. The end, which is not included. By default now. */
  to?: number | undefined
  /** All steps of a visitor must happen within this many days. */
  window_days?: number | undefined
}

export type FunnelStep = {
  /** What the step matches. */
  kind: FunnelStepKind
  /** The path or the name, or a part of it. */
  value: string
  /** How it is compared. */
  match: FunnelStepMatch
  /** The visitors who did this step, and all steps before it, in order. */
  visitors: number
}

export type Funnel = {
  /** The beginning of the range. */
  from: number
  /** The end of the range, which is not included. */
  to: number
  /** The steps, in their order. */
  steps: FunnelStep[]
}

export type TrackingCounts = {
  /** Stored events. */
  accepted: number
  /** Events that were stored already. */
  duplicate: number
  /** Events of bots. */
  bot: number
  /** Bad events. */
  dropped: number
  /** Requests that were refused as a whole. */
  refused: number
}

export type TrackingUsageSeriesName = 'accepted' | 'duplicate' | 'bot' | 'dropped' | 'refused'

export type TrackingUsageSeries = {
  /** `accepted`: stored events. `duplicate`: events that were stored already. `bot`: events of bots. `dropped`: bad events. `refused`: requests that were refused as a whole. */
  name: TrackingUsageSeriesName
  /** A pair for each step, the oldest first: the beginning of the step in Unix seconds, and the number. */
  points: number[][]
}

export type TrackingUsageOfKey = {
  /** The write key; null: all API keys together. */
  write_key_id: string | null
  /** The name of the write key; null: it is deleted, or an API key sent the events. */
  name: string | null
  /** The numbers of the whole range. */
  counts: TrackingCounts
}

export type TrackingProblemOutcome = 'dropped' | 'refused'

export type TrackingProblemReason = 'not_an_object' | 'unknown_type' | 'no_id' | 'illegal_id' | 'analytics_denied' | 'referrer_spam' | 'no_event_name' | 'too_deep' | 'too_many_properties' | 'too_large' | 'purpose_not_allowed' | 'rate_limit_exceeded' | 'origin_not_allowed' | 'import_needs_api_key' | 'events_unreadable' | 'events_too_large' | 'body_too_large' | 'server_busy'

export type TrackingSample = {
  /** When the event or request was received. */
  at: number
  /** The write key; null: an API key. */
  write_key_id: string | null
  /** The call of the event; `other`: no call has this name; null: not known. */
  type: string | null
  /** The name that the event has; null: none. */
  name: string | null
  /** The client and its version; null: unknown. */
  library: string | null
  /** The site whose browser sent it; null: not a browser. */
  origin: string | null
}

export type TrackingProblem = {
  /** `dropped`: `n` counts events. `refused`: `n` counts requests. */
  outcome: TrackingProblemOutcome
  /** The reason. For a refused request, the code of the answer. */
  reason: TrackingProblemReason
  /** The number in the whole range. */
  n: number
  /** The advice about this problem. */
  hint: string
  /** The last event or request of this kind; null: none is stored. */
  sample: TrackingSample | null
}

export type TrackingUsage = {
  /** The numbers of the whole range. */
  totals: TrackingCounts
  /** All series have the same steps. */
  series: TrackingUsageSeries[]
  /** The numbers of each key that was used. Keys with the most accepted events come first. */
  write_keys: TrackingUsageOfKey[]
  /** The reasons of dropped events and refused requests, the most frequent first. */
  problems: TrackingProblem[]
}

export type TrackingSnippet = {
  /** The write key that the page uses. */
  write_key_id: string
  /** HTML for the head of each page. */
  snippet: string
  /** The address of the script that the snippet loads. */
  script_url: string
}

export type TrackingSettings = {
  /** After how many days events are deleted. */
  retention_days: number
  /** The maximum number of days that this server keeps events (`TRACKING_RETENTION_DAYS`). */
  retention_days_max: number
  /** Whether views of people who refuse analytics are counted, with ids that are valid for one day only. Otherwise their events are dropped. */
  cookieless: boolean
  /** Whether Do Not Track refuses analytics. */
  respect_dnt: boolean
  /** Whether an identify call of a page that nobody verified makes a contact of the visitor. */
  identify_creates: boolean
  /** A number that rises with every change. Send it in If-Match, and the server refuses your change if the object has changed since. */
  version: number
  /** The last change; null: never changed. */
  updated_at: number | null
}

export type UpdateTrackingSettings = {
  /** After how many days events are deleted: at most the `retention_days_max` of this server. */
  retention_days?: number | undefined
  /** Whether views of people who refuse analytics are counted, with ids that are valid for one day only. */
  cookieless?: boolean | undefined
  /** Whether Do Not Track refuses analytics. */
  respect_dnt?: boolean | undefined
  /** Whether an identify call of a page that nobody verified makes a contact, which only this visitor writes. By default it makes none. */
  identify_creates?: boolean | undefined
}

export type IdentitySecret = {
  /** When the identity secret was made; null: there is none. */
  created_at: number | null
  /** When the secret before the last rotation stops working; null: there is no old secret. */
  old_secret_expires_at: number | null
}

export type RotateIdentitySecret = {
  /** For how many seconds the old secret is still accepted: by default 7 days, at most 90 days. 0: it is refused at once. */
  grace_seconds?: number | undefined
}

export type NewIdentitySecret = {
  /** When the identity secret was made; null: there is none. */
  created_at: number | null
  /** When the secret before the last rotation stops working; null: there is no old secret. */
  old_secret_expires_at: number | null
  /** The id of the organization. */
  org_id: string
  /** The secret with which your server signs the tokens of its users. It is shown once: store it on your server, and never in a page. */
  identity_secret: string
  /** The secret with which your server signs a `userHash`, if it sends no tokens. It is derived from the identity secret, and cannot sign tokens. */
  user_hash_secret: string
}

export type AcceptClaim = {
  /** The `claim_id` of a claim of the visitor. */
  claim_id: string
  /** The contact of the person. By default the only contact with the claimed user id or address. If there is no such contact, the own contact of the visitor. */
  contact_id?: string | undefined
}

export type VisitorIdentity = {
  /** The id of the visitor. */
  visitor_id: string
  /** The people to whom the visitor is linked, the oldest link first. */
  links: VisitorLink[]
  /** The people whom the visitor only claims to be, the oldest claim first. A claim is not proof. */
  claims: VisitorClaim[]
  /** The contact that only statements of this visitor made; null: there is none. */
  own_contact_id: string | null
  /** The merge that the request made, which can be undone; null: the request merged nothing. */
  merge_id: string | null
}

export type EventType = 'contact.created' | 'contact.updated' | 'contact.archived' | 'contact.restored' | 'contact.erased' | 'contact.merged' | 'contact.unmerged' | 'company.created' | 'company.updated' | 'company.archived' | 'company.restored' | 'company.erased' | 'company.merged' | 'company.unmerged' | 'deal.created' | 'deal.updated' | 'deal.archived' | 'deal.restored' | 'deal.erased' | 'deal.merged' | 'deal.unmerged' | 'deal.closed' | 'deal.reopened' | 'deal_stages.updated' | 'close_reason.created' | 'close_reason.updated' | 'close_reason.archived' | 'close_reason.restored' | 'field.created' | 'field.updated' | 'field.deleted' | 'note.created' | 'note.updated' | 'note.deleted' | 'task.created' | 'task.updated' | 'task.completed' | 'task.reopened' | 'task.deleted' | 'segment.created' | 'segment.updated' | 'segment.deleted' | 'merge.dismissed' | 'merge.reopened' | 'duplicate_settings.updated' | 'connected_app.connected' | 'connected_app.updated' | 'connected_app.revoked' | 'approval.approved' | 'approval.declined' | 'api_key.created' | 'api_key.updated' | 'api_key.rotated' | 'api_key.deleted' | 'org.created' | 'org.updated' | 'org.agency_linked' | 'org.agency_unlinked' | 'agency.client_created' | 'agency.client_linked' | 'agency.client_unlinked' | 'agency.invitation_created' | 'agency.invitation_revoked' | 'sandbox.created' | 'sandbox.deleted' | 'import.created' | 'import.finished' | 'import.failed' | 'import.canceled' | 'import.reverting' | 'import.reverted' | 'member.invited' | 'member.joined' | 'member.updated' | 'member.removed' | 'member.link_revoked' | 'member.recovery_offered' | 'member.recovered' | 'sso.updated' | 'sso.removed' | 'persona.created' | 'persona.updated' | 'persona.archived' | 'persona.restored' | 'persona.activated' | 'call.dispatched' | 'call.completed' | 'call.busy' | 'call.no_answer' | 'call.failed' | 'call.canceled' | 'voice_number.created' | 'voice_number.deleted' | 'voice_settings.updated' | 'voice_subscription.updated' | 'suppression.created' | 'suppression.deleted' | 'signature_template.created' | 'signature_template.updated' | 'signature_template.deleted' | 'signature_template.pushed' | 'mailbox.created' | 'mailbox.updated' | 'mailbox.deleted' | 'mailbox.pushed' | 'signature.installed' | 'signature.failed' | 'signature_settings.updated' | 'crm_connection.created' | 'crm_connection.updated' | 'crm_connection.deleted' | 'crm_job.created' | 'crm_job.finished' | 'crm_settings.updated' | 'write_key.created' | 'write_key.updated' | 'write_key.rotated' | 'write_key.deleted' | 'form.created' | 'form.updated' | 'form.deleted' | 'form.reverted' | 'form_submission.created' | 'form_submission.marked_spam' | 'form_submission.restored' | 'call_back_request.created' | 'call_back_request.refused' | 'call_back_request.called' | 'call_back_request.declined' | 'visitor.erased' | 'visitor.claim_accepted' | 'visitor.link_undone' | 'tracking_settings.updated' | 'tracking_settings.identity_secret_rotated' | 'tracking_settings.identity_secret_deleted' | 'webhook_endpoint.created' | 'webhook_endpoint.updated' | 'webhook_endpoint.deleted' | 'webhook_endpoint.secret_rotated' | 'webhook_endpoint.enabled' | 'webhook_endpoint.failing' | 'webhook_endpoint.disabled'

export type Event = {
  /** The id of the event. */
  event_id: string
  /** The type of the event: the kind of object, and what happened to it. Later versions may add types. */
  type: EventType
  /** The changed object. */
  object_id: string | null
  /** The API key that made the change; null: a member, the operator or the system made it. */
  api_key_id: string | null
  /** The API key, person or program that made the change. */
  actor: EventActor
  /** The mode of the change. */
  mode: Mode
  /** Names of the changed fields, never their values; null: the type of the event already says what changed. */
  changed: string[] | null
  /** Ids, numbers and names of the change, by the type of the event; null: none. */
  data: { [member: string]: unknown } | null
  /** When the change was made. */
  created_at: number
}

export type EventMessageData = {
  /** The kind of object that changed. */
  object_type: string | null
  /** The changed object. */
  object_id: string | null
  /** The object in the form of its GET, read when the event is sent. null: it was deleted, erased or merged, or you may not read it. Absent: not requested, or `truncated`. */
  object?: { [member: string]: unknown } | null | undefined
  /** The canonical record, if the record was merged into another one. */
  merged_into?: string | undefined
  /** The object has more than 256 KiB. Read it with a GET. */
  truncated?: true | undefined
  /** Ids, numbers and names of the change, by the type of the event. */
  details: { [member: string]: unknown }
}

export type EventMessage = {
  /** The type of the event: the kind of object, and what happened to it. Later versions may add types. */
  type: EventType
  /** When the change was made, in RFC 3339. */
  timestamp: string
  /** The id of the event. */
  event_id: string
  /** The organization whose object changed. */
  org_id: string
  /** The mode of the change. */
  mode: Mode
  /** The API key that made the change; null: a member, the operator or the system made it. */
  api_key_id: string | null
  /** The API key, person or program that made the change. */
  actor: EventActor
  /** Names of the changed fields, never their values; null: the type of the event already says what changed. */
  changed: string[] | null
  /** When the change was made. */
  created_at: number
  /** The changed object. */
  data: EventMessageData
}

export type EventFeed = {
  /** The next events, oldest first. */
  events: EventMessage[]
  /** Send it as `cursor` to get the events after these. */
  cursor: string
  /** Whether further events are ready. If so, do not wait before the next request. */
  has_more: boolean
}

export type WebhookEventType = {
  /** The type of the event. */
  type: EventType
  /** The kind of object that changed. */
  object: string
  /** What an event of this type says. */
  description: string
  /** The permissions to read the object. One of them is enough. */
  permissions: string[]
  /** A message of this type, with the example object of the reference. */
  sample: { [member: string]: unknown }
}

export type WebhookPayload = 'full' | 'thin'

export type WebhookEndpointStatus = 'enabled' | 'failing' | 'disabled'

export type WebhookDisabledReason = 'by_request' | 'gone' | 'no_success' | 'member_left' | 'segment_invalid'

export type WebhookEndpoint = {
  /** The id of the endpoint. */
  endpoint_id: string
  /** The URL to which events are sent. */
  url: string
  /** A note of your choice. */
  description: string
  /** live: real changes. test: only changes by test API keys. */
  mode: Mode
  /** The types that the endpoint gets. */
  types: string[]
  /** Whether events contain their object. */
  payload: WebhookPayload
  /** Whether the endpoint also gets the events of all clients. */
  include_clients: boolean
  /** The endpoint gets only events of records in this segment; null: of all records. */
  segment_id: string | null
  /** The maximum number of requests a second; null: no limit. */
  max_per_second: number | null
  /** The maximum number of requests at the same time. */
  max_in_flight: number
  /** Headers that each request gets. */
  headers: { [member: string]: string }
  /** `failing`: five requests in a row failed; Crosswalk sends only trial requests until the endpoint accepts one. `disabled`: the endpoint gets nothing. */
  status: WebhookEndpointStatus
  /** `by_request`: somebody disabled it. `gone`: it answered 410. `no_success`: no request succeeded for 5 days. `member_left`: the member who owned the endpoint is no longer a member, or the link of the agency that made the endpoint was cut. `segment_invalid`: the filter of its segment is not valid any more. null: it is not disabled. */
  disabled_reason: WebhookDisabledReason | null
  /** How often in a row the endpoint failed. A refused event, for example a 404, counts only after 20 refused events in a row. */
  failures: number
  /** The last request that succeeded; null: none. */
  last_success_at: number | null
  /** The last request that failed since the last success; null: none. */
  last_failure_at: number | null
  /** When an endpoint is tried again after a failure; null: it does not wait. */
  next_probe_at: number | null
  /** When the endpoint was disabled. */
  disabled_at: number | null
  /** When the previous secret stops signing; null: only one secret signs. */
  old_secret_expires_at: number | null
  /** A number that rises with every change. Send it in If-Match, and the server refuses your change if the object has changed since. */
  version: number
  /** When the endpoint was created. */
  created_at: number
  /** When the endpoint was last changed. */
  updated_at: number
}

export type CreateWebhookEndpoint = {
  /** Where events are sent, with https. No user name, no password and no fragment. */
  url: string
  /** The types that the endpoint gets: `*`, `contact.*` or `deal.closed`. */
  types: string[]
  /** A note of your choice. */
  description?: string | undefined
  /** `full`: each event contains the object, read when the event is sent. `thin`: only its id. */
  payload?: WebhookPayload | undefined
  /** true: the endpoint also gets the events of all clients of the agency. Needs an agency key. */
  include_clients?: boolean | undefined
  /** Only events of records that are in this segment when the event is sent; null: of all records. Not together with `include_clients`. */
  segment_id?: string | null | undefined
  /** The maximum number of requests a second; null: no limit. */
  max_per_second?: number | null | undefined
  /** The maximum number of requests at the same time. */
  max_in_flight?: number | undefined
  /** Up to 10 headers that each request gets, such as a key of your gateway. */
  headers?: { [member: string]: string } | undefined
}

export type CreatedWebhookEndpoint = {
  /** The id of the endpoint. */
  endpoint_id: string
  /** The URL to which events are sent. */
  url: string
  /** A note of your choice. */
  description: string
  /** live: real changes. test: only changes by test API keys. */
  mode: Mode
  /** The types that the endpoint gets. */
  types: string[]
  /** Whether events contain their object. */
  payload: WebhookPayload
  /** Whether the endpoint also gets the events of all clients. */
  include_clients: boolean
  /** The endpoint gets only events of records in this segment; null: of all records. */
  segment_id: string | null
  /** The maximum number of requests a second; null: no limit. */
  max_per_second: number | null
  /** The maximum number of requests at the same time. */
  max_in_flight: number
  /** Headers that each request gets. */
  headers: { [member: string]: string }
  /** `failing`: five requests in a row failed; Crosswalk sends only trial requests until the endpoint accepts one. `disabled`: the endpoint gets nothing. */
  status: WebhookEndpointStatus
  /** `by_request`: somebody disabled it. `gone`: it answered 410. `no_success`: no request succeeded for 5 days. `member_left`: the member who owned the endpoint is no longer a member, or the link of the agency that made the endpoint was cut. `segment_invalid`: the filter of its segment is not valid any more. null: it is not disabled. */
  disabled_reason: WebhookDisabledReason | null
  /** How often in a row the endpoint failed. A refused event, for example a 404, counts only after 20 refused events in a row. */
  failures: number
  /** The last request that succeeded; null: none. */
  last_success_at: number | null
  /** The last request that failed since the last success; null: none. */
  last_failure_at: number | null
  /** When an endpoint is tried again after a failure; null: it does not wait. */
  next_probe_at: number | null
  /** When the endpoint was disabled. */
  disabled_at: number | null
  /** When the previous secret stops signing; null: only one secret signs. */
  old_secret_expires_at: number | null
  /** A number that rises with every change. Send it in If-Match, and the server refuses your change if the object has changed since. */
  version: number
  /** When the endpoint was created. */
  created_at: number
  /** When the endpoint was last changed. */
  updated_at: number
  /** The secret that signs requests, in the form of Standard Webhooks. Store it: it is not shown again. */
  secret: string
}

export type UpdateWebhookEndpoint = {
  /** Where events are sent, with https. No user name, no password and no fragment. */
  url?: string | undefined
  /** The types that the endpoint gets: `*`, `contact.*` or `deal.closed`. */
  types?: string[] | undefined
  /** A note of your choice. */
  description?: string | undefined
  /** `full`: each event contains the object, read when the event is sent. `thin`: only its id. */
  payload?: WebhookPayload | undefined
  /** true: the endpoint also gets the events of all clients of the agency. Needs an agency key. */
  include_clients?: boolean | undefined
  /** Only events of records that are in this segment when the event is sent; null: of all records. Not together with `include_clients`. */
  segment_id?: string | null | undefined
  /** The maximum number of requests a second; null: no limit. */
  max_per_second?: number | null | undefined
  /** The maximum number of requests at the same time. */
  max_in_flight?: number | undefined
  /** Up to 10 headers that each request gets, such as a key of your gateway. */
  headers?: { [member: string]: string } | undefined
}

export type RotateWebhookSecret = {
  /** For how many seconds the old secret also signs. By default a day. */
  grace_seconds?: number | undefined
}

export type WebhookEnableFrom = 'where_it_stopped' | 'now'

export type EnableWebhookEndpoint = {
  /** `where_it_stopped` sends the missed events of the last 30 days. `now` skips them. */
  from?: WebhookEnableFrom | undefined
}

export type WebhookOutcome = 'delivered' | 'failed' | 'exhausted'

export type WebhookAttempt = {
  /** The id of the attempt. */
  attempt_id: string
  /** The event that was sent. */
  event_id: string
  /** The organization of the event: your own, or a client. */
  org_id: string
  /** The type of the event. */
  type: EventType
  /** The number of the try, from 1. */
  number: number
  /** `exhausted`: the last of all tries failed, and the event is not sent again automatically. */
  outcome: WebhookOutcome
  /** The status of the answer; null: no complete answer came. */
  status: number | null
  /** How long the request took, in milliseconds. */
  duration_ms: number
  /** Why no answer came, or what was wrong with it. */
  error: string | null
  /** The beginning of an answer that was a failure. */
  response_excerpt: string | null
  /** When the request was sent. */
  created_at: number
}

export type WebhookHour = {
  /** The beginning of the hour. */
  hour: number
  /** Requests that succeeded. */
  delivered: number
  /** Requests that failed. */
  failed: number
  /** The average time of a request in milliseconds. */
  average_ms: number
}

export type WebhookStats = {
  /** The hours with requests, the oldest first. Hours are stored for 90 days. */
  hours: WebhookHour[]
  /** Events that wait for their next try. */
  waiting_retries: number
}

export type TestWebhookEndpoint = {
  /** The type of the sample event that is sent. */
  type: EventType
}

export type WebhookTest = {
  /** The id of the sample event. */
  event_id: string
  /** `exhausted`: the last of all tries failed, and the event is not sent again automatically. */
  outcome: WebhookOutcome
  /** The status of the answer; null: no complete answer came. */
  status: number | null
  /** How long the request took, in milliseconds. */
  duration_ms: number
  /** Why no answer came, or what was wrong with it. */
  error: string | null
  /** The beginning of an answer that was a failure. */
  response_excerpt: string | null
}

export type ReplayWebhooks = {
  /** Unix seconds. The beginning of the period. */
  from: number
  /** Unix seconds. By default now. */
  to?: number | undefined
  /** Only these types. By default all that the endpoint gets. */
  types?: string[] | undefined
  /** true: only events of the last 7 days for which every try failed. */
  failed_only?: boolean | undefined
}

export type WebhookReplayStatus = 'running' | 'finished' | 'canceled'

export type WebhookReplay = {
  /** The id of the replay. */
  replay_id: string
  /** The endpoint that gets the events again. */
  endpoint_id: string
  /** The beginning of the period. */
  from: number
  /** The end of the period. */
  to: number
  /** Only these types; null: all that the endpoint gets. */
  types: string[] | null
  /** Whether only failed events are sent. */
  failed_only: boolean
  /** The status of the replay. The last two are final. */
  status: WebhookReplayStatus
  /** How many events were sent again. */
  sent: number
  /** When the replay was requested. */
  created_at: number
  /** When the replay ended. */
  finished_at: number | null
}

export type WebhookResend = {
  /** The endpoint that gets the event again. */
  endpoint_id: string
  /** The event. */
  event_id: string
}

export type ContactEventType = 'contact.created' | 'contact.updated' | 'contact.archived' | 'contact.restored' | 'contact.erased' | 'contact.merged' | 'contact.unmerged'

export type ContactEventData = {
  /** The kind of object that changed. */
  object_type: 'contact'
  /** The changed object. */
  object_id: string | null
  /** The object in the form of its GET, read when the event is sent. null: it was deleted, erased or merged, or you may not read it. Absent: not requested, or `truncated`. */
  object?: Contact | null | undefined
  /** The canonical record, if the record was merged into another one. */
  merged_into?: string | undefined
  /** The object has more than 256 KiB. Read it with a GET. */
  truncated?: true | undefined
  /** Ids, numbers and names of the change, by the type of the event. */
  details: { [member: string]: unknown }
}

export type ContactEvent = {
  /** The type of the event: the kind of object, and what happened to it. Later versions may add types. */
  type: ContactEventType
  /** When the change was made, in RFC 3339. */
  timestamp: string
  /** The id of the event. */
  event_id: string
  /** The organization whose object changed. */
  org_id: string
  /** The mode of the change. */
  mode: Mode
  /** The API key that made the change; null: a member, the operator or the system made it. */
  api_key_id: string | null
  /** The API key, person or program that made the change. */
  actor: EventActor
  /** Names of the changed fields, never their values; null: the type of the event already says what changed. */
  changed: string[] | null
  /** When the change was made. */
  created_at: number
  /** The changed object. */
  data: ContactEventData
}

export type CompanyEventType = 'company.created' | 'company.updated' | 'company.archived' | 'company.restored' | 'company.erased' | 'company.merged' | 'company.unmerged'

export type CompanyEventData = {
  /** The kind of object that changed. */
  object_type: 'company'
  /** The changed object. */
  object_id: string | null
  /** The object in the form of its GET, read when the event is sent. null: it was deleted, erased or merged, or you may not read it. Absent: not requested, or `truncated`. */
  object?: Company | null | undefined
  /** The canonical record, if the record was merged into another one. */
  merged_into?: string | undefined
  /** The object has more than 256 KiB. Read it with a GET. */
  truncated?: true | undefined
  /** Ids, numbers and names of the change, by the type of the event. */
  details: { [member: string]: unknown }
}

export type CompanyEvent = {
  /** The type of the event: the kind of object, and what happened to it. Later versions may add types. */
  type: CompanyEventType
  /** When the change was made, in RFC 3339. */
  timestamp: string
  /** The id of the event. */
  event_id: string
  /** The organization whose object changed. */
  org_id: string
  /** The mode of the change. */
  mode: Mode
  /** The API key that made the change; null: a member, the operator or the system made it. */
  api_key_id: string | null
  /** The API key, person or program that made the change. */
  actor: EventActor
  /** Names of the changed fields, never their values; null: the type of the event already says what changed. */
  changed: string[] | null
  /** When the change was made. */
  created_at: number
  /** The changed object. */
  data: CompanyEventData
}

export type DealEventType = 'deal.created' | 'deal.updated' | 'deal.archived' | 'deal.restored' | 'deal.erased' | 'deal.merged' | 'deal.unmerged' | 'deal.closed' | 'deal.reopened'

export type DealEventData = {
  /** The kind of object that changed. */
  object_type: 'deal'
  /** The changed object. */
  object_id: string | null
  /** The object in the form of its GET, read when the event is sent. null: it was deleted, erased or merged, or you may not read it. Absent: not requested, or `truncated`. */
  object?: Deal | null | undefined
  /** The canonical record, if the record was merged into another one. */
  merged_into?: string | undefined
  /** The object has more than 256 KiB. Read it with a GET. */
  truncated?: true | undefined
  /** Ids, numbers and names of the change, by the type of the event. */
  details: { [member: string]: unknown }
}

export type DealEvent = {
  /** The type of the event: the kind of object, and what happened to it. Later versions may add types. */
  type: DealEventType
  /** When the change was made, in RFC 3339. */
  timestamp: string
  /** The id of the event. */
  event_id: string
  /** The organization whose object changed. */
  org_id: string
  /** The mode of the change. */
  mode: Mode
  /** The API key that made the change; null: a member, the operator or the system made it. */
  api_key_id: string | null
  /** The API key, person or program that made the change. */
  actor: EventActor
  /** Names of the changed fields, never their values; null: the type of the event already says what changed. */
  changed: string[] | null
  /** When the change was made. */
  created_at: number
  /** The changed object. */
  data: DealEventData
}

export type DealStagesEventType = 'deal_stages.updated'

export type DealStagesEventData = {
  /** The kind of object that changed. */
  object_type: 'deal_stages'
  /** The changed object. */
  object_id: string | null
  /** The object in the form of its GET, read when the event is sent. null: it was deleted, erased or merged, or you may not read it. Absent: not requested, or `truncated`. */
  object?: DealStages | null | undefined
  /** The canonical record, if the record was merged into another one. */
  merged_into?: string | undefined
  /** The object has more than 256 KiB. Read it with a GET. */
  truncated?: true | undefined
  /** Ids, numbers and names of the change, by the type of the event. */
  details: { [member: string]: unknown }
}

export type DealStagesEvent = {
  /** The type of the event: the kind of object, and what happened to it. Later versions may add types. */
  type: DealStagesEventType
  /** When the change was made, in RFC 3339. */
  timestamp: string
  /** The id of the event. */
  event_id: string
  /** The organization whose object changed. */
  org_id: string
  /** The mode of the change. */
  mode: Mode
  /** The API key that made the change; null: a member, the operator or the system made it. */
  api_key_id: string | null
  /** The API key, person or program that made the change. */
  actor: EventActor
  /** Names of the changed fields, never their values; null: the type of the event already says what changed. */
  changed: string[] | null
  /** When the change was made. */
  created_at: number
  /** The changed object. */
  data: DealStagesEventData
}

export type CloseReasonEventType = 'close_reason.created' | 'close_reason.updated' | 'close_reason.archived' | 'close_reason.restored'

export type CloseReasonEventData = {
  /** The kind of object that changed. */
  object_type: 'close_reason'
  /** The changed object. */
  object_id: string | null
  /** The object in the form of its GET, read when the event is sent. null: it was deleted, erased or merged, or you may not read it. Absent: not requested, or `truncated`. */
  object?: CloseReason | null | undefined
  /** The canonical record, if the record was merged into another one. */
  merged_into?: string | undefined
  /** The object has more than 256 KiB. Read it with a GET. */
  truncated?: true | undefined
  /** Ids, numbers and names of the change, by the type of the event. */
  details: { [member: string]: unknown }
}

export type CloseReasonEvent = {
  /** The type of the event: the kind of object, and what happened to it. Later versions may add types. */
  type: CloseReasonEventType
  /** When the change was made, in RFC 3339. */
  timestamp: string
  /** The id of the event. */
  event_id: string
  /** The organization whose object changed. */
  org_id: string
  /** The mode of the change. */
  mode: Mode
  /** The API key that made the change; null: a member, the operator or the system made it. */
  api_key_id: string | null
  /** The API key, person or program that made the change. */
  actor: EventActor
  /** Names of the changed fields, never their values; null: the type of the event already says what changed. */
  changed: string[] | null
  /** When the change was made. */
  created_at: number
  /** The changed object. */
  data: CloseReasonEventData
}

export type FieldEventType = 'field.created' | 'field.updated' | 'field.deleted'

export type FieldEventData = {
  /** The kind of object that changed. */
  object_type: 'field'
  /** The changed object. */
  object_id: string | null
  /** The object in the form of its GET, read when the event is sent. null: it was deleted, erased or merged, or you may not read it. Absent: not requested, or `truncated`. */
  object?: Field | null | undefined
  /** The canonical record, if the record was merged into another one. */
  merged_into?: string | undefined
  /** The object has more than 256 KiB. Read it with a GET. */
  truncated?: true | undefined
  /** Ids, numbers and names of the change, by the type of the event. */
  details: { [member: string]: unknown }
}

export type FieldEvent = {
  /** The type of the event: the kind of object, and what happened to it. Later versions may add types. */
  type: FieldEventType
  /** When the change was made, in RFC 3339. */
  timestamp: string
  /** The id of the event. */
  event_id: string
  /** The organization whose object changed. */
  org_id: string
  /** The mode of the change. */
  mode: Mode
  /** The API key that made the change; null: a member, the operator or the system made it. */
  api_key_id: string | null
  /** The API key, person or program that made the change. */
  actor: EventActor
  /** Names of the changed fields, never their values; null: the type of the event already says what changed. */
  changed: string[] | null
  /** When the change was made. */
  created_at: number
  /** The changed object. */
  data: FieldEventData
}

export type NoteEventType = 'note.created' | 'note.updated' | 'note.deleted'

export type NoteEventData = {
  /** The kind of object that changed. */
  object_type: 'note'
  /** The changed object. */
  object_id: string | null
  /** The object in the form of its GET, read when the event is sent. null: it was deleted, erased or merged, or you may not read it. Absent: not requested, or `truncated`. */
  object?: Note | null | undefined
  /** The canonical record, if the record was merged into another one. */
  merged_into?: string | undefined
  /** The object has more than 256 KiB. Read it with a GET. */
  truncated?: true | undefined
  /** Ids, numbers and names of the change, by the type of the event. */
  details: { [member: string]: unknown }
}

export type NoteEvent = {
  /** The type of the event: the kind of object, and what happened to it. Later versions may add types. */
  type: NoteEventType
  /** When the change was made, in RFC 3339. */
  timestamp: string
  /** The id of the event. */
  event_id: string
  /** The organization whose object changed. */
  org_id: string
  /** The mode of the change. */
  mode: Mode
  /** The API key that made the change; null: a member, the operator or the system made it. */
  api_key_id: string | null
  /** The API key, person or program that made the change. */
  actor: EventActor
  /** Names of the changed fields, never their values; null: the type of the event already says what changed. */
  changed: string[] | null
  /** When the change was made. */
  created_at: number
  /** The changed object. */
  data: NoteEventData
}

export type TaskEventType = 'task.created' | 'task.updated' | 'task.completed' | 'task.reopened' | 'task.deleted'

export type TaskEventData = {
  /** The kind of object that changed. */
  object_type: 'task'
  /** The changed object. */
  object_id: string | null
  /** The object in the form of its GET, read when the event is sent. null: it was deleted, erased or merged, or you may not read it. Absent: not requested, or `truncated`. */
  object?: Task | null | undefined
  /** The canonical record, if the record was merged into another one. */
  merged_into?: string | undefined
  /** The object has more than 256 KiB. Read it with a GET. */
  truncated?: true | undefined
  /** Ids, numbers and names of the change, by the type of the event. */
  details: { [member: string]: unknown }
}

export type TaskEvent = {
  /** The type of the event: the kind of object, and what happened to it. Later versions may add types. */
  type: TaskEventType
  /** When the change was made, in RFC 3339. */
  timestamp: string
  /** The id of the event. */
  event_id: string
  /** The organization whose object changed. */
  org_id: string
  /** The mode of the change. */
  mode: Mode
  /** The API key that made the change; null: a member, the operator or the system made it. */
  api_key_id: string | null
  /** The API key, person or program that made the change. */
  actor: EventActor
  /** Names of the changed fields, never their values; null: the type of the event already says what changed. */
  changed: string[] | null
  /** When the change was made. */
  created_at: number
  /** The changed object. */
  data: TaskEventData
}

export type SegmentEventType = 'segment.created' | 'segment.updated' | 'segment.deleted'

export type SegmentEventData = {
  /** The kind of object that changed. */
  object_type: 'segment'
  /** The changed object. */
  object_id: string | null
  /** The object in the form of its GET, read when the event is sent. null: it was deleted, erased or merged, or you may not read it. Absent: not requested, or `truncated`. */
  object?: Segment | null | undefined
  /** The canonical record, if the record was merged into another one. */
  merged_into?: string | undefined
  /** The object has more than 256 KiB. Read it with a GET. */
  truncated?: true | undefined
  /** Ids, numbers and names of the change, by the type of the event. */
  details: { [member: string]: unknown }
}

export type SegmentEvent = {
  /** The type of the event: the kind of object, and what happened to it. Later versions may add types. */
  type: SegmentEventType
  /** When the change was made, in RFC 3339. */
  timestamp: string
  /** The id of the event. */
  event_id: string
  /** The organization whose object changed. */
  org_id: string
  /** The mode of the change. */
  mode: Mode
  /** The API key that made the change; null: a member, the operator or the system made it. */
  api_key_id: string | null
  /** The API key, person or program that made the change. */
  actor: EventActor
  /** Names of the changed fields, never their values; null: the type of the event already says what changed. */
  changed: string[] | null
  /** When the change was made. */
  created_at: number
  /** The changed object. */
  data: SegmentEventData
}

export type MergeEventType = 'merge.dismissed' | 'merge.reopened'

export type MergeEventData = {
  /** The kind of object that changed. */
  object_type: 'merge'
  /** The changed object. */
  object_id: string | null
  /** The object in the form of its GET, read when the event is sent. null: it was deleted, erased or merged, or you may not read it. Absent: not requested, or `truncated`. */
  object?: Merge | null | undefined
  /** The canonical record, if the record was merged into another one. */
  merged_into?: string | undefined
  /** The object has more than 256 KiB. Read it with a GET. */
  truncated?: true | undefined
  /** Ids, numbers and names of the change, by the type of the event. */
  details: { [member: string]: unknown }
}

export type MergeEvent = {
  /** The type of the event: the kind of object, and what happened to it. Later versions may add types. */
  type: MergeEventType
  /** When the change was made, in RFC 3339. */
  timestamp: string
  /** The id of the event. */
  event_id: string
  /** The organization whose object changed. */
  org_id: string
  /** The mode of the change. */
  mode: Mode
  /** The API key that made the change; null: a member, the operator or the system made it. */
  api_key_id: string | null
  /** The API key, person or program that made the change. */
  actor: EventActor
  /** Names of the changed fields, never their values; null: the type of the event already says what changed. */
  changed: string[] | null
  /** When the change was made. */
  created_at: number
  /** The changed object. */
  data: MergeEventData
}

export type DuplicateSettingsEventType = 'duplicate_settings.updated'

export type DuplicateSettingsEventData = {
  /** The kind of object that changed. */
  object_type: 'duplicate_settings'
  /** The changed object. */
  object_id: string | null
  /** The object in the form of its GET, read when the event is sent. null: it was deleted, erased or merged, or you may not read it. Absent: not requested, or `truncated`. */
  object?: DuplicateSettings | null | undefined
  /** The canonical record, if the record was merged into another one. */
  merged_into?: string | undefined
  /** The object has more than 256 KiB. Read it with a GET. */
  truncated?: true | undefined
  /** Ids, numbers and names of the change, by the type of the event. */
  details: { [member: string]: unknown }
}

export type DuplicateSettingsEvent = {
  /** The type of the event: the kind of object, and what happened to it. Later versions may add types. */
  type: DuplicateSettingsEventType
  /** When the change was made, in RFC 3339. */
  timestamp: string
  /** The id of the event. */
  event_id: string
  /** The organization whose object changed. */
  org_id: string
  /** The mode of the change. */
  mode: Mode
  /** The API key that made the change; null: a member, the operator or the system made it. */
  api_key_id: string | null
  /** The API key, person or program that made the change. */
  actor: EventActor
  /** Names of the changed fields, never their values; null: the type of the event already says what changed. */
  changed: string[] | null
  /** When the change was made. */
  created_at: number
  /** The changed object. */
  data: DuplicateSettingsEventData
}

export type ConnectedAppEventType = 'connected_app.connected' | 'connected_app.updated' | 'connected_app.revoked'

export type ConnectedAppEventData = {
  /** The kind of object that changed. */
  object_type: 'connected_app'
  /** The changed object. */
  object_id: string | null
  /** The object in the form of its GET, read when the event is sent. null: it was deleted, erased or merged, or you may not read it. Absent: not requested, or `truncated`. */
  object?: ConnectedApp | null | undefined
  /** The canonical record, if the record was merged into another one. */
  merged_into?: string | undefined
  /** The object has more than 256 KiB. Read it with a GET. */
  truncated?: true | undefined
  /** Ids, numbers and names of the change, by the type of the event. */
  details: { [member: string]: unknown }
}

export type ConnectedAppEvent = {
  /** The type of the event: the kind of object, and what happened to it. Later versions may add types. */
  type: ConnectedAppEventType
  /** When the change was made, in RFC 3339. */
  timestamp: string
  /** The id of the event. */
  event_id: string
  /** The organization whose object changed. */
  org_id: string
  /** The mode of the change. */
  mode: Mode
  /** The API key that made the change; null: a member, the operator or the system made it. */
  api_key_id: string | null
  /** The API key, person or program that made the change. */
  actor: EventActor
  /** Names of the changed fields, never their values; null: the type of the event already says what changed. */
  changed: string[] | null
  /** When the change was made. */
  created_at: number
  /** The changed object. */
  data: ConnectedAppEventData
}

export type ApprovalEventType = 'approval.approved' | 'approval.declined'

export type ApprovalEventData = {
  /** The kind of object that changed. */
  object_type: 'approval'
  /** The changed object. */
  object_id: string | null
  /** The object in the form of its GET, read when the event is sent. null: it was deleted, erased or merged, or you may not read it. Absent: not requested, or `truncated`. */
  object?: { [member: string]: unknown } | null | undefined
  /** The canonical record, if the record was merged into another one. */
  merged_into?: string | undefined
  /** The object has more than 256 KiB. Read it with a GET. */
  truncated?: true | undefined
  /** Ids, numbers and names of the change, by the type of the event. */
  details: { [member: string]: unknown }
}

export type ApprovalEvent = {
  /** The type of the event: the kind of object, and what happened to it. Later versions may add types. */
  type: ApprovalEventType
  /** When the change was made, in RFC 3339. */
  timestamp: string
  /** The id of the event. */
  event_id: string
  /** The organization whose object changed. */
  org_id: string
  /** The mode of the change. */
  mode: Mode
  /** The API key that made the change; null: a member, the operator or the system made it. */
  api_key_id: string | null
  /** The API key, person or program that made the change. */
  actor: EventActor
  /** Names of the changed fields, never their values; null: the type of the event already says what changed. */
  changed: string[] | null
  /** When the change was made. */
  created_at: number
  /** The changed object. */
  data: ApprovalEventData
}

export type ApiKeyEventType = 'api_key.created' | 'api_key.updated' | 'api_key.rotated' | 'api_key.deleted'

export type ApiKeyEventData = {
  /** The kind of object that changed. */
  object_type: 'api_key'
  /** The changed object. */
  object_id: string | null
  /** The object in the form of its GET, read when the event is sent. null: it was deleted, erased or merged, or you may not read it. Absent: not requested, or `truncated`. */
  object?: ApiKey | null | undefined
  /** The canonical record, if the record was merged into another one. */
  merged_into?: string | undefined
  /** The object has more than 256 KiB. Read it with a GET. */
  truncated?: true | undefined
  /** Ids, numbers and names of the change, by the type of the event. */
  details: { [member: string]: unknown }
}

export type ApiKeyEvent = {
  /** The type of the event: the kind of object, and what happened to it. Later versions may add types. */
  type: ApiKeyEventType
  /** When the change was made, in RFC 3339. */
  timestamp: string
  /** The id of the event. */
  event_id: string
  /** The organization whose object changed. */
  org_id: string
  /** The mode of the change. */
  mode: Mode
  /** The API key that made the change; null: a member, the operator or the system made it. */
  api_key_id: string | null
  /** The API key, person or program that made the change. */
  actor: EventActor
  /** Names of the changed fields, never their values; null: the type of the event already says what changed. */
  changed: string[] | null
  /** When the change was made. */
  created_at: number
  /** The changed object. */
  data: ApiKeyEventData
}

export type OrganizationEventType = 'org.created' | 'org.updated' | 'org.agency_linked' | 'org.agency_unlinked' | 'sso.updated' | 'sso.removed'

export type OrganizationEventData = {
  /** The kind of object that changed. */
  object_type: 'organization'
  /** The changed object. */
  object_id: string | null
  /** The object in the form of its GET, read when the event is sent. null: it was deleted, erased or merged, or you may not read it. Absent: not requested, or `truncated`. */
  object?: Organization | null | undefined
  /** The canonical record, if the record was merged into another one. */
  merged_into?: string | undefined
  /** The object has more than 256 KiB. Read it with a GET. */
  truncated?: true | undefined
  /** Ids, numbers and names of the change, by the type of the event. */
  details: { [member: string]: unknown }
}

export type OrganizationEvent = {
  /** The type of the event: the kind of object, and what happened to it. Later versions may add types. */
  type: OrganizationEventType
  /** When the change was made, in RFC 3339. */
  timestamp: string
  /** The id of the event. */
  event_id: string
  /** The organization whose object changed. */
  org_id: string
  /** The mode of the change. */
  mode: Mode
  /** The API key that made the change; null: a member, the operator or the system made it. */
  api_key_id: string | null
  /** The API key, person or program that made the change. */
  actor: EventActor
  /** Names of the changed fields, never their values; null: the type of the event already says what changed. */
  changed: string[] | null
  /** When the change was made. */
  created_at: number
  /** The changed object. */
  data: OrganizationEventData
}

export type AgencyClientEventType = 'agency.client_created' | 'agency.client_linked' | 'agency.client_unlinked'

export type AgencyClientEventData = {
  /** The kind of object that changed. */
  object_type: 'agency_client'
  /** The changed object. */
  object_id: string | null
  /** The object in the form of its GET, read when the event is sent. null: it was deleted, erased or merged, or you may not read it. Absent: not requested, or `truncated`. */
  object?: AgencyClient | null | undefined
  /** The canonical record, if the record was merged into another one. */
  merged_into?: string | undefined
  /** The object has more than 256 KiB. Read it with a GET. */
  truncated?: true | undefined
  /** Ids, numbers and names of the change, by the type of the event. */
  details: { [member: string]: unknown }
}

export type AgencyClientEvent = {
  /** The type of the event: the kind of object, and what happened to it. Later versions may add types. */
  type: AgencyClientEventType
  /** When the change was made, in RFC 3339. */
  timestamp: string
  /** The id of the event. */
  event_id: string
  /** The organization whose object changed. */
  org_id: string
  /** The mode of the change. */
  mode: Mode
  /** The API key that made the change; null: a member, the operator or the system made it. */
  api_key_id: string | null
  /** The API key, person or program that made the change. */
  actor: EventActor
  /** Names of the changed fields, never their values; null: the type of the event already says what changed. */
  changed: string[] | null
  /** When the change was made. */
  created_at: number
  /** The changed object. */
  data: AgencyClientEventData
}

export type AgencyInvitationEventType = 'agency.invitation_created' | 'agency.invitation_revoked'

export type AgencyInvitationEventData = {
  /** The kind of object that changed. */
  object_type: 'agency_invitation'
  /** The changed object. */
  object_id: string | null
  /** The object in the form of its GET, read when the event is sent. null: it was deleted, erased or merged, or you may not read it. Absent: not requested, or `truncated`. */
  object?: AgencyInvitation | null | undefined
  /** The canonical record, if the record was merged into another one. */
  merged_into?: string | undefined
  /** The object has more than 256 KiB. Read it with a GET. */
  truncated?: true | undefined
  /** Ids, numbers and names of the change, by the type of the event. */
  details: { [member: string]: unknown }
}

export type AgencyInvitationEvent = {
  /** The type of the event: the kind of object, and what happened to it. Later versions may add types. */
  type: AgencyInvitationEventType
  /** When the change was made, in RFC 3339. */
  timestamp: string
  /** The id of the event. */
  event_id: string
  /** The organization whose object changed. */
  org_id: string
  /** The mode of the change. */
  mode: Mode
  /** The API key that made the change; null: a member, the operator or the system made it. */
  api_key_id: string | null
  /** The API key, person or program that made the change. */
  actor: EventActor
  /** Names of the changed fields, never their values; null: the type of the event already says what changed. */
  changed: string[] | null
  /** When the change was made. */
  created_at: number
  /** The changed object. */
  data: AgencyInvitationEventData
}

export type SandboxEventType = 'sandbox.created' | 'sandbox.deleted'

export type SandboxEventData = {
  /** The kind of object that changed. */
  object_type: 'sandbox'
  /** The changed object. */
  object_id: string | null
  /** The object in the form of its GET, read when the event is sent. null: it was deleted, erased or merged, or you may not read it. Absent: not requested, or `truncated`. */
  object?: Sandbox | null | undefined
  /** The canonical record, if the record was merged into another one. */
  merged_into?: string | undefined
  /** The object has more than 256 KiB. Read it with a GET. */
  truncated?: true | undefined
  /** Ids, numbers and names of the change, by the type of the event. */
  details: { [member: string]: unknown }
}

export type SandboxEvent = {
  /** The type of the event: the kind of object, and what happened to it. Later versions may add types. */
  type: SandboxEventType
  /** When the change was made, in RFC 3339. */
  timestamp: string
  /** The id of the event. */
  event_id: string
  /** The organization whose object changed. */
  org_id: string
  /** The mode of the change. */
  mode: Mode
  /** The API key that made the change; null: a member, the operator or the system made it. */
  api_key_id: string | null
  /** The API key, person or program that made the change. */
  actor: EventActor
  /** Names of the changed fields, never their values; null: the type of the event already says what changed. */
  changed: string[] | null
  /** When the change was made. */
  created_at: number
  /** The changed object. */
  data: SandboxEventData
}

export type ImportEventType = 'import.created' | 'import.finished' | 'import.failed' | 'import.canceled' | 'import.reverting' | 'import.reverted'

export type ImportEventData = {
  /** The kind of object that changed. */
  object_type: 'import'
  /** The changed object. */
  object_id: string | null
  /** The object in the form of its GET, read when the event is sent. null: it was deleted, erased or merged, or you may not read it. Absent: not requested, or `truncated`. */
  object?: Import | null | undefined
  /** The canonical record, if the record was merged into another one. */
  merged_into?: string | undefined
  /** The object has more than 256 KiB. Read it with a GET. */
  truncated?: true | undefined
  /** Ids, numbers and names of the change, by the type of the event. */
  details: { [member: string]: unknown }
}

export type ImportEvent = {
  /** The type of the event: the kind of object, and what happened to it. Later versions may add types. */
  type: ImportEventType
  /** When the change was made, in RFC 3339. */
  timestamp: string
  /** The id of the event. */
  event_id: string
  /** The organization whose object changed. */
  org_id: string
  /** The mode of the change. */
  mode: Mode
  /** The API key that made the change; null: a member, the operator or the system made it. */
  api_key_id: string | null
  /** The API key, person or program that made the change. */
  actor: EventActor
  /** Names of the changed fields, never their values; null: the type of the event already says what changed. */
  changed: string[] | null
  /** When the change was made. */
  created_at: number
  /** The changed object. */
  data: ImportEventData
}

export type MemberEventType = 'member.invited' | 'member.joined' | 'member.updated' | 'member.removed' | 'member.link_revoked' | 'member.recovery_offered' | 'member.recovered'

export type MemberEventData = {
  /** The kind of object that changed. */
  object_type: 'member'
  /** The changed object. */
  object_id: string | null
  /** The object in the form of its GET, read when the event is sent. null: it was deleted, erased or merged, or you may not read it. Absent: not requested, or `truncated`. */
  object?: { [member: string]: unknown } | null | undefined
  /** The canonical record, if the record was merged into another one. */
  merged_into?: string | undefined
  /** The object has more than 256 KiB. Read it with a GET. */
  truncated?: true | undefined
  /** Ids, numbers and names of the change, by the type of the event. */
  details: { [member: string]: unknown }
}

export type MemberEvent = {
  /** The type of the event: the kind of object, and what happened to it. Later versions may add types. */
  type: MemberEventType
  /** When the change was made, in RFC 3339. */
  timestamp: string
  /** The id of the event. */
  event_id: string
  /** The organization whose object changed. */
  org_id: string
  /** The mode of the change. */
  mode: Mode
  /** The API key that made the change; null: a member, the operator or the system made it. */
  api_key_id: string | null
  /** The API key, person or program that made the change. */
  actor: EventActor
  /** Names of the changed fields, never their values; null: the type of the event already says what changed. */
  changed: string[] | null
  /** When the change was made. */
  created_at: number
  /** The changed object. */
  data: MemberEventData
}

export type PersonaEventType = 'persona.created' | 'persona.updated' | 'persona.archived' | 'persona.restored' | 'persona.activated'

export type PersonaEventData = {
  /** The kind of object that changed. */
  object_type: 'persona'
  /** The changed object. */
  object_id: string | null
  /** The object in the form of its GET, read when the event is sent. null: it was deleted, erased or merged, or you may not read it. Absent: not requested, or `truncated`. */
  object?: Persona | null | undefined
  /** The canonical record, if the record was merged into another one. */
  merged_into?: string | undefined
  /** The object has more than 256 KiB. Read it with a GET. */
  truncated?: true | undefined
  /** Ids, numbers and names of the change, by the type of the event. */
  details: { [member: string]: unknown }
}

export type PersonaEvent = {
  /** The type of the event: the kind of object, and what happened to it. Later versions may add types. */
  type: PersonaEventType
  /** When the change was made, in RFC 3339. */
  timestamp: string
  /** The id of the event. */
  event_id: string
  /** The organization whose object changed. */
  org_id: string
  /** The mode of the change. */
  mode: Mode
  /** The API key that made the change; null: a member, the operator or the system made it. */
  api_key_id: string | null
  /** The API key, person or program that made the change. */
  actor: EventActor
  /** Names of the changed fields, never their values; null: the type of the event already says what changed. */
  changed: string[] | null
  /** When the change was made. */
  created_at: number
  /** The changed object. */
  data: PersonaEventData
}

export type CallEventType = 'call.dispatched' | 'call.completed' | 'call.busy' | 'call.no_answer' | 'call.failed' | 'call.canceled'

export type CallEventData = {
  /** The kind of object that changed. */
  object_type: 'call'
  /** The changed object. */
  object_id: string | null
  /** The object in the form of its GET, read when the event is sent. null: it was deleted, erased or merged, or you may not read it. Absent: not requested, or `truncated`. */
  object?: Call | null | undefined
  /** The canonical record, if the record was merged into another one. */
  merged_into?: string | undefined
  /** The object has more than 256 KiB. Read it with a GET. */
  truncated?: true | undefined
  /** Ids, numbers and names of the change, by the type of the event. */
  details: { [member: string]: unknown }
}

export type CallEvent = {
  /** The type of the event: the kind of object, and what happened to it. Later versions may add types. */
  type: CallEventType
  /** When the change was made, in RFC 3339. */
  timestamp: string
  /** The id of the event. */
  event_id: string
  /** The organization whose object changed. */
  org_id: string
  /** The mode of the change. */
  mode: Mode
  /** The API key that made the change; null: a member, the operator or the system made it. */
  api_key_id: string | null
  /** The API key, person or program that made the change. */
  actor: EventActor
  /** Names of the changed fields, never their values; null: the type of the event already says what changed. */
  changed: string[] | null
  /** When the change was made. */
  created_at: number
  /** The changed object. */
  data: CallEventData
}

export type VoiceNumberEventType = 'voice_number.created' | 'voice_number.deleted'

export type VoiceNumberEventData = {
  /** The kind of object that changed. */
  object_type: 'voice_number'
  /** The changed object. */
  object_id: string | null
  /** The object in the form of its GET, read when the event is sent. null: it was deleted, erased or merged, or you may not read it. Absent: not requested, or `truncated`. */
  object?: { [member: string]: unknown } | null | undefined
  /** The canonical record, if the record was merged into another one. */
  merged_into?: string | undefined
  /** The object has more than 256 KiB. Read it with a GET. */
  truncated?: true | undefined
  /** Ids, numbers and names of the change, by the type of the event. */
  details: { [member: string]: unknown }
}

export type VoiceNumberEvent = {
  /** The type of the event: the kind of object, and what happened to it. Later versions may add types. */
  type: VoiceNumberEventType
  /** When the change was made, in RFC 3339. */
  timestamp: string
  /** The id of the event. */
  event_id: string
  /** The organization whose object changed. */
  org_id: string
  /** The mode of the change. */
  mode: Mode
  /** The API key that made the change; null: a member, the operator or the system made it. */
  api_key_id: string | null
  /** The API key, person or program that made the change. */
  actor: EventActor
  /** Names of the changed fields, never their values; null: the type of the event already says what changed. */
  changed: string[] | null
  /** When the change was made. */
  created_at: number
  /** The changed object. */
  data: VoiceNumberEventData
}

export type VoiceSettingsEventType = 'voice_settings.updated' | 'voice_subscription.updated'

export type VoiceSettingsEventData = {
  /** The kind of object that changed. */
  object_type: 'voice_settings'
  /** The changed object. */
  object_id: string | null
  /** The object in the form of its GET, read when the event is sent. null: it was deleted, erased or merged, or you may not read it. Absent: not requested, or `truncated`. */
  object?: VoiceSettings | null | undefined
  /** The canonical record, if the record was merged into another one. */
  merged_into?: string | undefined
  /** The object has more than 256 KiB. Read it with a GET. */
  truncated?: true | undefined
  /** Ids, numbers and names of the change, by the type of the event. */
  details: { [member: string]: unknown }
}

export type VoiceSettingsEvent = {
  /** The type of the event: the kind of object, and what happened to it. Later versions may add types. */
  type: VoiceSettingsEventType
  /** When the change was made, in RFC 3339. */
  timestamp: string
  /** The id of the event. */
  event_id: string
  /** The organization whose object changed. */
  org_id: string
  /** The mode of the change. */
  mode: Mode
  /** The API key that made the change; null: a member, the operator or the system made it. */
  api_key_id: string | null
  /** The API key, person or program that made the change. */
  actor: EventActor
  /** Names of the changed fields, never their values; null: the type of the event already says what changed. */
  changed: string[] | null
  /** When the change was made. */
  created_at: number
  /** The changed object. */
  data: VoiceSettingsEventData
}

export type SuppressionEventType = 'suppression.created' | 'suppression.deleted'

export type SuppressionEventData = {
  /** The kind of object that changed. */
  object_type: 'suppression'
  /** The changed object. */
  object_id: string | null
  /** The object in the form of its GET, read when the event is sent. null: it was deleted, erased or merged, or you may not read it. Absent: not requested, or `truncated`. */
  object?: Suppression | null | undefined
  /** The canonical record, if the record was merged into another one. */
  merged_into?: string | undefined
  /** The object has more than 256 KiB. Read it with a GET. */
  truncated?: true | undefined
  /** Ids, numbers and names of the change, by the type of the event. */
  details: { [member: string]: unknown }
}

export type SuppressionEvent = {
  /** The type of the event: the kind of object, and what happened to it. Later versions may add types. */
  type: SuppressionEventType
  /** When the change was made, in RFC 3339. */
  timestamp: string
  /** The id of the event. */
  event_id: string
  /** The organization whose object changed. */
  org_id: string
  /** The mode of the change. */
  mode: Mode
  /** The API key that made the change; null: a member, the operator or the system made it. */
  api_key_id: string | null
  /** The API key, person or program that made the change. */
  actor: EventActor
  /** Names of the changed fields, never their values; null: the type of the event already says what changed. */
  changed: string[] | null
  /** When the change was made. */
  created_at: number
  /** The changed object. */
  data: SuppressionEventData
}

export type SignatureTemplateEventType = 'signature_template.created' | 'signature_template.updated' | 'signature_template.deleted' | 'signature_template.pushed'

export type SignatureTemplateEventData = {
  /** The kind of object that changed. */
  object_type: 'signature_template'
  /** The changed object. */
  object_id: string | null
  /** The object in the form of its GET, read when the event is sent. null: it was deleted, erased or merged, or you may not read it. Absent: not requested, or `truncated`. */
  object?: SignatureTemplate | null | undefined
  /** The canonical record, if the record was merged into another one. */
  merged_into?: string | undefined
  /** The object has more than 256 KiB. Read it with a GET. */
  truncated?: true | undefined
  /** Ids, numbers and names of the change, by the type of the event. */
  details: { [member: string]: unknown }
}

export type SignatureTemplateEvent = {
  /** The type of the event: the kind of object, and what happened to it. Later versions may add types. */
  type: SignatureTemplateEventType
  /** When the change was made, in RFC 3339. */
  timestamp: string
  /** The id of the event. */
  event_id: string
  /** The organization whose object changed. */
  org_id: string
  /** The mode of the change. */
  mode: Mode
  /** The API key that made the change; null: a member, the operator or the system made it. */
  api_key_id: string | null
  /** The API key, person or program that made the change. */
  actor: EventActor
  /** Names of the changed fields, never their values; null: the type of the event already says what changed. */
  changed: string[] | null
  /** When the change was made. */
  created_at: number
  /** The changed object. */
  data: SignatureTemplateEventData
}

export type MailboxEventType = 'mailbox.created' | 'mailbox.updated' | 'mailbox.deleted' | 'mailbox.pushed' | 'signature.installed' | 'signature.failed'

export type MailboxEventData = {
  /** The kind of object that changed. */
  object_type: 'mailbox'
  /** The changed object. */
  object_id: string | null
  /** The object in the form of its GET, read when the event is sent. null: it was deleted, erased or merged, or you may not read it. Absent: not requested, or `truncated`. */
  object?: Mailbox | null | undefined
  /** The canonical record, if the record was merged into another one. */
  merged_into?: string | undefined
  /** The object has more than 256 KiB. Read it with a GET. */
  truncated?: true | undefined
  /** Ids, numbers and names of the change, by the type of the event. */
  details: { [member: string]: unknown }
}

export type MailboxEvent = {
  /** The type of the event: the kind of object, and what happened to it. Later versions may add types. */
  type: MailboxEventType
  /** When the change was made, in RFC 3339. */
  timestamp: string
  /** The id of the event. */
  event_id: string
  /** The organization whose object changed. */
  org_id: string
  /** The mode of the change. */
  mode: Mode
  /** The API key that made the change; null: a member, the operator or the system made it. */
  api_key_id: string | null
  /** The API key, person or program that made the change. */
  actor: EventActor
  /** Names of the changed fields, never their values; null: the type of the event already says what changed. */
  changed: string[] | null
  /** When the change was made. */
  created_at: number
  /** The changed object. */
  data: MailboxEventData
}

export type SignatureSettingsEventType = 'signature_settings.updated'

export type SignatureSettingsEventData = {
  /** The kind of object that changed. */
  object_type: 'signature_settings'
  /** The changed object. */
  object_id: string | null
  /** The object in the form of its GET, read when the event is sent. null: it was deleted, erased or merged, or you may not read it. Absent: not requested, or `truncated`. */
  object?: SignatureSettings | null | undefined
  /** The canonical record, if the record was merged into another one. */
  merged_into?: string | undefined
  /** The object has more than 256 KiB. Read it with a GET. */
  truncated?: true | undefined
  /** Ids, numbers and names of the change, by the type of the event. */
  details: { [member: string]: unknown }
}

export type SignatureSettingsEvent = {
  /** The type of the event: the kind of object, and what happened to it. Later versions may add types. */
  type: SignatureSettingsEventType
  /** When the change was made, in RFC 3339. */
  timestamp: string
  /** The id of the event. */
  event_id: string
  /** The organization whose object changed. */
  org_id: string
  /** The mode of the change. */
  mode: Mode
  /** The API key that made the change; null: a member, the operator or the system made it. */
  api_key_id: string | null
  /** The API key, person or program that made the change. */
  actor: EventActor
  /** Names of the changed fields, never their values; null: the type of the event already says what changed. */
  changed: string[] | null
  /** When the change was made. */
  created_at: number
  /** The changed object. */
  data: SignatureSettingsEventData
}

export type CrmConnectionEventType = 'crm_connection.created' | 'crm_connection.updated' | 'crm_connection.deleted'

export type CrmConnectionEventData = {
  /** The kind of object that changed. */
  object_type: 'crm_connection'
  /** The changed object. */
  object_id: string | null
  /** The object in the form of its GET, read when the event is sent. null: it was deleted, erased or merged, or you may not read it. Absent: not requested, or `truncated`. */
  object?: CrmConnection | null | undefined
  /** The canonical record, if the record was merged into another one. */
  merged_into?: string | undefined
  /** The object has more than 256 KiB. Read it with a GET. */
  truncated?: true | undefined
  /** Ids, numbers and names of the change, by the type of the event. */
  details: { [member: string]: unknown }
}

export type CrmConnectionEvent = {
  /** The type of the event: the kind of object, and what happened to it. Later versions may add types. */
  type: CrmConnectionEventType
  /** When the change was made, in RFC 3339. */
  timestamp: string
  /** The id of the event. */
  event_id: string
  /** The organization whose object changed. */
  org_id: string
  /** The mode of the change. */
  mode: Mode
  /** The API key that made the change; null: a member, the operator or the system made it. */
  api_key_id: string | null
  /** The API key, person or program that made the change. */
  actor: EventActor
  /** Names of the changed fields, never their values; null: the type of the event already says what changed. */
  changed: string[] | null
  /** When the change was made. */
  created_at: number
  /** The changed object. */
  data: CrmConnectionEventData
}

export type CrmJobEventType = 'crm_job.created' | 'crm_job.finished'

export type CrmJobEventData = {
  /** The kind of object that changed. */
  object_type: 'crm_job'
  /** The changed object. */
  object_id: string | null
  /** The object in the form of its GET, read when the event is sent. null: it was deleted, erased or merged, or you may not read it. Absent: not requested, or `truncated`. */
  object?: CrmJob | null | undefined
  /** The canonical record, if the record was merged into another one. */
  merged_into?: string | undefined
  /** The object has more than 256 KiB. Read it with a GET. */
  truncated?: true | undefined
  /** Ids, numbers and names of the change, by the type of the event. */
  details: { [member: string]: unknown }
}

export type CrmJobEvent = {
  /** The type of the event: the kind of object, and what happened to it. Later versions may add types. */
  type: CrmJobEventType
  /** When the change was made, in RFC 3339. */
  timestamp: string
  /** The id of the event. */
  event_id: string
  /** The organization whose object changed. */
  org_id: string
  /** The mode of the change. */
  mode: Mode
  /** The API key that made the change; null: a member, the operator or the system made it. */
  api_key_id: string | null
  /** The API key, person or program that made the change. */
  actor: EventActor
  /** Names of the changed fields, never their values; null: the type of the event already says what changed. */
  changed: string[] | null
  /** When the change was made. */
  created_at: number
  /** The changed object. */
  data: CrmJobEventData
}

export type CrmSettingsEventType = 'crm_settings.updated'

export type CrmSettingsEventData = {
  /** The kind of object that changed. */
  object_type: 'crm_settings'
  /** The changed object. */
  object_id: string | null
  /** The object in the form of its GET, read when the event is sent. null: it was deleted, erased or merged, or you may not read it. Absent: not requested, or `truncated`. */
  object?: CrmSettings | null | undefined
  /** The canonical record, if the record was merged into another one. */
  merged_into?: string | undefined
  /** The object has more than 256 KiB. Read it with a GET. */
  truncated?: true | undefined
  /** Ids, numbers and names of the change, by the type of the event. */
  details: { [member: string]: unknown }
}

export type CrmSettingsEvent = {
  /** The type of the event: the kind of object, and what happened to it. Later versions may add types. */
  type: CrmSettingsEventType
  /** When the change was made, in RFC 3339. */
  timestamp: string
  /** The id of the event. */
  event_id: string
  /** The organization whose object changed. */
  org_id: string
  /** The mode of the change. */
  mode: Mode
  /** The API key that made the change; null: a member, the operator or the system made it. */
  api_key_id: string | null
  /** The API key, person or program that made the change. */
  actor: EventActor
  /** Names of the changed fields, never their values; null: the type of the event already says what changed. */
  changed: string[] | null
  /** When the change was made. */
  created_at: number
  /** The changed object. */
  data: CrmSettingsEventData
}

export type WriteKeyEventType = 'write_key.created' | 'write_key.updated' | 'write_key.rotated' | 'write_key.deleted'

export type WriteKeyEventData = {
  /** The kind of object that changed. */
  object_type: 'write_key'
  /** The changed object. */
  object_id: string | null
  /** The object in the form of its GET, read when the event is sent. null: it was deleted, erased or merged, or you may not read it. Absent: not requested, or `truncated`. */
  object?: WriteKey | null | undefined
  /** The canonical record, if the record was merged into another one. */
  merged_into?: string | undefined
  /** The object has more than 256 KiB. Read it with a GET. */
  truncated?: true | undefined
  /** Ids, numbers and names of the change, by the type of the event. */
  details: { [member: string]: unknown }
}

export type WriteKeyEvent = {
  /** The type of the event: the kind of object, and what happened to it. Later versions may add types. */
  type: WriteKeyEventType
  /** When the change was made, in RFC 3339. */
  timestamp: string
  /** The id of the event. */
  event_id: string
  /** The organization whose object changed. */
  org_id: string
  /** The mode of the change. */
  mode: Mode
  /** The API key that made the change; null: a member, the operator or the system made it. */
  api_key_id: string | null
  /** The API key, person or program that made the change. */
  actor: EventActor
  /** Names of the changed fields, never their values; null: the type of the event already says what changed. */
  changed: string[] | null
  /** When the change was made. */
  created_at: number
  /** The changed object. */
  data: WriteKeyEventData
}

export type FormEventType = 'form.created' | 'form.updated' | 'form.deleted' | 'form.reverted'

export type FormEventData = {
  /** The kind of object that changed. */
  object_type: 'form'
  /** The changed object. */
  object_id: string | null
  /** The object in the form of its GET, read when the event is sent. null: it was deleted, erased or merged, or you may not read it. Absent: not requested, or `truncated`. */
  object?: Form | null | undefined
  /** The canonical record, if the record was merged into another one. */
  merged_into?: string | undefined
  /** The object has more than 256 KiB. Read it with a GET. */
  truncated?: true | undefined
  /** Ids, numbers and names of the change, by the type of the event. */
  details: { [member: string]: unknown }
}

export type FormEvent = {
  /** The type of the event: the kind of object, and what happened to it. Later versions may add types. */
  type: FormEventType
  /** When the change was made, in RFC 3339. */
  timestamp: string
  /** The id of the event. */
  event_id: string
  /** The organization whose object changed. */
  org_id: string
  /** The mode of the change. */
  mode: Mode
  /** The API key that made the change; null: a member, the operator or the system made it. */
  api_key_id: string | null
  /** The API key, person or program that made the change. */
  actor: EventActor
  /** Names of the changed fields, never their values; null: the type of the event already says what changed. */
  changed: string[] | null
  /** When the change was made. */
  created_at: number
  /** The changed object. */
  data: FormEventData
}

export type FormSubmissionEventType = 'form_submission.created' | 'form_submission.marked_spam' | 'form_submission.restored'

export type FormSubmissionEventData = {
  /** The kind of object that changed. */
  object_type: 'form_submission'
  /** The changed object. */
  object_id: string | null
  /** The object in the form of its GET, read when the event is sent. null: it was deleted, erased or merged, or you may not read it. Absent: not requested, or `truncated`. */
  object?: FormSubmission | null | undefined
  /** The canonical record, if the record was merged into another one. */
  merged_into?: string | undefined
  /** The object has more than 256 KiB. Read it with a GET. */
  truncated?: true | undefined
  /** Ids, numbers and names of the change, by the type of the event. */
  details: { [member: string]: unknown }
}

export type FormSubmissionEvent = {
  /** The type of the event: the kind of object, and what happened to it. Later versions may add types. */
  type: FormSubmissionEventType
  /** When the change was made, in RFC 3339. */
  timestamp: string
  /** The id of the event. */
  event_id: string
  /** The organization whose object changed. */
  org_id: string
  /** The mode of the change. */
  mode: Mode
  /** The API key that made the change; null: a member, the operator or the system made it. */
  api_key_id: string | null
  /** The API key, person or program that made the change. */
  actor: EventActor
  /** Names of the changed fields, never their values; null: the type of the event already says what changed. */
  changed: string[] | null
  /** When the change was made. */
  created_at: number
  /** The changed object. */
  data: FormSubmissionEventData
}

export type CallBackRequestEventType = 'call_back_request.created' | 'call_back_request.refused' | 'call_back_request.called' | 'call_back_request.declined'

export type CallBackRequestEventData = {
  /** The kind of object that changed. */
  object_type: 'call_back_request'
  /** The changed object. */
  object_id: string | null
  /** The object in the form of its GET, read when the event is sent. null: it was deleted, erased or merged, or you may not read it. Absent: not requested, or `truncated`. */
  object?: CallBackRequest | null | undefined
  /** The canonical record, if the record was merged into another one. */
  merged_into?: string | undefined
  /** The object has more than 256 KiB. Read it with a GET. */
  truncated?: true | undefined
  /** Ids, numbers and names of the change, by the type of the event. */
  details: { [member: string]: unknown }
}

export type CallBackRequestEvent = {
  /** The type of the event: the kind of object, and what happened to it. Later versions may add types. */
  type: CallBackRequestEventType
  /** When the change was made, in RFC 3339. */
  timestamp: string
  /** The id of the event. */
  event_id: string
  /** The organization whose object changed. */
  org_id: string
  /** The mode of the change. */
  mode: Mode
  /** The API key that made the change; null: a member, the operator or the system made it. */
  api_key_id: string | null
  /** The API key, person or program that made the change. */
  actor: EventActor
  /** Names of the changed fields, never their values; null: the type of the event already says what changed. */
  changed: string[] | null
  /** When the change was made. */
  created_at: number
  /** The changed object. */
  data: CallBackRequestEventData
}

export type VisitorEventType = 'visitor.erased' | 'visitor.claim_accepted' | 'visitor.link_undone'

export type VisitorEventData = {
  /** The kind of object that changed. */
  object_type: 'visitor'
  /** The changed object. */
  object_id: string | null
  /** The object in the form of its GET, read when the event is sent. null: it was deleted, erased or merged, or you may not read it. Absent: not requested, or `truncated`. */
  object?: IdentifiedVisitor | null | undefined
  /** The canonical record, if the record was merged into another one. */
  merged_into?: string | undefined
  /** The object has more than 256 KiB. Read it with a GET. */
  truncated?: true | undefined
  /** Ids, numbers and names of the change, by the type of the event. */
  details: { [member: string]: unknown }
}

export type VisitorEvent = {
  /** The type of the event: the kind of object, and what happened to it. Later versions may add types. */
  type: VisitorEventType
  /** When the change was made, in RFC 3339. */
  timestamp: string
  /** The id of the event. */
  event_id: string
  /** The organization whose object changed. */
  org_id: string
  /** The mode of the change. */
  mode: Mode
  /** The API key that made the change; null: a member, the operator or the system made it. */
  api_key_id: string | null
  /** The API key, person or program that made the change. */
  actor: EventActor
  /** Names of the changed fields, never their values; null: the type of the event already says what changed. */
  changed: string[] | null
  /** When the change was made. */
  created_at: number
  /** The changed object. */
  data: VisitorEventData
}

export type TrackingSettingsEventType = 'tracking_settings.updated' | 'tracking_settings.identity_secret_rotated' | 'tracking_settings.identity_secret_deleted'

export type TrackingSettingsEventData = {
  /** The kind of object that changed. */
  object_type: 'tracking_settings'
  /** The changed object. */
  object_id: string | null
  /** The object in the form of its GET, read when the event is sent. null: it was deleted, erased or merged, or you may not read it. Absent: not requested, or `truncated`. */
  object?: TrackingSettings | null | undefined
  /** The canonical record, if the record was merged into another one. */
  merged_into?: string | undefined
  /** The object has more than 256 KiB. Read it with a GET. */
  truncated?: true | undefined
  /** Ids, numbers and names of the change, by the type of the event. */
  details: { [member: string]: unknown }
}

export type TrackingSettingsEvent = {
  /** The type of the event: the kind of object, and what happened to it. Later versions may add types. */
  type: TrackingSettingsEventType
  /** When the change was made, in RFC 3339. */
  timestamp: string
  /** The id of the event. */
  event_id: string
  /** The organization whose object changed. */
  org_id: string
  /** The mode of the change. */
  mode: Mode
  /** The API key that made the change; null: a member, the operator or the system made it. */
  api_key_id: string | null
  /** The API key, person or program that made the change. */
  actor: EventActor
  /** Names of the changed fields, never their values; null: the type of the event already says what changed. */
  changed: string[] | null
  /** When the change was made. */
  created_at: number
  /** The changed object. */
  data: TrackingSettingsEventData
}

export type WebhookEndpointEventType = 'webhook_endpoint.created' | 'webhook_endpoint.updated' | 'webhook_endpoint.deleted' | 'webhook_endpoint.secret_rotated' | 'webhook_endpoint.enabled' | 'webhook_endpoint.failing' | 'webhook_endpoint.disabled'

export type WebhookEndpointEventData = {
  /** The kind of object that changed. */
  object_type: 'webhook_endpoint'
  /** The changed object. */
  object_id: string | null
  /** The object in the form of its GET, read when the event is sent. null: it was deleted, erased or merged, or you may not read it. Absent: not requested, or `truncated`. */
  object?: WebhookEndpoint | null | undefined
  /** The canonical record, if the record was merged into another one. */
  merged_into?: string | undefined
  /** The object has more than 256 KiB. Read it with a GET. */
  truncated?: true | undefined
  /** Ids, numbers and names of the change, by the type of the event. */
  details: { [member: string]: unknown }
}

export type WebhookEndpointEvent = {
  /** The type of the event: the kind of object, and what happened to it. Later versions may add types. */
  type: WebhookEndpointEventType
  /** When the change was made, in RFC 3339. */
  timestamp: string
  /** The id of the event. */
  event_id: string
  /** The organization whose object changed. */
  org_id: string
  /** The mode of the change. */
  mode: Mode
  /** The API key that made the change; null: a member, the operator or the system made it. */
  api_key_id: string | null
  /** The API key, person or program that made the change. */
  actor: EventActor
  /** Names of the changed fields, never their values; null: the type of the event already says what changed. */
  changed: string[] | null
  /** When the change was made. */
  created_at: number
  /** The changed object. */
  data: WebhookEndpointEventData
}

export type WebhookEvent = ContactEvent | CompanyEvent | DealEvent | DealStagesEvent | CloseReasonEvent | FieldEvent | NoteEvent | TaskEvent | SegmentEvent | MergeEvent | DuplicateSettingsEvent | ConnectedAppEvent | ApprovalEvent | ApiKeyEvent | OrganizationEvent | AgencyClientEvent | AgencyInvitationEvent | SandboxEvent | ImportEvent | MemberEvent | PersonaEvent | CallEvent | VoiceNumberEvent | VoiceSettingsEvent | SuppressionEvent | SignatureTemplateEvent | MailboxEvent | SignatureSettingsEvent | CrmConnectionEvent | CrmJobEvent | CrmSettingsEvent | WriteKeyEvent | FormEvent | FormSubmissionEvent | CallBackRequestEvent | VisitorEvent | TrackingSettingsEvent | WebhookEndpointEvent

/** Filters of lists: `'version[gt]': 1`, `'custom.plan': 'gold'`. */
export type FieldFilters = {
  [filter: `${string}[${string}]` | `custom.${string}`]: string | number | boolean | readonly (string | number)[] | null | undefined
}

export type ListAgencyClientsQuery = {
  /** The maximum number of items in a page. A page may have fewer items, because it ends after 4 MiB. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. Keep the filters the same. */
  cursor?: string | undefined
  /** The number of the page, from 1; use it instead of a cursor. It reaches only the first 10,000 items. */
  page?: number | undefined
}

export type ListAgencyInvitationsQuery = {
  /** The maximum number of items in a page. A page may have fewer items, because it ends after 4 MiB. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. Keep the filters the same. */
  cursor?: string | undefined
  /** The number of the page, from 1; use it instead of a cursor. It reaches only the first 10,000 items. */
  page?: number | undefined
}

export type ExportAgencyClientUsageQuery = {
  /** A calendar month in UTC, as YYYY-MM. Use it instead of `from` and `to`. */
  month?: string | undefined
  /** Unix seconds. By default 30 days before `to`. */
  from?: number | undefined
  /** Unix seconds. The end, which is not included. By default now. At most 92 days after `from`. */
  to?: number | undefined
}

export type ListAgencyClientUsageQuery = {
  /** A calendar month in UTC, as YYYY-MM. Use it instead of `from` and `to`. */
  month?: string | undefined
  /** Unix seconds. By default 30 days before `to`. */
  from?: number | undefined
  /** Unix seconds. The end, which is not included. By default now. At most 92 days after `from`. */
  to?: number | undefined
  /** Finds the client with this id, and clients whose name contains this text. Capitals and accents do not count. */
  q?: string | undefined
  /** The maximum number of items in a page. A page may have fewer items, because it ends after 4 MiB. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. Keep the filters the same. */
  cursor?: string | undefined
  /** The number of the page, from 1; use it instead of a cursor. It reaches only the first 10,000 items. */
  page?: number | undefined
}

export type GetAgencyUsageTotalsQuery = {
  /** A calendar month in UTC, as YYYY-MM. Use it instead of `from` and `to`. */
  month?: string | undefined
  /** Unix seconds. By default 30 days before `to`. */
  from?: number | undefined
  /** Unix seconds. The end, which is not included. By default now. At most 92 days after `from`. */
  to?: number | undefined
}

export type ListBulkChangesQuery = {
  /** Only changes of this record type. */
  entity?: BulkChangeEntity | undefined
  /** Only changes of this status. */
  status?: BulkChangeStatus | undefined
  /** The maximum number of items in a page. A page may have fewer items, because it ends after 4 MiB. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. Keep the filters the same. */
  cursor?: string | undefined
  /** The number of the page, from 1; use it instead of a cursor. It reaches only the first 10,000 items. */
  page?: number | undefined
}

export type ListCallBackRequestsQuery = {
  /** The maximum number of items in a page. A page may have fewer items, because it ends after 4 MiB. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. Keep the filters the same. */
  cursor?: string | undefined
  /** The number of the page, from 1; use it instead of a cursor. It reaches only the first 10,000 items. */
  page?: number | undefined
  /** Only requests with this status. */
  status?: CallBackRequestStatus | undefined
  /** Only requests of this form. */
  form_id?: string | undefined
  /** Only requests for this number, in E.164. */
  number?: string | undefined
  /** Only requests of this mode. */
  mode?: Mode | undefined
}

export type ListCompanyActivityQuery = {
  /** Only items of these kinds, with commas between them. `web_event`: an event of a web page. `submission`: a form that the person sent. `call`: a phone call. `note`, `task`: written about the record. `change`: the record was created, changed, archived or restored. `merge`: records were merged, or a merge was undone. `push`: the last push to a CRM. */
  kinds?: string | undefined
  /** The maximum number of items. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. Keep the filters the same. */
  cursor?: string | undefined
}

export type ExportCompaniesQuery = {
  /** Only records with this `company_id`. */
  company_id?: string | undefined
  /** Only records with this `name`. */
  name?: string | undefined
  /** Only companies with this domain, or with the domain of this web address. */
  domain?: string | undefined
  /** A phone number in E.164. National form also works if a default_country is set. */
  phone?: string | undefined
  /** Only records with this `phone_raw`. */
  phone_raw?: string | undefined
  /** Only records with this `website`. */
  website?: string | undefined
  /** Only records with this `industry`. */
  industry?: string | undefined
  /** Only records with this `employee_count`. */
  employee_count?: number | undefined
  /** Only records with this `linkedin_url`. */
  linkedin_url?: string | undefined
  /** Only records with this `city`. */
  city?: string | undefined
  /** Only records with this `region`. */
  region?: string | undefined
  /** Only records with this `country`. */
  country?: string | undefined
  /** Only records with this `owner_id`. */
  owner_id?: string | undefined
  /** Only records with this `owner_email`. */
  owner_email?: string | undefined
  /** Only records with this `source`. */
  source?: string | undefined
  /** Only records with this `version`. */
  version?: number | undefined
  /** Only records with this `created_at`. */
  created_at?: number | string | undefined
  /** Only records with this `updated_at`. */
  updated_at?: number | string | undefined
  /** Only records with this `archived_at`. */
  archived_at?: number | string | undefined
  /** Only companies with this domain, or with the domain of this web address. */
  domains?: string | undefined
  /** Only records with exactly this tag. */
  tag?: string | undefined
  /** Only records with exactly this tag. */
  tags?: string | undefined
  /** Only records with this external id: the system, a colon and the id, such as `crm:D-17`. */
  external_id?: string | undefined
  /** Only records with this `import_id`. */
  import_id?: string | undefined
  /** `csv` has a header row; `jsonl` has one record per line, as the list shows it. */
  format?: RecordFileFormat | undefined
  /** For `csv`: the file shows each time as the local time of this zone with its offset, such as `2026-01-31T09:30:00+01:00`. Without it, times are Unix seconds. */
  timezone?: string | undefined
  /** For `csv`: true gives each defined field a column `custom.<key>`. All other members of `custom` stay in the column `custom`. Imports read these columns. */
  custom_columns?: boolean | undefined
  /** Finds records by words of their names, addresses or numbers. All given words must match, in any order. The beginning of a word is enough. */
  q?: string | undefined
  /** true lists archived records instead of active ones. */
  archived?: boolean | undefined
  /** Only records of this segment. They must also match all other filters. */
  segment_id?: string | undefined
  /** A minus before the name gives descending order. Records without the field come last. `custom.<key>` sorts by a member of `custom`. By default the order of the segment, or `-created_at`. */
  sort?: CompanySort | undefined
  /** The names of the fields that each record has in the answer. By default all. */
  fields?: string | undefined
  /** Unix seconds: only records that changed at or after this time. */
  updated_since?: number | undefined
  /** A tree of conditions as JSON text, such as `{"or": [{"field": "city", "value": "London"}, {"field": "tag", "value": "vip"}]}`, with the same rules as `filter` of the search. Records must also match all other filters. */
  conditions?: string | undefined
} & FieldFilters

export type GetCompanyQuery = {
  /** The names of the fields that the answer has. By default all. */
  fields?: string | undefined
}

export type ImportCompaniesQuery = {
  /** How the bytes of a text/csv body are encoded, such as `windows-1252`; overrides `charset` of Content-Type. By default the byte order mark or the content decides: UTF-8, or else Windows-1252. */
  encoding?: string | undefined
  /** The fields of the columns of a text/csv body, as a JSON object such as {"Mail": "email", "Nr": "external_id:shop"}. Other columns are recognized by common names. */
  mapping?: string | undefined
  /** true reads the whole file, refuses and counts rows as an import does, and creates nothing. */
  dry_run?: boolean | undefined
  /** A name by which people recognize the import. */
  file_name?: string | undefined
  /** The key by which a row finds the company that it updates, as in an upsert. With `company_id`, a row updates the company whose id is in its `company_id` column. Exports have this column. `custom.<key>` is a unique defined field. Without this parameter, each row creates a company. */
  match_on?: CompanyImportMatchOn | undefined
  /** The country of phone numbers without a country code, if the row itself has none. By default, the default country of the organization. */
  default_country?: string | undefined
  /** The sign before the decimals of numbers in your defined fields: with `comma`, `1.234` is 1234 and `1,5` is 1.5. Without it, forms that have several meanings are refused, and `1.234` is less than 2. A spreadsheet needs no sign: its numbers are read as they are stored. */
  decimal_sign?: DecimalSign | undefined
  /** What comes first in days with slashes in your defined fields: with `month_day`, `03/04/2026` is 4 March. Without it, such days are refused. */
  date_order?: DateOrder | undefined
}

export type InspectCompaniesFileQuery = {
  /** How the bytes of a text/csv body are encoded, such as `windows-1252`; overrides `charset` of Content-Type. By default the byte order mark or the content decides: UTF-8, or else Windows-1252. */
  encoding?: string | undefined
}

export type ListCompaniesQuery = {
  /** Only records with this `company_id`. */
  company_id?: string | undefined
  /** Only records with this `name`. */
  name?: string | undefined
  /** Only companies with this domain, or with the domain of this web address. */
  domain?: string | undefined
  /** A phone number in E.164. National form also works if a default_country is set. */
  phone?: string | undefined
  /** Only records with this `phone_raw`. */
  phone_raw?: string | undefined
  /** Only records with this `website`. */
  website?: string | undefined
  /** Only records with this `industry`. */
  industry?: string | undefined
  /** Only records with this `employee_count`. */
  employee_count?: number | undefined
  /** Only records with this `linkedin_url`. */
  linkedin_url?: string | undefined
  /** Only records with this `city`. */
  city?: string | undefined
  /** Only records with this `region`. */
  region?: string | undefined
  /** Only records with this `country`. */
  country?: string | undefined
  /** Only records with this `owner_id`. */
  owner_id?: string | undefined
  /** Only records with this `owner_email`. */
  owner_email?: string | undefined
  /** Only records with this `source`. */
  source?: string | undefined
  /** Only records with this `version`. */
  version?: number | undefined
  /** Only records with this `created_at`. */
  created_at?: number | string | undefined
  /** Only records with this `updated_at`. */
  updated_at?: number | string | undefined
  /** Only records with this `archived_at`. */
  archived_at?: number | string | undefined
  /** Only companies with this domain, or with the domain of this web address. */
  domains?: string | undefined
  /** Only records with exactly this tag. */
  tag?: string | undefined
  /** Only records with exactly this tag. */
  tags?: string | undefined
  /** Only records with this external id: the system, a colon and the id, such as `crm:D-17`. */
  external_id?: string | undefined
  /** Only records with this `import_id`. */
  import_id?: string | undefined
  /** Finds records by words of their names, addresses or numbers. All given words must match, in any order. The beginning of a word is enough. */
  q?: string | undefined
  /** true lists archived records instead of active ones. */
  archived?: boolean | undefined
  /** Only records of this segment. They must also match all other filters. */
  segment_id?: string | undefined
  /** A minus before the name gives descending order. Records without the field come last. `custom.<key>` sorts by a member of `custom`. By default the order of the segment, or `-created_at`. */
  sort?: CompanySort | undefined
  /** The names of the fields that each record has in the answer. By default all. */
  fields?: string | undefined
  /** The maximum number of items in a page. A page may have fewer items, because it ends after 4 MiB. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. Keep the filters the same. */
  cursor?: string | undefined
  /** The number of the page, from 1; use it instead of a cursor. It reaches only the first 10,000 items. */
  page?: number | undefined
  /** Unix seconds: only records that changed at or after this time. */
  updated_since?: number | undefined
} & FieldFilters

export type ListConnectedAppsQuery = {
  /** true lists disconnected apps instead of connected ones. */
  revoked?: boolean | undefined
  /** The maximum number of items in a page. A page may have fewer items, because it ends after 4 MiB. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. Keep the filters the same. */
  cursor?: string | undefined
  /** The number of the page, from 1; use it instead of a cursor. It reaches only the first 10,000 items. */
  page?: number | undefined
}

export type ListContactActivityQuery = {
  /** Only items of these kinds, with commas between them. `web_event`: an event of a web page. `submission`: a form that the person sent. `call`: a phone call. `note`, `task`: written about the record. `change`: the record was created, changed, archived or restored. `merge`: records were merged, or a merge was undone. `push`: the last push to a CRM. */
  kinds?: string | undefined
  /** The maximum number of items. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. Keep the filters the same. */
  cursor?: string | undefined
}

export type ExportContactsQuery = {
  /** Only records with this `contact_id`. */
  contact_id?: string | undefined
  /** Finds contacts by any of their addresses. Letter case does not matter. */
  email?: string | undefined
  /** Only records with this `email_raw`. */
  email_raw?: string | undefined
  /** Finds records by any of their numbers. A phone number in E.164. National form also works if a default_country is set. */
  phone?: string | undefined
  /** Only records with this `phone_raw`. */
  phone_raw?: string | undefined
  /** Only records with this `first_name`. */
  first_name?: string | undefined
  /** Only records with this `last_name`. */
  last_name?: string | undefined
  /** Only records with this `company_id`. */
  company_id?: string | undefined
  /** Only records with this `company_name`. */
  company_name?: string | undefined
  /** Only records with this `job_title`. */
  job_title?: string | undefined
  /** Only records with this `lifecycle_stage`. */
  lifecycle_stage?: LifecycleStage | undefined
  /** Only records with this `consent.email`. */
  'consent.email'?: ConsentState | undefined
  /** Only records with this `consent.phone`. */
  'consent.phone'?: ConsentState | undefined
  /** Only records with this `linkedin_url`. */
  linkedin_url?: string | undefined
  /** Only records with this `city`. */
  city?: string | undefined
  /** Only records with this `region`. */
  region?: string | undefined
  /** Only records with this `country`. */
  country?: string | undefined
  /** Only records with this `owner_id`. */
  owner_id?: string | undefined
  /** Only records with this `owner_email`. */
  owner_email?: string | undefined
  /** Only records with this `claimed_by`. */
  claimed_by?: string | undefined
  /** Only records with this `source`. */
  source?: string | undefined
  /** Only records with this `version`. */
  version?: number | undefined
  /** Only records with this `created_at`. */
  created_at?: number | string | undefined
  /** Only records with this `updated_at`. */
  updated_at?: number | string | undefined
  /** Only records with this `archived_at`. */
  archived_at?: number | string | undefined
  /** Finds contacts by any of their addresses. Letter case does not matter. */
  emails?: string | undefined
  /** Finds records by any of their numbers. A phone number in E.164. National form also works if a default_country is set. */
  phones?: string | undefined
  /** Only records with exactly this tag. */
  tag?: string | undefined
  /** Only records with exactly this tag. */
  tags?: string | undefined
  /** Only records with this external id: the system, a colon and the id, such as `crm:D-17`. */
  external_id?: string | undefined
  /** Only records with this `import_id`. */
  import_id?: string | undefined
  /** `csv` has a header row; `jsonl` has one record per line, as the list shows it. */
  format?: RecordFileFormat | undefined
  /** For `csv`: the file shows each time as the local time of this zone with its offset, such as `2026-01-31T09:30:00+01:00`. Without it, times are Unix seconds. */
  timezone?: string | undefined
  /** For `csv`: true gives each defined field a column `custom.<key>`. All other members of `custom` stay in the column `custom`. Imports read these columns. */
  custom_columns?: boolean | undefined
  /** Finds records by words of their names, addresses or numbers. All given words must match, in any order. The beginning of a word is enough. */
  q?: string | undefined
  /** true lists archived records instead of active ones. */
  archived?: boolean | undefined
  /** Only records of this segment. They must also match all other filters. */
  segment_id?: string | undefined
  /** A minus before the name gives descending order. Records without the field come last. `custom.<key>` sorts by a member of `custom`. By default the order of the segment, or `-created_at`. */
  sort?: ContactSort | undefined
  /** The names of the fields that each record has in the answer. By default all. */
  fields?: string | undefined
  /** Unix seconds: only records that changed at or after this time. */
  updated_since?: number | undefined
  /** A tree of conditions as JSON text, such as `{"or": [{"field": "city", "value": "London"}, {"field": "tag", "value": "vip"}]}`, with the same rules as `filter` of the search. Records must also match all other filters. */
  conditions?: string | undefined
} & FieldFilters

export type GetContactQuery = {
  /** The names of the fields that the answer has. By default all. */
  fields?: string | undefined
}

export type ImportContactsQuery = {
  /** How the bytes of a text/csv body are encoded, such as `windows-1252`; overrides `charset` of Content-Type. By default the byte order mark or the content decides: UTF-8, or else Windows-1252. */
  encoding?: string | undefined
  /** The fields of the columns of a text/csv body, as a JSON object such as {"Mail": "email", "Nr": "external_id:shop"}. Other columns are recognized by common names. */
  mapping?: string | undefined
  /** true reads the whole file, refuses and counts rows as an import does, and creates nothing. */
  dry_run?: boolean | undefined
  /** A name by which people recognize the import. */
  file_name?: string | undefined
  /** The key by which a row finds the contact that it updates, as in an upsert. With `contact_id`, a row updates the contact whose id is in its `contact_id` column. Exports have this column. `custom.<key>` is a unique defined field. Without this parameter, each row creates a contact. */
  match_on?: ContactImportMatchOn | undefined
  /** The country of phone numbers without a country code, if the row itself has none. By default, the default country of the organization. */
  default_country?: string | undefined
  /** The sign before the decimals of numbers in your defined fields: with `comma`, `1.234` is 1234 and `1,5` is 1.5. Without it, forms that have several meanings are refused, and `1.234` is less than 2. A spreadsheet needs no sign: its numbers are read as they are stored. */
  decimal_sign?: DecimalSign | undefined
  /** What comes first in days with slashes in your defined fields: with `month_day`, `03/04/2026` is 4 March. Without it, such days are refused. */
  date_order?: DateOrder | undefined
}

export type InspectContactsFileQuery = {
  /** How the bytes of a text/csv body are encoded, such as `windows-1252`; overrides `charset` of Content-Type. By default the byte order mark or the content decides: UTF-8, or else Windows-1252. */
  encoding?: string | undefined
}

export type ListContactsQuery = {
  /** Only records with this `contact_id`. */
  contact_id?: string | undefined
  /** Finds contacts by any of their addresses. Letter case does not matter. */
  email?: string | undefined
  /** Only records with this `email_raw`. */
  email_raw?: string | undefined
  /** Finds records by any of their numbers. A phone number in E.164. National form also works if a default_country is set. */
  phone?: string | undefined
  /** Only records with this `phone_raw`. */
  phone_raw?: string | undefined
  /** Only records with this `first_name`. */
  first_name?: string | undefined
  /** Only records with this `last_name`. */
  last_name?: string | undefined
  /** Only records with this `company_id`. */
  company_id?: string | undefined
  /** Only records with this `company_name`. */
  company_name?: string | undefined
  /** Only records with this `job_title`. */
  job_title?: string | undefined
  /** Only records with this `lifecycle_stage`. */
  lifecycle_stage?: LifecycleStage | undefined
  /** Only records with this `consent.email`. */
  'consent.email'?: ConsentState | undefined
  /** Only records with this `consent.phone`. */
  'consent.phone'?: ConsentState | undefined
  /** Only records with this `linkedin_url`. */
  linkedin_url?: string | undefined
  /** Only records with this `city`. */
  city?: string | undefined
  /** Only records with this `region`. */
  region?: string | undefined
  /** Only records with this `country`. */
  country?: string | undefined
  /** Only records with this `owner_id`. */
  owner_id?: string | undefined
  /** Only records with this `owner_email`. */
  owner_email?: string | undefined
  /** Only records with this `claimed_by`. */
  claimed_by?: string | undefined
  /** Only records with this `source`. */
  source?: string | undefined
  /** Only records with this `version`. */
  version?: number | undefined
  /** Only records with this `created_at`. */
  created_at?: number | string | undefined
  /** Only records with this `updated_at`. */
  updated_at?: number | string | undefined
  /** Only records with this `archived_at`. */
  archived_at?: number | string | undefined
  /** Finds contacts by any of their addresses. Letter case does not matter. */
  emails?: string | undefined
  /** Finds records by any of their numbers. A phone number in E.164. National form also works if a default_country is set. */
  phones?: string | undefined
  /** Only records with exactly this tag. */
  tag?: string | undefined
  /** Only records with exactly this tag. */
  tags?: string | undefined
  /** Only records with this external id: the system, a colon and the id, such as `crm:D-17`. */
  external_id?: string | undefined
  /** Only records with this `import_id`. */
  import_id?: string | undefined
  /** Finds records by words of their names, addresses or numbers. All given words must match, in any order. The beginning of a word is enough. */
  q?: string | undefined
  /** true lists archived records instead of active ones. */
  archived?: boolean | undefined
  /** Only records of this segment. They must also match all other filters. */
  segment_id?: string | undefined
  /** A minus before the name gives descending order. Records without the field come last. `custom.<key>` sorts by a member of `custom`. By default the order of the segment, or `-created_at`. */
  sort?: ContactSort | undefined
  /** The names of the fields that each record has in the answer. By default all. */
  fields?: string | undefined
  /** The maximum number of items in a page. A page may have fewer items, because it ends after 4 MiB. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. Keep the filters the same. */
  cursor?: string | undefined
  /** The number of the page, from 1; use it instead of a cursor. It reaches only the first 10,000 items. */
  page?: number | undefined
  /** Unix seconds: only records that changed at or after this time. */
  updated_since?: number | undefined
} & FieldFilters

export type ListCrmConnectionsQuery = {
  /** The maximum number of items in a page. A page may have fewer items, because it ends after 4 MiB. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. Keep the filters the same. */
  cursor?: string | undefined
  /** The number of the page, from 1; use it instead of a cursor. It reaches only the first 10,000 items. */
  page?: number | undefined
}

export type ListCrmSandboxRecordsQuery = {
  /** The maximum number of items in a page. A page may have fewer items, because it ends after 4 MiB. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. Keep the filters the same. */
  cursor?: string | undefined
  /** The number of the page, from 1; use it instead of a cursor. It reaches only the first 10,000 items. */
  page?: number | undefined
}

export type ListCrmJobItemsQuery = {
  /** Only people with this outcome. */
  outcome?: CrmItemOutcome | undefined
  /** The maximum number of items in a page. A page may have fewer items, because it ends after 4 MiB. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. Keep the filters the same. */
  cursor?: string | undefined
  /** The number of the page, from 1; use it instead of a cursor. It reaches only the first 10,000 items. */
  page?: number | undefined
}

export type ListCrmJobsQuery = {
  /** Only jobs of this connection. */
  connection_id?: string | undefined
  /** Only jobs of this status. */
  status?: CrmJobStatus | undefined
  /** The maximum number of items in a page. A page may have fewer items, because it ends after 4 MiB. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. Keep the filters the same. */
  cursor?: string | undefined
  /** The number of the page, from 1; use it instead of a cursor. It reaches only the first 10,000 items. */
  page?: number | undefined
}

export type ListCloseReasonsQuery = {
  /** true lists archived reasons instead of active ones. */
  archived?: boolean | undefined
  /** Only reasons for these deals: `won` lists the reasons for won deals and for any deal. */
  outcome?: CloseReasonOutcome | undefined
}

export type ExportDealsQuery = {
  /** Only records with this `deal_id`. */
  deal_id?: string | undefined
  /** Only records with this `name`. */
  name?: string | undefined
  /** Only records with this `amount_cents`. */
  amount_cents?: number | undefined
  /** Only records with this `currency`. */
  currency?: string | undefined
  /** Only records with this `stage`. */
  stage?: string | undefined
  /** Only records with this `status`. */
  status?: DealStatus | undefined
  /** Only records with this `company_id`. */
  company_id?: string | undefined
  /** Only records with this `contact_ids`. */
  contact_ids?: string | undefined
  /** Only records with this `close_reason_id`. */
  close_reason_id?: string | undefined
  /** Only records with this `closed_at`. */
  closed_at?: number | string | undefined
  /** Only records with this `owner_id`. */
  owner_id?: string | undefined
  /** Only records with this `owner_email`. */
  owner_email?: string | undefined
  /** Only records with this `expected_close_on`. */
  expected_close_on?: string | undefined
  /** Only records with this `probability`. */
  probability?: number | undefined
  /** Only records with this `source`. */
  source?: string | undefined
  /** Only records with this `version`. */
  version?: number | undefined
  /** Only records with this `created_at`. */
  created_at?: number | string | undefined
  /** Only records with this `updated_at`. */
  updated_at?: number | string | undefined
  /** Only records with this `archived_at`. */
  archived_at?: number | string | undefined
  /** Only records with exactly this tag. */
  tag?: string | undefined
  /** Only records with exactly this tag. */
  tags?: string | undefined
  /** Only records with this external id: the system, a colon and the id, such as `crm:D-17`. */
  external_id?: string | undefined
  /** Only records with this `contact_id`. */
  contact_id?: string | undefined
  /** Unix seconds. Only deals closed at or after this time. */
  closed_since?: number | undefined
  /** Only records with this `import_id`. */
  import_id?: string | undefined
  /** `csv` has a header row; `jsonl` has one record per line, as the list shows it. */
  format?: RecordFileFormat | undefined
  /** For `csv`: the file shows each time as the local time of this zone with its offset, such as `2026-01-31T09:30:00+01:00`. Without it, times are Unix seconds. */
  timezone?: string | undefined
  /** For `csv`: true gives each defined field a column `custom.<key>`. All other members of `custom` stay in the column `custom`. Imports read these columns. */
  custom_columns?: boolean | undefined
  /** Finds records by words of their names, addresses or numbers. All given words must match, in any order. The beginning of a word is enough. */
  q?: string | undefined
  /** true lists archived records instead of active ones. */
  archived?: boolean | undefined
  /** Only records of this segment. They must also match all other filters. */
  segment_id?: string | undefined
  /** A minus before the name gives descending order. Records without the field come last. `custom.<key>` sorts by a member of `custom`. By default the order of the segment, or `-created_at`. */
  sort?: DealSort | undefined
  /** The names of the fields that each record has in the answer. By default all. */
  fields?: string | undefined
  /** Unix seconds: only records that changed at or after this time. */
  updated_since?: number | undefined
  /** A tree of conditions as JSON text, such as `{"or": [{"field": "city", "value": "London"}, {"field": "tag", "value": "vip"}]}`, with the same rules as `filter` of the search. Records must also match all other filters. */
  conditions?: string | undefined
} & FieldFilters

export type GetDealQuery = {
  /** The names of the fields that the answer has. By default all. */
  fields?: string | undefined
}

export type ListDealsQuery = {
  /** Only records with this `deal_id`. */
  deal_id?: string | undefined
  /** Only records with this `name`. */
  name?: string | undefined
  /** Only records with this `amount_cents`. */
  amount_cents?: number | undefined
  /** Only records with this `currency`. */
  currency?: string | undefined
  /** Only records with this `stage`. */
  stage?: string | undefined
  /** Only records with this `status`. */
  status?: DealStatus | undefined
  /** Only records with this `company_id`. */
  company_id?: string | undefined
  /** Only records with this `contact_ids`. */
  contact_ids?: string | undefined
  /** Only records with this `close_reason_id`. */
  close_reason_id?: string | undefined
  /** Only records with this `closed_at`. */
  closed_at?: number | string | undefined
  /** Only records with this `owner_id`. */
  owner_id?: string | undefined
  /** Only records with this `owner_email`. */
  owner_email?: string | undefined
  /** Only records with this `expected_close_on`. */
  expected_close_on?: string | undefined
  /** Only records with this `probability`. */
  probability?: number | undefined
  /** Only records with this `source`. */
  source?: string | undefined
  /** Only records with this `version`. */
  version?: number | undefined
  /** Only records with this `created_at`. */
  created_at?: number | string | undefined
  /** Only records with this `updated_at`. */
  updated_at?: number | string | undefined
  /** Only records with this `archived_at`. */
  archived_at?: number | string | undefined
  /** Only records with exactly this tag. */
  tag?: string | undefined
  /** Only records with exactly this tag. */
  tags?: string | undefined
  /** Only records with this external id: the system, a colon and the id, such as `crm:D-17`. */
  external_id?: string | undefined
  /** Only records with this `contact_id`. */
  contact_id?: string | undefined
  /** Unix seconds. Only deals closed at or after this time. */
  closed_since?: number | undefined
  /** Only records with this `import_id`. */
  import_id?: string | undefined
  /** Finds records by words of their names, addresses or numbers. All given words must match, in any order. The beginning of a word is enough. */
  q?: string | undefined
  /** true lists archived records instead of active ones. */
  archived?: boolean | undefined
  /** Only records of this segment. They must also match all other filters. */
  segment_id?: string | undefined
  /** A minus before the name gives descending order. Records without the field come last. `custom.<key>` sorts by a member of `custom`. By default the order of the segment, or `-created_at`. */
  sort?: DealSort | undefined
  /** The names of the fields that each record has in the answer. By default all. */
  fields?: string | undefined
  /** The maximum number of items in a page. A page may have fewer items, because it ends after 4 MiB. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. Keep the filters the same. */
  cursor?: string | undefined
  /** The number of the page, from 1; use it instead of a cursor. It reaches only the first 10,000 items. */
  page?: number | undefined
  /** Unix seconds: only records that changed at or after this time. */
  updated_since?: number | undefined
} & FieldFilters

export type SummarizeDealsQuery = {
  /** The first month, in UTC. The default is 11 months before the month of `to`. */
  from?: string | undefined
  /** The last month, included. The default is the current month. */
  to?: string | undefined
}

export type ListDuplicateCandidatesQuery = {
  /** The type of the records. */
  entity_type: EntityType
  /** The id of a record. If the record was merged, its canonical record is used. */
  record_id: string
  /** The maximum number of items in a page. A page may have fewer items, because it ends after 4 MiB. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. Keep the filters the same. */
  cursor?: string | undefined
  /** The number of the page, from 1; use it instead of a cursor. It reaches only the first 10,000 items. */
  page?: number | undefined
}

export type ListMergesQuery = {
  /** Only merges of this record type. */
  entity_type?: EntityType | undefined
  /** true also lists open proposals. */
  include_shadow?: boolean | undefined
  /** Only merges whose survivor or loser has this id. */
  record_id?: string | undefined
  /** Only merges with this status, instead of `include_shadow`. `applied` also lists merges with the status `applying`. */
  status?: MergeFilterStatus | undefined
  /** The order: the newest first, or the highest score first. Merges without a score come last. */
  sort?: MergeSort | undefined
  /** Only merges that this rule decided. */
  rule?: string | undefined
  /** Only merges with at least this score. */
  min_score?: number | undefined
  /** Unix seconds. Only merges and proposals that were created at or after this time. */
  created_since?: number | undefined
  /** The maximum number of items in a page. A page may have fewer items, because it ends after 4 MiB. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. Keep the filters the same. */
  cursor?: string | undefined
  /** The number of the page, from 1; use it instead of a cursor. It reaches only the first 10,000 items. */
  page?: number | undefined
}

export type ListScansQuery = {
  /** Only scans of this record type. */
  entity_type?: EntityType | undefined
  /** The maximum number of items in a page. A page may have fewer items, because it ends after 4 MiB. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. Keep the filters the same. */
  cursor?: string | undefined
  /** The number of the page, from 1; use it instead of a cursor. It reaches only the first 10,000 items. */
  page?: number | undefined
}

export type ReadEventFeedQuery = {
  /** The `cursor` of an earlier answer. Without it and without `since`, the feed begins now. */
  cursor?: string | undefined
  /** Unix seconds. Begins with the first event at or after this time. */
  since?: number | undefined
  /** Only these types, with commas between them: `contact.*,deal.closed`. By default all. */
  types?: string | undefined
  /** The maximum number of events in the answer. */
  limit?: number | undefined
  /** If there is no event, how long the request waits for the first one. */
  wait_seconds?: number | undefined
  /** `object` adds each object as a GET shows it now. */
  include?: 'object' | undefined
}

export type ListEventsQuery = {
  /** Only events of this type. */
  type?: EventType | undefined
  /** Only these types, with commas between them: `contact.*,deal.closed`. */
  types?: string | undefined
  /** Only events of this object. */
  object_id?: string | undefined
  /** Only events that an actor of this kind caused. */
  actor_kind?: ActorKind | undefined
  /** Only events that this API key or member caused. */
  actor_id?: string | undefined
  /** Unix seconds. Only events at or after this time. */
  created_since?: number | undefined
  /** Unix seconds. Only events before this time. */
  created_until?: number | undefined
  /** The maximum number of items in a page. A page may have fewer items, because it ends after 4 MiB. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. Keep the filters the same. */
  cursor?: string | undefined
  /** The number of the page, from 1; use it instead of a cursor. It reaches only the first 10,000 items. */
  page?: number | undefined
}

export type ListFieldsQuery = {
  /** Only fields of this record type. */
  entity?: FieldEntity | undefined
}

export type ListFormSubmissionsQuery = {
  /** The maximum number of items in a page. A page may have fewer items, because it ends after 4 MiB. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. Keep the filters the same. */
  cursor?: string | undefined
  /** The number of the page, from 1; use it instead of a cursor. It reaches only the first 10,000 items. */
  page?: number | undefined
  /** Only submissions of this form. */
  form_id?: string | undefined
  /** Only submissions that wrote this contact. */
  contact_id?: string | undefined
  /** Only submissions with this status. */
  status?: SubmissionStatus | undefined
  /** Only submissions of this mode. */
  mode?: Mode | undefined
}

export type ListImportsQuery = {
  /** false lists only imports that write records, true only dry runs. By default both. */
  dry_run?: boolean | undefined
  /** Only imports of this status. */
  status?: ListedImportStatus | undefined
  /** The maximum number of items in a page. A page may have fewer items, because it ends after 4 MiB. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. Keep the filters the same. */
  cursor?: string | undefined
  /** The number of the page, from 1; use it instead of a cursor. It reaches only the first 10,000 items. */
  page?: number | undefined
}

export type ListImportRowsQuery = {
  /** To see the created records, filter their list by import_id. */
  outcome?: 'refused' | undefined
  /** The maximum number of items in a page. A page may have fewer items, because it ends after 4 MiB. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. Keep the filters the same. */
  cursor?: string | undefined
  /** The number of the page, from 1; use it instead of a cursor. It reaches only the first 10,000 items. */
  page?: number | undefined
}

export type ListNotesQuery = {
  /** Only notes about this contact, company or deal, or about a record that is merged with it. */
  record_id?: string | undefined
  /** The maximum number of items in a page. A page may have fewer items, because it ends after 4 MiB. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. Keep the filters the same. */
  cursor?: string | undefined
  /** The number of the page, from 1; use it instead of a cursor. It reaches only the first 10,000 items. */
  page?: number | undefined
}

export type ListAgenciesQuery = {
  /** The maximum number of items in a page. A page may have fewer items, because it ends after 4 MiB. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. Keep the filters the same. */
  cursor?: string | undefined
  /** The number of the page, from 1; use it instead of a cursor. It reaches only the first 10,000 items. */
  page?: number | undefined
}

export type CutAgencyQuery = {
  /** Whether to delete all API keys that the agency created here, and the keys that these keys created. This also needs `api_keys:manage`. */
  revoke_keys?: boolean | undefined
}

export type ListPersonasQuery = {
  /** Only personas with this status. By default the list leaves out archived personas. */
  status?: PersonaStatus | undefined
  /** The maximum number of items in a page. A page may have fewer items, because it ends after 4 MiB. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. Keep the filters the same. */
  cursor?: string | undefined
  /** The number of the page, from 1; use it instead of a cursor. It reaches only the first 10,000 items. */
  page?: number | undefined
}

export type ListSandboxesQuery = {
  /** The maximum number of items in a page. A page may have fewer items, because it ends after 4 MiB. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. Keep the filters the same. */
  cursor?: string | undefined
  /** The number of the page, from 1; use it instead of a cursor. It reaches only the first 10,000 items. */
  page?: number | undefined
}

export type ListSegmentsQuery = {
  /** Only segments of these records. */
  entity?: SegmentEntity | undefined
}

export type ListMailboxesQuery = {
  /** Only mailboxes with this template. */
  template_id?: string | undefined
  /** Only mailboxes with this provider. */
  provider?: SignatureProvider | undefined
  /** Only the mailbox with this address. */
  email?: string | undefined
  /** The maximum number of items in a page. A page may have fewer items, because it ends after 4 MiB. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. Keep the filters the same. */
  cursor?: string | undefined
  /** The number of the page, from 1; use it instead of a cursor. It reaches only the first 10,000 items. */
  page?: number | undefined
}

export type ListSignaturePushesQuery = {
  /** Only pushes of this mailbox. */
  mailbox_id?: number | undefined
  /** Only pushes of this rollout. */
  rollout_id?: string | undefined
  /** Only pushes of this status. */
  status?: SignaturePushStatus | undefined
  /** The maximum number of items in a page. A page may have fewer items, because it ends after 4 MiB. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. Keep the filters the same. */
  cursor?: string | undefined
  /** The number of the page, from 1; use it instead of a cursor. It reaches only the first 10,000 items. */
  page?: number | undefined
}

export type ListSignatureTemplatesQuery = {
  /** The maximum number of items in a page. A page may have fewer items, because it ends after 4 MiB. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. Keep the filters the same. */
  cursor?: string | undefined
  /** The number of the page, from 1; use it instead of a cursor. It reaches only the first 10,000 items. */
  page?: number | undefined
}

export type ListTasksQuery = {
  /** `open` lists open tasks, the earliest due day first and tasks without a day last. `done` lists completed tasks, the last completed first. */
  status?: TaskStatus | undefined
  /** Only tasks of this member: the id, or `me` for the person who is signed in. `none`: only tasks without an assignee. */
  assignee?: string | undefined
  /** Only tasks that are due before this day, as YYYY-MM-DD. */
  due_before?: string | undefined
  /** Only tasks about this contact, company or deal, or about a record that is merged with it. */
  record_id?: string | undefined
  /** The maximum number of items in a page. A page may have fewer items, because it ends after 4 MiB. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. Keep the filters the same. */
  cursor?: string | undefined
  /** The number of the page, from 1; use it instead of a cursor. It reaches only the first 10,000 items. */
  page?: number | undefined
}

export type ListWebEventsQuery = {
  /** Only events of this call. */
  type?: WebEventType | undefined
  /** Only events with this name, in the same case. */
  name?: string | undefined
  /** Only events of this visitor. */
  visitor_id?: string | undefined
  /** Only events of this session. */
  session_id?: string | undefined
  /** `true`: only events of programs, such as crawlers. `false`: only events of people. */
  bot?: boolean | undefined
  /** Only events of this mode. */
  mode?: Mode | undefined
  /** Unix seconds. Only events that were received at or after this time. */
  since?: number | undefined
  /** The maximum number of events. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. Keep the filters the same. */
  cursor?: string | undefined
}

export type GetCampaignsReportQuery = {
  /** Unix seconds. By default 24 hours before `to`, or 30 days before it with `step=day`. */
  from?: number | undefined
  /** Unix seconds. The end, which is not included. By default now. */
  to?: number | undefined
  /** The length of a step. Days begin at midnight UTC. */
  step?: UsageStep | undefined
  /** The maximum number of rows. `other` has the sum of the rest. */
  limit?: number | undefined
}

export type GetEventsReportQuery = {
  /** Unix seconds. By default 24 hours before `to`, or 30 days before it with `step=day`. */
  from?: number | undefined
  /** Unix seconds. The end, which is not included. By default now. */
  to?: number | undefined
  /** The length of a step. Days begin at midnight UTC. */
  step?: UsageStep | undefined
  /** The maximum number of rows. `other` has the sum of the rest. */
  limit?: number | undefined
}

export type GetFormsReportQuery = {
  /** Unix seconds. By default 24 hours before `to`, or 30 days before it with `step=day`. */
  from?: number | undefined
  /** Unix seconds. The end, which is not included. By default now. */
  to?: number | undefined
  /** The length of a step. Days begin at midnight UTC. */
  step?: UsageStep | undefined
  /** The maximum number of rows. `other` has the sum of the rest. */
  limit?: number | undefined
}

export type GetOverviewReportQuery = {
  /** Unix seconds. By default 24 hours before `to`, or 30 days before it with `step=day`. */
  from?: number | undefined
  /** Unix seconds. The end, which is not included. By default now. */
  to?: number | undefined
  /** The length of a step. Days begin at midnight UTC. */
  step?: UsageStep | undefined
}

export type GetPagesReportQuery = {
  /** Unix seconds. By default 24 hours before `to`, or 30 days before it with `step=day`. */
  from?: number | undefined
  /** Unix seconds. The end, which is not included. By default now. */
  to?: number | undefined
  /** The length of a step. Days begin at midnight UTC. */
  step?: UsageStep | undefined
  /** The maximum number of rows. `other` has the sum of the rest. */
  limit?: number | undefined
}

export type GetReferrersReportQuery = {
  /** Unix seconds. By default 24 hours before `to`, or 30 days before it with `step=day`. */
  from?: number | undefined
  /** Unix seconds. The end, which is not included. By default now. */
  to?: number | undefined
  /** The length of a step. Days begin at midnight UTC. */
  step?: UsageStep | undefined
  /** The maximum number of rows. `other` has the sum of the rest. */
  limit?: number | undefined
}

export type GetSourcesReportQuery = {
  /** Unix seconds. By default 24 hours before `to`, or 30 days before it with `step=day`. */
  from?: number | undefined
  /** Unix seconds. The end, which is not included. By default now. */
  to?: number | undefined
  /** The length of a step. Days begin at midnight UTC. */
  step?: UsageStep | undefined
  /** The maximum number of rows. `other` has the sum of the rest. */
  limit?: number | undefined
}

export type GetTrackingSnippetQuery = {
  /** The write key that the page uses. */
  write_key_id: string
}

export type GetTrackingUsageQuery = {
  /** Unix seconds. By default 24 hours before `to`, or 30 days before it with `step=day`. */
  from?: number | undefined
  /** Unix seconds. The end, which is not included. By default now. */
  to?: number | undefined
  /** The length of a step. Days begin at midnight UTC. */
  step?: UsageStep | undefined
  /** By default the mode of your API key or session. */
  mode?: Mode | undefined
  /** Only events that came with this write key. */
  write_key_id?: string | undefined
}

export type GetUsageQuery = {
  /** Unix seconds. By default 24 hours before `to`, or 30 days before it with `step=day`. */
  from?: number | undefined
  /** Unix seconds. The end, which is not included. By default now. */
  to?: number | undefined
  /** The length of a step. Days begin at midnight UTC. */
  step?: UsageStep | undefined
}

export type AcceptVisitorClaimQuery = {
  /** The mode of the events. By default the mode of your key. */
  mode?: Mode | undefined
}

export type ListVisitorEventsQuery = {
  /** The mode of the events. By default the mode of your key. */
  mode?: Mode | undefined
  /** Unix seconds. Only events that happened at or after this time. */
  since?: number | undefined
  /** Unix seconds. Only events that happened before. */
  until?: number | undefined
  /** The maximum number of events. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. Keep the filters the same. */
  cursor?: string | undefined
}

export type GetVisitorQuery = {
  /** The mode of the events. By default the mode of your key. */
  mode?: Mode | undefined
}

export type UndoVisitorLinkQuery = {
  /** The mode of the events. By default the mode of your key. */
  mode?: Mode | undefined
}

export type ListVisitorsQuery = {
  /** The mode of the events. By default the mode of your key. */
  mode?: Mode | undefined
  /** Only visitors with this `userId`, in the same case. */
  user_key?: string | undefined
  /** Only visitors who are linked to this contact, whose statements made it, or whose `user_key` is an id, an e-mail address or an external id of this contact. A number is an external id only of the system `user_id`. */
  contact_id?: string | undefined
  /** Unix seconds. Only visitors who were seen at or after this time. */
  since?: number | undefined
  /** The maximum number of visitors. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. Keep the filters the same. */
  cursor?: string | undefined
}

export type ListVisitorSessionsQuery = {
  /** The mode of the events. By default the mode of your key. */
  mode?: Mode | undefined
  /** Unix seconds. Only events that happened at or after this time. */
  since?: number | undefined
  /** Unix seconds. Only events that happened before. */
  until?: number | undefined
  /** The maximum number of sessions. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. Keep the filters the same. */
  cursor?: string | undefined
}

export type ListCallsQuery = {
  /** Only calls of this status. */
  status?: CallStatus | undefined
  /** Only calls to this number, in E.164. */
  to_number?: string | undefined
  /** Only calls that were placed at or after this time, in Unix seconds. */
  created_since?: number | undefined
  /** The maximum number of items in a page. A page may have fewer items, because it ends after 4 MiB. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. Keep the filters the same. */
  cursor?: string | undefined
  /** The number of the page, from 1; use it instead of a cursor. It reaches only the first 10,000 items. */
  page?: number | undefined
}

export type ListVoiceNumbersQuery = {
  /** The maximum number of items in a page. A page may have fewer items, because it ends after 4 MiB. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. Keep the filters the same. */
  cursor?: string | undefined
  /** The number of the page, from 1; use it instead of a cursor. It reaches only the first 10,000 items. */
  page?: number | undefined
}

export type ListSuppressionsQuery = {
  /** Only this number, in E.164. */
  number?: string | undefined
  /** The maximum number of items in a page. A page may have fewer items, because it ends after 4 MiB. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. Keep the filters the same. */
  cursor?: string | undefined
  /** The number of the page, from 1; use it instead of a cursor. It reaches only the first 10,000 items. */
  page?: number | undefined
}

export type ListWebhookAttemptsQuery = {
  /** Only attempts for this event. */
  event_id?: string | undefined
  /** Only attempts with this outcome. */
  outcome?: WebhookOutcome | undefined
  /** Unix seconds. Only attempts at or after this time. */
  created_since?: number | undefined
  /** The maximum number of items in a page. A page may have fewer items, because it ends after 4 MiB. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. Keep the filters the same. */
  cursor?: string | undefined
  /** The number of the page, from 1; use it instead of a cursor. It reaches only the first 10,000 items. */
  page?: number | undefined
}

export type ListWebhookEndpointsQuery = {
  /** The maximum number of items in a page. A page may have fewer items, because it ends after 4 MiB. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. Keep the filters the same. */
  cursor?: string | undefined
  /** The number of the page, from 1; use it instead of a cursor. It reaches only the first 10,000 items. */
  page?: number | undefined
}

export type ListWebhookReplaysQuery = {
  /** The maximum number of items in a page. A page may have fewer items, because it ends after 4 MiB. */
  limit?: number | undefined
  /** The `next_cursor` of the previous page. Keep the filters the same. */
  cursor?: string | undefined
  /** The number of the page, from 1; use it instead of a cursor. It reaches only the first 10,000 items. */
  page?: number | undefined
}

export type GetWebhookStatsQuery = {
  /** Unix seconds. By default 24 hours ago. */
  from?: number | undefined
  /** Unix seconds. By default now. */
  to?: number | undefined
}
