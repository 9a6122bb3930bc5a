// Written by `npm run generate`. Do not edit.

export type Problem = {
  /** The problem, and how to solve it. */
  detail: string
  code: ErrorCode
}

export type ErrorCode = 'malformed_request' | 'body_not_utf8' | 'body_incomplete' | 'header_misspelled' | 'agency_required' | 'close_reason_archived' | 'close_reason_unfit' | 'phone_number_invalid' | 'consent_denied' | 'number_suppressed' | 'from_number_unusable' | 'outside_calling_hours' | 'persona_archived' | 'provider_not_configured' | 'callback_unreadable' | 'api_key_missing' | 'authorization_malformed' | 'authorization_repeated' | 'jwt_not_accepted' | 'api_key_mistyped' | 'api_key_unknown' | 'api_key_expired' | 'api_key_orphaned' | 'voice_subscription_inactive' | 'voice_minutes_used_up' | 'org_id_mismatch' | 'client_not_linked' | 'permission_missing' | 'permission_not_grantable' | 'agency_key_required' | 'own_organization_required' | 'not_in_sandbox' | 'metrics_token_required' | 'callback_forged' | 'path_not_found' | 'object_not_found' | 'reference_not_found' | 'invitation_unusable' | 'method_not_allowed' | 'request_timeout' | 'body_too_large' | 'answer_too_large' | 'headers_too_large' | 'version_conflict' | 'record_archived' | 'ambiguous_match' | 'references_moving' | 'limit_reached' | 'organization_deleted' | 'mode_mismatch' | 'idempotency_key_in_use' | 'idempotency_answer_erased' | 'idempotency_answer_sealed' | 'api_key_already_rotated' | 'rotation_after_expiry' | 'invitation_accepted' | 'own_invitation' | 'client_already_linked' | 'deal_already_closed' | 'stage_in_use' | 'import_not_revertible' | 'detection_off' | 'proposal_closed' | 'record_merged' | 'verdict_different' | 'merge_not_applied' | 'merge_already_undone' | 'merge_not_undone' | 'merge_too_large' | 'merge_erased' | 'undo_expired' | 'number_exists' | 'call_ended' | 'call_not_confirmed' | 'call_not_cancelable' | 'mailbox_exists' | 'template_missing' | 'template_invalid' | 'template_in_use' | 'template_unused' | 'job_not_ended' | 'job_already_ended' | 'job_refused' | 'nothing_to_retry' | 'validation_failed' | 'identity_missing' | 'match_key_missing' | 'idempotency_key_reused' | 'expensive_query' | 'rate_limit_exceeded' | 'export_limit_reached' | 'call_cap_reached' | 'internal_error' | 'call_refused' | 'cancel_unconfirmed' | 'crm_unavailable' | 'database_unavailable' | 'outcome_unknown' | 'organization_busy' | 'answers_unread' | 'server_busy' | 'server_stopping' | 'row_unreadable' | 'file_unusable' | 'mapping_unusable' | 'nothing_imported' | 'interrupted' | 'revert_failed' | 'mailbox_deleted' | 'provider_refused' | 'provider_unavailable' | 'call_never_dialed' | 'call_end_unknown' | 'call_result_unknown' | 'access_refused' | 'crm_unusable' | 'not_reachable' | 'merged' | 'duplicate' | 'refused' | 'not_tried'

export type ValidationError = {
  detail: ValidationDetail[]
  code: 'validation_failed' | 'identity_missing' | 'match_key_missing' | 'idempotency_key_reused'
}

export type ValidationDetail = {
  /** The rule that the input breaks. */
  type: string
  /** The place: `path`, `query`, `header` or `body`, and the names and positions within it. */
  loc: (string | number)[]
  msg: string
  /** The values of the rule, such as its limit. */
  ctx?: { [member: string]: unknown } | undefined
}

export type Organization = {
  org_id: string
  name: string
  /** True if the organization is flagged as an agency or has linked clients. */
  is_agency: boolean
  default_country: string | null
  /** The organization that made this sandbox; null: the organization is no sandbox. */
  sandbox_of: string | null
}

export type Identity = {
  /** The organization of the API key. */
  org: Organization
  key: {
    api_key_id: string
    name: string
  }
  mode: 'live' | 'test'
  /** True if the API key is an agency key. */
  is_agency: boolean
  /** null: all permissions. */
  permissions: string[] | null
  /** The organization that this request acts on: that of the API key, or the client in X-Target-Org-Id. */
  acting_on: Organization
}

export type CreatedSandbox = {
  /** The organization that is the sandbox. */
  org_id: string
  /** The name that the sandbox was made with. */
  name: string
  copy: 'nothing' | 'settings' | 'sample'
  /** preparing: the sample data is being made, which takes some seconds. failed: it could not be made; delete the sandbox. */
  status: 'preparing' | 'ready' | 'failed'
  /** Unix seconds. */
  created_at: number
  /** Unix seconds. The sandbox is deleted then. */
  expires_at: number
  api_key_id: string
  /** A test key of the sandbox, shown this once. It has the permissions of the key that asked. */
  api_key_token: string
}

export type Sandbox = {
  /** The organization that is the sandbox. */
  org_id: string
  /** The name that the sandbox was made with. */
  name: string
  copy: 'nothing' | 'settings' | 'sample'
  /** preparing: the sample data is being made, which takes some seconds. failed: it could not be made; delete the sandbox. */
  status: 'preparing' | 'ready' | 'failed'
  /** Unix seconds. */
  created_at: number
  /** Unix seconds. The sandbox is deleted then. */
  expires_at: number
}

export type Pagination = {
  has_next: boolean
  limit: number
  next_cursor: string | null
  page: number
  total: number
}

export type AgencyClient = {
  org_id: string
  name: string
  default_country: string | null
  /** Unix seconds. */
  created_at: number
  /** Unix seconds. */
  linked_at: number
}

export type CutAgencyLink = {
  /** The organization whose link was cut. */
  org_id: string
  /** API keys that the agency made in the client. They still work until somebody deletes them. */
  api_keys: {
    api_key_id: string
    name: string
  }[]
}

export type CreatedAgencyInvitation = {
  invitation_id: string
  label: string | null
  /** A revoked invitation is deleted, and its status is not shown. */
  status: 'pending' | 'accepted' | 'expired'
  /** The last four characters of the token. */
  token_hint: string
  /** Unix seconds. */
  created_at: number
  /** Unix seconds. */
  expires_at: number
  /** Unix seconds. */
  accepted_at: number | null
  /** The organization that accepted the invitation. */
  client_org_id: string | null
  /** Shown this once. Give it to the client. */
  token: string
}

export type AgencyInvitation = {
  invitation_id: string
  label: string | null
  /** A revoked invitation is deleted, and its status is not shown. */
  status: 'pending' | 'accepted' | 'expired'
  /** The last four characters of the token. */
  token_hint: string
  /** Unix seconds. */
  created_at: number
  /** Unix seconds. */
  expires_at: number
  /** Unix seconds. */
  accepted_at: number | null
  /** The organization that accepted the invitation. */
  client_org_id: string | null
}

export type Agency = {
  org_id: string
  name: string
  /** Unix seconds. */
  linked_at: number
}

export type CreateApiKey = {
  /** A label of your choice. */
  name: string
  /** Permanent. A test key acts on the same records as a live key; only its calls, CRM pushes and signature installs are simulated. The prefix of the token shows the mode, but does not set it. */
  mode?: 'live' | 'test' | undefined
  /** An agency key may act on the linked client orgs with X-Target-Org-Id. */
  is_agency?: boolean | undefined
  /** Days until the key stops working; never unless given. */
  expires_in_days?: number | null | undefined
  /** The permissions of the key. Without it the key gets all permissions, which a restricted key cannot grant. */
  permissions?: string[] | null | undefined
}

export type CreatedApiKey = {
  api_key_id: string
  name: string
  mode: 'live' | 'test'
  is_agency: boolean
  /** Unix seconds. */
  created_at: number
  /** Unix seconds; null: never. */
  expires_at: number | null
  /** null: all. */
  permissions: string[] | null
  api_key_token?: string | undefined
  token?: string | undefined
}

export type ApiKey = {
  api_key_id: string
  name: string
  mode: 'live' | 'test'
  is_agency: boolean
  /** Unix seconds. */
  created_at: number
  /** Unix seconds; null: never. */
  expires_at: number | null
  /** null: all. */
  permissions: string[] | null
  /** The last four characters of the token. */
  token_hint: string
  /** Unix seconds, to the minute; null: never used. */
  last_used_at: number | null
  /** The org whose key made this key, directly or through a key that it made. null: the operator made it. */
  created_by_org_id: string | null
  created_by_api_key_id: string | null
}

export type UpdateApiKey = {
  /** A label of your choice. */
  name?: string | undefined
  /** null grants all permissions. */
  permissions?: string[] | null | undefined
}

export type Contact = {
  contact_id: string
  email: string | null
  emails: string[]
  /** An e-mail address that an import could not read. */
  email_raw: string | null
  phone: string | null
  phones: string[]
  /** A phone number that an import could not read. */
  phone_raw: string | null
  first_name: string | null
  last_name: string | null
  company_id: string | null
  company_name: string | null
  job_title: string | null
  lifecycle_stage: 'subscriber' | 'lead' | 'qualified' | 'opportunity' | 'customer' | 'other' | null
  consent: {
    email: 'granted' | 'denied' | 'unknown'
    phone: 'granted' | 'denied' | 'unknown'
  }
  /** How each consent was given or denied; null: not known. */
  consent_details: {
    email: {
      kind: 'written' | 'oral' | 'implied' | null
      source: string | null
      /** Unix seconds. */
      at: number | null
    } | null
    phone: {
      kind: 'written' | 'oral' | 'implied' | null
      source: string | null
      /** Unix seconds. */
      at: number | null
    } | null
  }
  linkedin_url: string | null
  city: string | null
  region: string | null
  country: string | null
  tags: string[]
  custom: { [member: string]: unknown }
  external_ids: { [member: string]: string }
  source: string | null
  /** Ids of the records that were merged into this one, the oldest first. They lead to this record. */
  merged_ids: string[]
  /** By system, external ids of merged records that `external_ids` does not show, because it has another id of the same system. They still find the record. */
  merged_external_ids: { [member: string]: string[] }
  /** Rises with every change; If-Match takes it. */
  version: number
  /** Unix seconds. */
  created_at: number
  /** Unix seconds. */
  updated_at: number
  /** Unix seconds; null: active. */
  archived_at: number | null
}

export type RecordFilter = {
  /** All of these hold. */
  and?: RecordFilter[] | undefined
  /** Any of these holds. */
  or?: RecordFilter[] | undefined
  not?: RecordFilter | undefined
  /** A field of the record, or `custom.<key>`. */
  field?: string | undefined
  op?: 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'in' | 'starts_with' | 'is_null' | undefined
  /** The value; for `in` a list of up to 100 values, for `is_null` true or false. */
  value?: unknown
}

export type NewContact = {
  /** The primary address; joins `emails`. */
  email?: string | null | undefined
  /** All addresses, the primary one first. */
  emails?: string[] | null | undefined
  /** The primary number; stored in E.164. */
  phone?: string | null | undefined
  /** All numbers, the primary one first. */
  phones?: string[] | null | undefined
  first_name?: string | null | undefined
  last_name?: string | null | undefined
  company_id?: string | null | undefined
  /** Free text, independent of `company_id`. */
  company_name?: string | null | undefined
  job_title?: string | null | undefined
  lifecycle_stage?: 'subscriber' | 'lead' | 'qualified' | 'opportunity' | 'customer' | 'other' | null | undefined
  /** Whether the person agreed to be contacted, by channel. If `phone` is `denied`, POST /voice/calls is a 400 for every number of the contact. */
  consent?: {
    email?: 'granted' | 'denied' | 'unknown' | undefined
    phone?: 'granted' | 'denied' | 'unknown' | undefined
  } | null | undefined
  /** How each consent was given or denied. Send it together with the `consent` of its channel, `granted` or `denied`. It replaces the details of the channel; null clears them. A later change of the consent without details clears them too. */
  consent_details?: {
    email?: {
      /** How the person gave or denied consent. */
      kind?: 'written' | 'oral' | 'implied' | null | undefined
      /** Where the person did so: a form, a call, a contract. */
      source?: string | null | undefined
      /** Unix seconds: when the person did so. */
      at?: number | null | undefined
    } | null | undefined
    phone?: {
      /** How the person gave or denied consent. */
      kind?: 'written' | 'oral' | 'implied' | null | undefined
      /** Where the person did so: a form, a call, a contract. */
      source?: string | null | undefined
      /** Unix seconds: when the person did so. */
      at?: number | null | undefined
    } | null | undefined
  } | null | undefined
  linkedin_url?: string | null | undefined
  city?: string | null | undefined
  region?: string | null | undefined
  /** Free text; not checked against a list. */
  country?: string | null | undefined
  tags?: string[] | null | undefined
  /** Any JSON object. PATCH and upsert change only the members that you send; null removes a member. */
  custom?: { [member: string]: unknown } | null | undefined
  /** Ids of the record in other systems, by system; PATCH replaces them all. */
  external_ids?: { [member: string]: string } | null | undefined
  /** Where the record came from. */
  source?: string | null | undefined
  /** A domain or website. The contact gets the company that has this domain, and the oldest one if several have it. If none has it, the request makes one, with the name `company_name`. A host that many companies share, such as gmail.com, gives no company. Needs `companies:write`. Not together with `company_id`. */
  company_domain?: string | null | undefined
}

export type ContactFields = {
  /** The primary address; joins `emails`. */
  email?: string | null | undefined
  /** All addresses, the primary one first. */
  emails?: string[] | null | undefined
  /** The primary number; stored in E.164. */
  phone?: string | null | undefined
  /** All numbers, the primary one first. */
  phones?: string[] | null | undefined
  first_name?: string | null | undefined
  last_name?: string | null | undefined
  company_id?: string | null | undefined
  /** Free text, independent of `company_id`. */
  company_name?: string | null | undefined
  job_title?: string | null | undefined
  lifecycle_stage?: 'subscriber' | 'lead' | 'qualified' | 'opportunity' | 'customer' | 'other' | null | undefined
  /** Whether the person agreed to be contacted, by channel. If `phone` is `denied`, POST /voice/calls is a 400 for every number of the contact. */
  consent?: {
    email?: 'granted' | 'denied' | 'unknown' | undefined
    phone?: 'granted' | 'denied' | 'unknown' | undefined
  } | null | undefined
  /** How each consent was given or denied. Send it together with the `consent` of its channel, `granted` or `denied`. It replaces the details of the channel; null clears them. A later change of the consent without details clears them too. */
  consent_details?: {
    email?: {
      /** How the person gave or denied consent. */
      kind?: 'written' | 'oral' | 'implied' | null | undefined
      /** Where the person did so: a form, a call, a contract. */
      source?: string | null | undefined
      /** Unix seconds: when the person did so. */
      at?: number | null | undefined
    } | null | undefined
    phone?: {
      /** How the person gave or denied consent. */
      kind?: 'written' | 'oral' | 'implied' | null | undefined
      /** Where the person did so: a form, a call, a contract. */
      source?: string | null | undefined
      /** Unix seconds: when the person did so. */
      at?: number | null | undefined
    } | null | undefined
  } | null | undefined
  linkedin_url?: string | null | undefined
  city?: string | null | undefined
  region?: string | null | undefined
  /** Free text; not checked against a list. */
  country?: string | null | undefined
  tags?: string[] | null | undefined
  /** Any JSON object. PATCH and upsert change only the members that you send; null removes a member. */
  custom?: { [member: string]: unknown } | null | undefined
  /** Ids of the record in other systems, by system; PATCH replaces them all. */
  external_ids?: { [member: string]: string } | null | undefined
  /** Where the record came from. */
  source?: string | null | undefined
}

export type Company = {
  company_id: string
  name: string | null
  domain: string | null
  domains: string[]
  phone: string | null
  /** A phone number that an import could not read. */
  phone_raw: string | null
  website: string | null
  industry: string | null
  employee_count: number | null
  linkedin_url: string | null
  city: string | null
  region: string | null
  country: string | null
  tags: string[]
  custom: { [member: string]: unknown }
  external_ids: { [member: string]: string }
  source: string | null
  /** Ids of the records that were merged into this one, the oldest first. They lead to this record. */
  merged_ids: string[]
  /** By system, external ids of merged records that `external_ids` does not show, because it has another id of the same system. They still find the record. */
  merged_external_ids: { [member: string]: string[] }
  /** Rises with every change; If-Match takes it. */
  version: number
  /** Unix seconds. */
  created_at: number
  /** Unix seconds. */
  updated_at: number
  /** Unix seconds; null: active. */
  archived_at: number | null
}

export type CompanyFields = {
  name?: string | null | undefined
  /** The primary one; joins `domains`. A web address is cut down to its host. */
  domain?: string | null | undefined
  /** All domains, the primary one first. */
  domains?: string[] | null | undefined
  /** Stored in E.164. */
  phone?: string | null | undefined
  /** Gives a company without a domain its domain, unless many share the host. */
  website?: string | null | undefined
  industry?: string | null | undefined
  employee_count?: number | null | undefined
  linkedin_url?: string | null | undefined
  city?: string | null | undefined
  region?: string | null | undefined
  /** Free text; not checked against a list. */
  country?: string | null | undefined
  tags?: string[] | null | undefined
  /** Any JSON object. PATCH and upsert change only the members that you send; null removes a member. */
  custom?: { [member: string]: unknown } | null | undefined
  /** Ids of the record in other systems, by system; PATCH replaces them all. */
  external_ids?: { [member: string]: string } | null | undefined
  /** Where the record came from. */
  source?: string | null | undefined
}

export type Deal = {
  deal_id: string
  name: string
  /** In the minor unit of `currency`. */
  amount_cents: number | null
  currency: string | null
  stage: string
  /** Only the close and reopen endpoints change it. */
  status: 'open' | 'won' | 'lost'
  company_id: string | null
  contact_ids: string[]
  close_reason_id: string | null
  /** Unix seconds; null: open. */
  closed_at: number | null
  owner_email: string | null
  expected_close_on: string | null
  probability: number | null
  tags: string[]
  custom: { [member: string]: unknown }
  external_ids: { [member: string]: string }
  source: string | null
  /** Ids of the records that were merged into this one, the oldest first. They lead to this record. */
  merged_ids: string[]
  /** By system, external ids of merged records that `external_ids` does not show, because it has another id of the same system. They still find the record. */
  merged_external_ids: { [member: string]: string[] }
  /** Rises with every change; If-Match takes it. */
  version: number
  /** Unix seconds. */
  created_at: number
  /** Unix seconds. */
  updated_at: number
  /** Unix seconds; null: active. */
  archived_at: number | null
}

export type DealFields = {
  name: string
  /** In the minor unit of `currency`, such as cents. An amount needs a currency. */
  amount_cents?: number | null | undefined
  /** ISO 4217. */
  currency?: string | null | undefined
  /** One of GET /deals/stages. A new deal is in the first stage by default. */
  stage?: string | undefined
  company_id?: string | null | undefined
  /** The contacts in their order, the main one first. */
  contact_ids?: string[] | null | undefined
  owner_email?: string | null | undefined
  /** The day on which the deal is expected to close. */
  expected_close_on?: string | null | undefined
  /** How likely the deal is to be won, in percent. */
  probability?: number | null | undefined
  tags?: string[] | null | undefined
  /** Any JSON object. PATCH and upsert change only the members that you send; null removes a member. */
  custom?: { [member: string]: unknown } | null | undefined
  /** Ids of the record in other systems, by system; PATCH replaces them all. */
  external_ids?: { [member: string]: string } | null | undefined
  /** Where the record came from. */
  source?: string | null | undefined
}

export type DealChanges = {
  name?: string | undefined
  /** In the minor unit of `currency`, such as cents. An amount needs a currency. */
  amount_cents?: number | null | undefined
  /** ISO 4217. */
  currency?: string | null | undefined
  /** One of GET /deals/stages. A new deal is in the first stage by default. */
  stage?: string | undefined
  company_id?: string | null | undefined
  /** The contacts in their order, the main one first. */
  contact_ids?: string[] | null | undefined
  owner_email?: string | null | undefined
  /** The day on which the deal is expected to close. */
  expected_close_on?: string | null | undefined
  /** How likely the deal is to be won, in percent. */
  probability?: number | null | undefined
  tags?: string[] | null | undefined
  /** Any JSON object. PATCH and upsert change only the members that you send; null removes a member. */
  custom?: { [member: string]: unknown } | null | undefined
  /** Ids of the record in other systems, by system; PATCH replaces them all. */
  external_ids?: { [member: string]: string } | null | undefined
  /** Where the record came from. */
  source?: string | null | undefined
}

export type CloseDeal = {
  status: 'won' | 'lost'
  /** A close reason for this status that is not archived. */
  close_reason_id?: string | null | undefined
}

export type DealStages = {
  /** All stages in their order. New deals start in the first one. */
  stages: string[]
}

export type DealValue = {
  /** null: deals without a currency. */
  currency: string | null
  deals: number
  /** The exact sum as decimal digits, since a JSON number may be too small for it. */
  amount_cents: string
}

export type DealSummary = {
  from: string
  to: string
  open: {
    stage: string
    values: DealValue[]
  }[]
  /** Every month of the period; deals count in the month in which they were closed. */
  months: {
    month: string
    won: DealValue[]
    lost: DealValue[]
  }[]
  /** The reasons of deals closed in these months; null: closed without a reason. */
  close_reasons: {
    close_reason_id: string | null
    label: string | null
    won: DealValue[]
    lost: DealValue[]
  }[]
}

export type CloseReason = {
  close_reason_id: string
  label: string
  outcome: 'won' | 'lost' | 'any'
  /** 1 to n without a gap; null: archived. If other reasons move, it changes without a new version. */
  position: number | null
  /** Rises with every change. Send it in If-Match. */
  version: number
  /** Unix seconds. */
  created_at: number
  /** Unix seconds. */
  updated_at: number
  /** Unix seconds; null: active. */
  archived_at: number | null
}

export type CreateCloseReason = {
  label: string
  /** The deals that the reason is for. */
  outcome?: 'won' | 'lost' | 'any' | undefined
  /** The place of the reason; 1 is the first. The reason that has this place and all later reasons move down by one. A number beyond the end adds the reason at the end. */
  position?: number | undefined
}

export type UpdateCloseReason = {
  label?: string | undefined
  /** The deals that the reason is for. */
  outcome?: 'won' | 'lost' | 'any' | undefined
  /** The place of the reason; 1 is the first. The reason that has this place and all later reasons move down by one. A number beyond the end adds the reason at the end. */
  position?: number | undefined
}

export type Merge = {
  merge_id: string
  /** All merges of one request have the same group id. */
  merge_group_id: string
  entity_type: 'contact' | 'company' | 'deal'
  /** A proposal is `shadow` while it is open, and then `dismissed`, or `stale` if it was applied or one of its records changed. Lists leave closed proposals out. */
  status: 'applied' | 'applying' | 'undone' | 'shadow' | 'dismissed' | 'stale'
  is_shadow: boolean
  survivor_id: string
  loser_id: string
  survivor_name: string | null
  loser_name: string | null
  rule: string | null
  /** Probability that the two are the same, 0 to 1. */
  score: number | null
  evidence: {
    field: string
    /** How well the two values agree, in words. */
    level: string
    /** How much this field changes the odds that the two are the same, as a power of two. A negative weight lowers the odds. */
    weight: number
  }[]
  method: 'auto' | 'manual' | 'api' | 'import'
  model_version: string | null
  /** For a proposal: whether mode `auto` would merge the two. */
  would_apply: boolean | null
  created_at: number
  merged_at: number | null
  merged_by: string | null
  undone_at: number | null
  undone_by: string | null
  /** Whether POST /duplicates/undo-merge/{id} would succeed now. */
  can_undo: boolean
  undo_blocked_reason: 'shadow' | 'already_undone' | 'applying' | 'expired' | 'erased' | 'survivor_deleted' | 'not_permitted' | null
  /** Fields of the survivor that the merge changed. */
  fields_filled: string[]
  /** How many records referred to the loser and refer to the survivor now. */
  children_moved: number
}

export type UndoneMerge = {
  merge_id: string
  /** All merges of one request have the same group id. */
  merge_group_id: string
  entity_type: 'contact' | 'company' | 'deal'
  /** A proposal is `shadow` while it is open, and then `dismissed`, or `stale` if it was applied or one of its records changed. Lists leave closed proposals out. */
  status: 'applied' | 'applying' | 'undone' | 'shadow' | 'dismissed' | 'stale'
  is_shadow: boolean
  survivor_id: string
  loser_id: string
  survivor_name: string | null
  loser_name: string | null
  rule: string | null
  /** Probability that the two are the same, 0 to 1. */
  score: number | null
  evidence: {
    field: string
    /** How well the two values agree, in words. */
    level: string
    /** How much this field changes the odds that the two are the same, as a power of two. A negative weight lowers the odds. */
    weight: number
  }[]
  method: 'auto' | 'manual' | 'api' | 'import'
  model_version: string | null
  /** For a proposal: whether mode `auto` would merge the two. */
  would_apply: boolean | null
  created_at: number
  merged_at: number | null
  merged_by: string | null
  undone_at: number | null
  undone_by: string | null
  /** Whether POST /duplicates/undo-merge/{id} would succeed now. */
  can_undo: boolean
  undo_blocked_reason: 'shadow' | 'already_undone' | 'applying' | 'expired' | 'erased' | 'survivor_deleted' | 'not_permitted' | null
  /** Fields of the survivor that the merge changed. */
  fields_filled: string[]
  /** How many records referred to the loser and refer to the survivor now. */
  children_moved: number
  restored_id: string
  /** How many records refer to the restored record again. */
  returned_children: number
  /** How many records still refer to the survivor. */
  kept_children: number
  warnings: string[]
}

export type DuplicateSettings = {
  contact: {
    mode: 'off' | 'shadow' | 'auto'
    /** Modes of single rules that override `mode`. */
    rules: { [member: string]: 'off' | 'shadow' | 'auto' }
    auto_threshold: number
    review_threshold: number
    /** By field, a policy that overrides the field’s own policy. */
    survivorship: { [member: string]: string }
    undo_days: number | null
  }
  company: {
    mode: 'off' | 'shadow' | 'auto'
    /** Modes of single rules that override `mode`. */
    rules: { [member: string]: 'off' | 'shadow' | 'auto' }
    auto_threshold: number
    review_threshold: number
    /** By field, a policy that overrides the field’s own policy. */
    survivorship: { [member: string]: string }
    undo_days: number | null
  }
  deal: {
    mode: 'off' | 'shadow' | 'auto'
    /** Modes of single rules that override `mode`. */
    rules: { [member: string]: 'off' | 'shadow' | 'auto' }
    auto_threshold: number
    review_threshold: number
    /** By field, a policy that overrides the field’s own policy. */
    survivorship: { [member: string]: string }
    undo_days: number | null
  }
}

export type ChangeDuplicateSettings = {
  contact?: {
    /** The action of the engine for duplicates: nothing (`off`), propose (`shadow`) or merge (`auto`). Deals cannot have `auto`. */
    mode?: 'off' | 'shadow' | 'auto' | null | undefined
    /** Modes of single rules that override `mode`. Rules that the request does not name keep their mode; null removes the mode of a rule. */
    rules?: { [member: string]: 'off' | 'shadow' | 'auto' | null } | null | undefined
    /** Probability (0.01 to 1) from which the engine merges two records even if no rule applies. It must be at least `review_threshold`. */
    auto_threshold?: number | null | undefined
    /** Probability (0.01 to 1) from which the engine proposes two records. */
    review_threshold?: number | null | undefined
    /** By field, the policy that decides between two values: `primary`, `furthest_stage`, `min`, `max`, `longest` or `members`. Each field supports some of them; null restores the default. */
    survivorship?: { [member: string]: string | null } | null | undefined
    /** For how many days a merge can be undone; null: without limit. */
    undo_days?: number | null | undefined
  } | null | undefined
  company?: {
    /** The action of the engine for duplicates: nothing (`off`), propose (`shadow`) or merge (`auto`). Deals cannot have `auto`. */
    mode?: 'off' | 'shadow' | 'auto' | null | undefined
    /** Modes of single rules that override `mode`. Rules that the request does not name keep their mode; null removes the mode of a rule. */
    rules?: { [member: string]: 'off' | 'shadow' | 'auto' | null } | null | undefined
    /** Probability (0.01 to 1) from which the engine merges two records even if no rule applies. It must be at least `review_threshold`. */
    auto_threshold?: number | null | undefined
    /** Probability (0.01 to 1) from which the engine proposes two records. */
    review_threshold?: number | null | undefined
    /** By field, the policy that decides between two values: `primary`, `furthest_stage`, `min`, `max`, `longest` or `members`. Each field supports some of them; null restores the default. */
    survivorship?: { [member: string]: string | null } | null | undefined
    /** For how many days a merge can be undone; null: without limit. */
    undo_days?: number | null | undefined
  } | null | undefined
  deal?: {
    /** The action of the engine for duplicates: nothing (`off`), propose (`shadow`) or merge (`auto`). Deals cannot have `auto`. */
    mode?: 'off' | 'shadow' | 'auto' | null | undefined
    /** Modes of single rules that override `mode`. Rules that the request does not name keep their mode; null removes the mode of a rule. */
    rules?: { [member: string]: 'off' | 'shadow' | 'auto' | null } | null | undefined
    /** Probability (0.01 to 1) from which the engine merges two records even if no rule applies. It must be at least `review_threshold`. */
    auto_threshold?: number | null | undefined
    /** Probability (0.01 to 1) from which the engine proposes two records. */
    review_threshold?: number | null | undefined
    /** By field, the policy that decides between two values: `primary`, `furthest_stage`, `min`, `max`, `longest` or `members`. Each field supports some of them; null restores the default. */
    survivorship?: { [member: string]: string | null } | null | undefined
    /** For how many days a merge can be undone; null: without limit. */
    undo_days?: number | null | undefined
  } | null | undefined
}

export type AnsweredProposal = {
  /** The id of the proposal. */
  merge_id: string
  outcome: 'applied' | 'dismissed' | 'failed'
  /** The id of the merge, if the proposal was applied. */
  applied_merge_id?: string | undefined
  /** A code of docs/reference/errors.md. Later versions may add codes. */
  code?: ErrorCode | undefined
  /** Why the item failed. */
  detail?: string | undefined
}

export type Candidate = {
  record_id: string
  name: string | null
  /** Probability that the two are the same, 0 to 1. */
  score: number
  /** The rule that applies; null: no rule applies. */
  rule: string | null
  evidence: {
    field: string
    /** How well the two values agree, in words. */
    level: string
    /** How much this field changes the odds that the two are the same, as a power of two. A negative weight lowers the odds. */
    weight: number
  }[]
  /** Why the engine must not merge the two automatically, or at all; null: no veto. */
  veto: string | null
  /** The action of the engine: `auto` (merge if the mode is `auto`), `review` (propose) or `none`. */
  outcome: 'auto' | 'review' | 'none'
  /** Whether mode `auto` would merge the two. */
  would_apply: boolean
  /** The open proposal about the two records. */
  merge_id: string | null
}

export type DuplicateScan = {
  scan_id: string
  entity_type: 'contact' | 'company' | 'deal'
  status: 'queued' | 'running' | 'succeeded' | 'failed'
  /** From 0 to 1. */
  progress: number
  counts: {
    records_read: number
    /** Pairs of records that were compared. */
    pairs_compared: number
    proposals_opened: number
    merges_applied: number
  }
  /** Why the scan failed. */
  error: {
    /** Programs can rely on it. */
    code: 'internal_error'
    /** A text that says what is wrong and what to do. */
    message: string
  } | null
  created_at: number
  started_at: number | null
  finished_at: number | null
}

export type Persona = {
  persona_id: string
  name: string
  role_title: string | null
  description: string | null
  instructions: string | null
  voice: {
    provider_voice_id: string | null
    language: string | null
    speed: number | null
  }
  greeting: string | null
  status: 'draft' | 'active' | 'archived'
  /** Unix seconds; null: not archived. */
  archived_at: number | null
  /** Rises with every change. Send it in If-Match. */
  version: number
  /** Unix seconds. */
  created_at: number
  /** Unix seconds. */
  updated_at: number
}

export type CreatePersona = {
  name: string
  role_title?: string | null | undefined
  /** The purpose of the persona. The agent does not get it. */
  description?: string | null | undefined
  /** The prompt of the AI agent: who it is, what it should achieve, what it must not do. */
  instructions?: string | null | undefined
  /** The first words of the AI agent. */
  greeting?: string | null | undefined
  /** Only the members that you send change; null clears all of them. */
  voice?: {
    /** The voice's id at the provider; null: the provider's default voice. */
    provider_voice_id?: string | null | undefined
    language?: string | null | undefined
    /** 1 is the voice’s normal speed; null: the provider’s default. */
    speed?: number | null | undefined
  } | null | undefined
}

export type UpdatePersona = {
  name?: string | undefined
  role_title?: string | null | undefined
  /** The purpose of the persona. The agent does not get it. */
  description?: string | null | undefined
  /** The prompt of the AI agent: who it is, what it should achieve, what it must not do. */
  instructions?: string | null | undefined
  /** The first words of the AI agent. */
  greeting?: string | null | undefined
  /** Only the members that you send change; null clears all of them. */
  voice?: {
    /** The voice's id at the provider; null: the provider's default voice. */
    provider_voice_id?: string | null | undefined
    language?: string | null | undefined
    /** 1 is the voice’s normal speed; null: the provider’s default. */
    speed?: number | null | undefined
  } | null | undefined
}

export type VoiceNumber = {
  number_id: string
  /** E.164. */
  number: string
  label: string | null
  provider_ref: string | null
  /** Unix seconds. */
  created_at: number
}

export type CreateVoiceNumber = {
  /** E.164, or national with a default_country. */
  number: string
  /** A name for people. */
  label?: string | null | undefined
  /** The provider's own id of the number, where calls have to name that. */
  provider_ref?: string | null | undefined
}

export type VoiceSettings = {
  provider: 'simulator' | 'livekit' | 'vapi' | 'twilio'
  /** The provider’s credentials, each with its last characters; null: none. */
  credentials: { [member: string]: string } | null
  /** Providers whose credentials are kept. */
  kept_credentials: string[]
  allow_premium: boolean
  concurrent_call_cap: number
  calling_hours: {
    start: string
    end: string
  } | null
  /** Whether calls begin with a sentence that says an AI is calling. */
  ai_disclosure: boolean
  /** null: the built-in sentence. */
  ai_disclosure_text: string | null
  /** The operator of this installation sets it. */
  subscription: {
    status: 'active' | 'past_due' | 'canceled'
    /** null: no limit. */
    included_minutes: number | null
  }
  /** Rises with every change; If-Match takes it. */
  version: number
  /** Unix seconds; null: never changed. */
  updated_at: number | null
  /** Where the provider reports, for those that have to be told once (LiveKit). null: the simulator, or no PUBLIC_URL. */
  callback_url: string | null
}

export type UpdateVoiceSettings = {
  /** The provider that places the calls. Keys of test mode always use the simulator. */
  provider?: 'simulator' | 'livekit' | 'vapi' | 'twilio' | undefined
  /** Those of the provider: twilio {account_sid, auth_token}, vapi {api_key, assistant_id, phone_number_id}, livekit {url, api_key, api_secret, sip_trunk_id, agent_name}. Only the credentials that you send change. They are never shown. null, with the simulator, deletes all of them. */
  credentials?: { [member: string]: string } | null | undefined
  /** Whether premium-rate, shared-cost, personal, pager and satellite numbers may be called. */
  allow_premium?: boolean | undefined
  /** How many calls may be under way at once. */
  concurrent_call_cap?: number | undefined
  /** When calls may be placed, by the callee's clock; past midnight if the end is before the start. null: at any time. */
  calling_hours?: {
    start: string
    end: string
  } | null | undefined
  /** Whether every call begins with a sentence that says an AI is calling. The law demands it in many places (EU AI Act, Article 50). The event `voice_settings.updated` has the old value and the new one. */
  ai_disclosure?: boolean | undefined
  /** Your words for that sentence, in every call. null: the built-in sentence, in the language of the persona's voice, or in English. */
  ai_disclosure_text?: string | null | undefined
}

export type PlaceCall = {
  /** The number to call: E.164, or national with a default_country. The number must be in use. */
  to_number: string
  /** The caller id, one of the organization's numbers; optional if it has exactly one. */
  from_number?: string | null | undefined
  /** The time zone of the callee, a name of the IANA database. Required if there are calling hours. */
  timezone?: string | null | undefined
  /** true: check everything and call nobody. */
  dry_run?: boolean | undefined
  /** The persona that speaks. */
  persona_id?: string | null | undefined
  /** Instructions for this call. The AI agent gets them after the persona’s instructions. */
  instructions?: string | null | undefined
  /** Values that instructions and greeting may use by name. */
  variables?: { [member: string]: string } | undefined
  /** Your own data; answers return it unchanged. */
  metadata?: { [member: string]: unknown } | undefined
}

export type PlacedCall = {
  /** null: a dry run. */
  call_id: string | null
  mode: 'live' | 'test'
  /** In test mode always the simulator. */
  provider: 'simulator' | 'livekit' | 'vapi' | 'twilio'
  /** The provider's own id of the call. */
  provider_call_id: string | null
  /** E.164; null: erased together with its contact. */
  to_number: string | null
  /** E.164. */
  from_number: string
  persona_id: string | null
  /** Unix seconds. */
  created_at: number
  /** validated: a dry run. unknown: the provider did not say whether it dials. Crosswalk polls the provider and does not dial again; GET /voice/calls/{call_id} shows the outcome. failed: only for a retry, if the first request broke off and the provider has no such call. */
  status: 'validated' | 'dispatched' | 'unknown' | 'failed'
  dry_run: boolean
  /** The unchanged answer of the provider. */
  dispatch: unknown
}

export type Call = {
  call_id: string
  mode: 'live' | 'test'
  /** In test mode always the simulator. */
  provider: 'simulator' | 'livekit' | 'vapi' | 'twilio'
  /** The provider's own id of the call. */
  provider_call_id: string | null
  /** E.164; null: erased together with its contact. */
  to_number: string | null
  /** E.164. */
  from_number: string
  persona_id: string | null
  /** Unix seconds. */
  created_at: number
  /** Another status follows dispatching and unknown. A status never moves back. */
  status: 'dispatching' | 'unknown' | 'queued' | 'ringing' | 'in_progress' | 'completed' | 'busy' | 'no_answer' | 'failed' | 'canceled'
  instructions: string | null
  variables: { [member: string]: string }
  metadata: { [member: string]: unknown }
  /** Seconds of conversation; null: not known yet. */
  duration_seconds: number | null
  /** Why it failed; the message has the code and the words of the provider. */
  error: {
    /** Programs can rely on it. */
    code: 'call_refused' | 'consent_denied' | 'number_suppressed' | 'call_never_dialed' | 'call_end_unknown' | 'call_result_unknown'
    /** A text that says what is wrong and what to do. */
    message: string
  } | null
  /** Unix seconds. */
  ended_at: number | null
}

export type VoiceUsage = {
  /** Months with calls, the latest first. */
  months: {
    /** YYYY-MM, UTC. */
    month: string
    live: {
      /** All placed calls. */
      calls: number
      answered: number
      /** Seconds of conversation, in calls that have ended. */
      seconds: number
      /** Minutes of conversation. The minutes of each call are rounded up. */
      minutes: number
    }
    test: {
      /** All placed calls. */
      calls: number
      answered: number
      /** Seconds of conversation, in calls that have ended. */
      seconds: number
      /** Minutes of conversation. The minutes of each call are rounded up. */
      minutes: number
    }
  }[]
  /** Of live calls in a month; null: no limit. */
  included_minutes: number | null
  /** Live calls under way that count against the cap. */
  concurrent_calls: number
  concurrent_call_cap: number
}

export type Suppression = {
  suppression_id: string
  /** E.164. */
  number: string
  /** `consent_denied`: erasing a contact that had denied consent to phone calls left it. */
  reason: string | null
  source: string | null
  /** Unix seconds. */
  since: number
  /** Unix seconds. */
  created_at: number
}

export type CreateSuppression = {
  /** E.164, or national with a default_country. */
  number: string
  /** Why the number must not be called. */
  reason?: string | null | undefined
  /** Where the entry comes from. */
  source?: string | null | undefined
  /** Unix seconds: when the person asked. Default: now. It is only a note: the entry is in force at once. */
  since?: number | null | undefined
}

export type CreatedSuppression = {
  suppression_id: string
  /** E.164. */
  number: string
  /** `consent_denied`: erasing a contact that had denied consent to phone calls left it. */
  reason: string | null
  source: string | null
  /** Unix seconds. */
  since: number
  /** Unix seconds. */
  created_at: number
  /** existing: the number was on the list, and nothing changed. */
  outcome: 'created' | 'existing'
}

export type ImportSuppressions = {
  /** Each entry as in POST /voice/suppressions. */
  suppressions: {
    /** E.164, or national with a default_country. */
    number: string
    /** Why the number must not be called. */
    reason?: string | null | undefined
    /** Where the entry comes from. */
    source?: string | null | undefined
    /** Unix seconds: when the person asked. Default: now. It is only a note: the entry is in force at once. */
    since?: number | null | undefined
  }[]
}

export type ImportedSuppressions = {
  /** Numbers that are new on the list. */
  created: number
  /** Rows whose number was on the list already, or came before in this import. */
  existing: number
  /** Rows that could not be read. Nothing was stored for them. */
  refused: number
  /** The first 1,000 refused rows. */
  refusals: {
    /** CSV: the line in the file. JSON: the position in the list, from 1. */
    row: number
    /** A code of docs/reference/errors.md. Later versions may add codes. */
    code: ErrorCode
    reason: string
  }[]
}

export type SignatureTemplate = {
  template_id: string
  name: string
  html: string
  text: string | null
  /** How many mailboxes use it. */
  mailboxes: number
  /** Rises with every change. Send it in If-Match, and in a push. */
  version: number
  /** Unix seconds. */
  created_at: number
  /** Unix seconds. */
  updated_at: number
}

export type CreateSignatureTemplate = {
  name: string
  /** HTML with Liquid; see docs/reference/signatures.md. */
  html: string
  /** The plain text, with Liquid; null: it is derived from the HTML. */
  text?: string | null | undefined
}

export type UpdateSignatureTemplate = {
  name?: string | undefined
  /** HTML with Liquid; see docs/reference/signatures.md. */
  html?: string | undefined
  /** The plain text, with Liquid; null: it is derived from the HTML. */
  text?: string | null | undefined
}

export type Mailbox = {
  mailbox_id: number
  email: string
  display_name: string | null
  provider: 'sandbox' | 'gmail' | 'manual'
  template_id: string | null
  persona_id: string | null
  fields: { [member: string]: string }
  /** The version that the next push would install. Rises when the mailbox changes, and when its template does. */
  version: number
  /** The result of the last push. */
  deployment: {
    /** The mode of the API keys whose pushes these are. */
    mode: 'live' | 'test'
    status: 'never' | 'queued' | 'compiling' | 'installing' | 'installed' | 'failed' | 'manual_pending'
    /** The installed version of the mailbox; null: none is installed. */
    revision: number | null
    /** Unix seconds. */
    installed_at: number | null
    /** Why the last push failed or will be retried; null: neither. */
    error: {
      /** Programs can rely on it. */
      code: 'mailbox_deleted' | 'template_missing' | 'template_invalid' | 'provider_not_configured' | 'provider_refused' | 'provider_unavailable' | 'internal_error'
      /** A text that says what is wrong and what to do. */
      message: string
    } | null
    /** SHA-256 of the installed HTML in UTF-8. */
    html_sha256: string | null
  }
  /** Unix seconds. */
  created_at: number
  /** Unix seconds. */
  updated_at: number
}

export type CreateMailbox = {
  email: string
  display_name?: string | null | undefined
  /** How the signature is installed. API keys of test mode always use the sandbox. */
  provider?: 'sandbox' | 'gmail' | 'manual' | undefined
  template_id?: string | null | undefined
  /** The persona that the template sees as `persona`. */
  persona_id?: string | null | undefined
  /** The person’s data for the template, such as title, phone or photo_url. Only the members that you send change; null for a member clears it, and null for `fields` clears all members. */
  fields?: { [member: string]: string | null } | null | undefined
}

export type UpdateMailbox = {
  email?: string | undefined
  display_name?: string | null | undefined
  /** How the signature is installed. API keys of test mode always use the sandbox. */
  provider?: 'sandbox' | 'gmail' | 'manual' | undefined
  template_id?: string | null | undefined
  /** The persona that the template sees as `persona`. */
  persona_id?: string | null | undefined
  /** The person’s data for the template, such as title, phone or photo_url. Only the members that you send change; null for a member clears it, and null for `fields` clears all members. */
  fields?: { [member: string]: string | null } | null | undefined
}

export type SignaturePreview = {
  mailbox_id: number
  version: number
  html: string
  text: string
  /** Characters of the HTML; the maximum is 10,000. */
  size: number
  html_sha256: string
  warnings: {
    code: string
    message: string
  }[]
}

export type PushTemplate = {
  /** The version of the template that you have read. If it is not the current one, the answer is 409. */
  version: number
}

export type SignatureRollout = {
  rollout_id: string
  template_id: string
  /** The version of the template when it was pushed. */
  version: number
  mode: 'live' | 'test'
  status: 'running' | 'finished'
  counts: {
    mailboxes: number
    queued: number
    compiling: number
    installing: number
    installed: number
    failed: number
    manual_pending: number
  }
  /** Unix seconds. */
  created_at: number
  /** Unix seconds. */
  finished_at: number | null
}

export type SandboxSignature = {
  mailbox_id: number
  mode: 'live' | 'test'
  revision: number
  html: string
  text: string
  /** Unix seconds. */
  installed_at: number
}

export type PushMailbox = {
  /** The version of the mailbox that you have read. If it is not the current one, the answer is 409. */
  version: number
}

export type QueuedPush = {
  mailbox_id: number
  version: number
  push_id: string
  status: 'queued'
  /** Unix seconds. */
  queued_at: number
}

export type SignaturePush = {
  push_id: string
  mailbox_id: number
  mode: 'live' | 'test'
  status: 'queued' | 'compiling' | 'installing' | 'installed' | 'failed' | 'manual_pending'
  /** The version of the mailbox when it was pushed. */
  version: number
  /** The version that was installed. It is newer than `version` if the mailbox changed before the install. */
  revision: number | null
  rollout_id: string | null
  /** Why the push failed or will be retried; null: neither. */
  error: {
    /** Programs can rely on it. */
    code: 'mailbox_deleted' | 'template_missing' | 'template_invalid' | 'provider_not_configured' | 'provider_refused' | 'provider_unavailable' | 'internal_error'
    /** A text that says what is wrong and what to do. */
    message: string
  } | null
  /** The page from which the mailbox’s owner installs the signature, while the status is `manual_pending`. */
  install_url: string | null
  /** Unix seconds. */
  queued_at: number
  /** Unix seconds. */
  finished_at: number | null
}

export type SignatureSettings = {
  gmail: {
    /** null: none is stored. The private key is never shown. */
    service_account: {
      client_email: string
    } | null
  }
}

export type UpdateSignatureSettings = {
  gmail?: {
    /** The key file of a service account with domain-wide delegation, as Google issues it; null deletes it. */
    service_account?: {
      client_email: string
      private_key: string
    } | null | undefined
  } | null | undefined
}

export type CrmConnection = {
  connection_id: string
  provider: 'sandbox' | 'salesforce' | 'hubspot' | 'espocrm'
  name: string
  status: 'ok' | 'needs_attention'
  /** The reason for `needs_attention`, and the cure. */
  error: {
    /** Programs can rely on it. */
    code: 'access_refused'
    /** A text that says what is wrong and what to do. */
    message: string
  } | null
  supports_leads: boolean
  /** The credentials, each with its last characters. */
  credentials: { [member: string]: string }
  /** The name of this connection in `external_ids` of contacts. */
  system: string
  field_map: { [member: string]: string | null }
  settings: {
    external_id_field: string
    allow_duplicates: boolean
  }
  /** Rises with every change; If-Match takes it. */
  version: number
  /** Unix seconds. */
  created_at: number
  /** Unix seconds. */
  updated_at: number
}

export type CreateCrmConnection = {
  provider: 'sandbox' | 'salesforce' | 'hubspot' | 'espocrm'
  /** The provider's unless given. */
  name?: string | undefined
  /** What the provider needs: salesforce {client_id, client_secret, refresh_token} or {client_id, username, private_key}, hubspot {access_token}, espocrm {url, api_key}; the sandbox needs none. They are stored sealed and never shown. */
  credentials?: { [member: string]: string } | undefined
  /** A name of a CRM field for each Crosswalk field; null: not pushed. Other fields go to their default in that CRM (docs/reference/crm-sync.md). */
  field_map?: { [member: string]: string | null } | undefined
  /** Only members that are sent change. */
  settings?: {
    /** The CRM’s field that stores our id of a person. It must be unique. */
    external_id_field?: string | undefined
    /** Whether to create people that the CRM refuses as duplicates of other records. */
    allow_duplicates?: boolean | undefined
  } | undefined
}

export type UpdateCrmConnection = {
  name?: string | undefined
  /** What the provider needs: salesforce {client_id, client_secret, refresh_token} or {client_id, username, private_key}, hubspot {access_token}, espocrm {url, api_key}; the sandbox needs none. They are stored sealed and never shown. */
  credentials?: { [member: string]: string } | undefined
  /** A name of a CRM field for each Crosswalk field; null: not pushed. Other fields go to their default in that CRM (docs/reference/crm-sync.md). */
  field_map?: { [member: string]: string | null } | undefined
  /** Only members that are sent change. */
  settings?: {
    /** The CRM’s field that stores our id of a person. It must be unique. */
    external_id_field?: string | undefined
    /** Whether to create people that the CRM refuses as duplicates of other records. */
    allow_duplicates?: boolean | undefined
  } | undefined
}

export type CrmConnectionTest = {
  connection_id: string
  /** Whether a push of either kind would work. */
  works: boolean
  lead: {
    works: boolean
    /** The missing settings, and how to add them. */
    problems: string[]
    /** Each Crosswalk field that would be pushed, with its CRM field. */
    field_map: { [member: string]: string }
  }
  contact: {
    works: boolean
    /** The missing settings, and how to add them. */
    problems: string[]
    /** Each Crosswalk field that would be pushed, with its CRM field. */
    field_map: { [member: string]: string }
  }
}

export type CrmSandboxRecord = {
  external_id: string
  kind: 'lead' | 'contact'
  mode: 'live' | 'test'
  record_key: string
  values: { [member: string]: unknown }
  /** Unix seconds. */
  created_at: number
  /** Unix seconds. */
  updated_at: number
}

export type CrmSettings = {
  /** A push of more people than this needs a confirmation. */
  threshold: number
}

export type UpdateCrmSettings = {
  threshold?: number | undefined
}

export type CrmPreviewRequest = {
  connection_id: string
  /** Only these people. */
  contact_ids?: string[] | undefined
  /** The filters of GET /contacts, and `lifecycle_stage`: only people for whom all of them hold. */
  filter?: {
    q?: string | undefined
    /** Unix seconds */
    updated_since?: number | undefined
    /** Any of the addresses, in any case. */
    email?: string | undefined
    /** Any of the numbers; E.164, or national with a default_country. */
    phone?: string | undefined
    /** Exactly this tag. */
    tag?: string | undefined
    company_id?: string | undefined
    import_id?: string | undefined
    lifecycle_stage?: 'subscriber' | 'lead' | 'qualified' | 'opportunity' | 'customer' | 'other' | undefined
  } | undefined
}

export type CrmPreview = {
  /** How many people a push would push: active contacts with an e-mail address or a phone number, and those that an earlier push sent. */
  count: number
  threshold: number
  confirmation_required: boolean
  would_create: number
  /** People whom the CRM knows. The push skips those who did not change. */
  would_update: number
  /** The number of selected people who are not pushed, by reason. */
  skipped: { [member: string]: number }
  /** Five people as they would be sent. */
  sample: { [member: string]: unknown }[]
}

export type CrmPushRequest = {
  connection_id: string
  /** Only these people. */
  contact_ids?: string[] | undefined
  /** The filters of GET /contacts, and `lifecycle_stage`: only people for whom all of them hold. */
  filter?: {
    q?: string | undefined
    /** Unix seconds */
    updated_since?: number | undefined
    /** Any of the addresses, in any case. */
    email?: string | undefined
    /** Any of the numbers; E.164, or national with a default_country. */
    phone?: string | undefined
    /** Exactly this tag. */
    tag?: string | undefined
    company_id?: string | undefined
    import_id?: string | undefined
    lifecycle_stage?: 'subscriber' | 'lead' | 'qualified' | 'opportunity' | 'customer' | 'other' | undefined
  } | undefined
  /** True, as a JSON boolean, allows a push of more people than the threshold. */
  large_population_confirmed?: boolean | undefined
  /** True also sends people who did not change since the last push. */
  resend_unchanged?: boolean | undefined
}

export type CrmJob = {
  job_id: string
  kind: 'leads_push' | 'contacts_push'
  status: 'queued' | 'running' | 'succeeded' | 'partially_succeeded' | 'failed' | 'refused' | 'canceled'
  connection_id: string
  mode: 'live' | 'test'
  /** How many people it pushes; null: it has not begun. */
  population: number | null
  threshold: number
  large_population_confirmed: boolean
  /** True: the job was canceled. It stays `running` until the batches under way have ended. */
  cancel_requested: boolean
  counts: {
    processed: number
    created: number
    updated: number
    unchanged: number
    skipped: number
    failed: number
  }
  refusal: {
    reason: 'large_population'
    population: number
    threshold: number
  } | null
  /** Why it failed, or what it waits for. */
  error: {
    /** Programs can rely on it. */
    code: 'access_refused' | 'crm_unusable' | 'crm_unavailable' | 'internal_error'
    /** A text that says what is wrong and what to do. */
    message: string
  } | null
  /** Unix seconds. */
  created_at: number
  /** Unix seconds. */
  started_at: number | null
  /** Unix seconds. */
  finished_at: number | null
}

export type CrmJobItem = {
  contact_id: string
  /** null: not yet. */
  outcome: 'created' | 'updated' | 'unchanged' | 'skipped' | 'failed' | null
  external_id: string | null
  /** Without an `outcome`: why the push tries the person again. */
  error: {
    /** Programs can rely on it. */
    code: 'not_reachable' | 'merged' | 'duplicate' | 'refused' | 'not_tried'
    /** A text that says what is wrong and what to do. */
    message: string
  } | null
}

export type ImportCounts = {
  rows_read: number
  created: number
  /** Rows that changed a record which existed. */
  updated: number
  /** Rows whose record had all of their values already. */
  unchanged: number
  refused: number
  /** Records that were archived, or got back what they had. */
  reverted: number
  /** Records that keep a part of the import, because they were changed since. */
  kept: number
}

export type Import = {
  import_id: string
  entity_type: 'contact' | 'company'
  status: 'uploading' | 'queued' | 'running' | 'succeeded' | 'failed' | 'reverting' | 'reverted'
  mode: 'live' | 'test'
  /** true: the import created nothing, and `counts.created` is what it would have created. */
  dry_run: boolean
  file_name: string | null
  /** null: each row created a record. */
  match_on: string | null
  default_country: string | null
  /** 0: an operator sent it through standard input. */
  bytes_total: number
  /** How the bytes were read, such as `utf-8` or `windows-1252`; null for a spreadsheet. */
  encoding: string | null
  /** The field of each column; null until the header was read. */
  columns: {
    header: string
    /** null: left out. */
    field: string | null
  }[] | null
  counts: ImportCounts
  /** How many rows were refused with each code; null until the import ended. */
  refused_by_code: { [member: string]: number } | null
  /** Why the import failed. */
  error: {
    /** Programs can rely on it. */
    code: 'file_unusable' | 'mapping_unusable' | 'nothing_imported' | 'interrupted' | 'revert_failed' | 'internal_error'
    /** A text that says what is wrong and what to do. */
    message: string
  } | null
  created_at: number
  started_at: number | null
  finished_at: number | null
}

export type Inspection = {
  format: 'csv' | 'xlsx'
  /** How the bytes were read, such as `utf-8` or `windows-1252`; null for a spreadsheet. */
  encoding: string | null
  /** null for a spreadsheet. */
  delimiter: string | null
  /** The program whose export this is, by its headers; null if none is recognized. */
  source: 'crosswalk' | 'hubspot' | 'salesforce' | 'twenty' | null
  /** false if the first row looks like values. An import takes the first row as the header in any case. */
  has_header: boolean
  columns: {
    /** 1-based; a mapping can name the column `#<position>`. */
    position: number
    header: string
    /** null: not recognized; the column goes to `custom`. */
    field: string | null
    /** Up to 3 values of the first 100 rows, cut to 100 characters. */
    samples: string[]
  }[]
  /** The mapping of an import of this file, ready to be changed and sent. */
  mapping: { [member: string]: string }
}

export type RefusedRow = {
  /** 1-based line of the file. */
  line: number
  outcome: 'refused'
  /** A code of docs/reference/errors.md. Later versions may add codes. */
  code: ErrorCode
  reason: string
}

export type Event = {
  event_id: string
  type: string
  object_id: string | null
  /** The API key that made the change; null: an operator command or the system itself. */
  api_key_id: string | null
  mode: 'live' | 'test'
  /** Names of the changed fields, never their values. */
  changed: string[] | null
  data: { [member: string]: unknown } | null
  created_at: number
}

/** Filters of lists: `'version[gt]': 1`, `'custom.plan': 'gold'`. */
export type FieldFilters = {
  [filter: `${string}[${string}]` | `custom.${string}`]: string | number | boolean | readonly (string | number)[] | null | undefined
}

export type ListAgencyClientsQuery = {
  /** The maximum number of items in a page. A page also ends after 4 MiB. */
  limit?: number | undefined
  /** `next_cursor` of the page before; keep the filters the same. */
  cursor?: string | undefined
  /** 1-indexed, instead of a cursor; reaches the first 10,000 items. */
  page?: number | undefined
}

export type ListAgencyInvitationsQuery = {
  /** The maximum number of items in a page. A page also ends after 4 MiB. */
  limit?: number | undefined
  /** `next_cursor` of the page before; keep the filters the same. */
  cursor?: string | undefined
  /** 1-indexed, instead of a cursor; reaches the first 10,000 items. */
  page?: number | undefined
}

export type ExportCompaniesQuery = {
  company_id?: string | undefined
  name?: string | undefined
  /** One of the company’s domains. */
  domain?: string | undefined
  /** E.164, or national with a default_country. */
  phone?: string | undefined
  phone_raw?: string | undefined
  website?: string | undefined
  industry?: string | undefined
  employee_count?: number | undefined
  linkedin_url?: string | undefined
  city?: string | undefined
  region?: string | undefined
  country?: string | undefined
  source?: string | undefined
  version?: number | undefined
  /** Unix seconds */
  created_at?: number | undefined
  /** Unix seconds */
  updated_at?: number | undefined
  /** Unix seconds */
  archived_at?: number | undefined
  /** One of the company’s domains. */
  domains?: string | undefined
  /** Exactly this tag. */
  tag?: string | undefined
  /** Exactly this tag. */
  tags?: string | undefined
  /** The system and the id in it, as in `crm:D-17`. */
  external_id?: string | undefined
  import_id?: string | undefined
  /** `csv` has a header row; `jsonl` has one record per line, as the list shows it. */
  format?: 'csv' | 'jsonl' | undefined
  /** Words with which a name or an address starts, in any order. */
  q?: string | undefined
  /** true lists archived records instead of active ones. */
  archived?: boolean | undefined
  /** A minus sorts downward. Records without the field come last. `custom.<key>` sorts by a member of `custom`. */
  sort?: ('created_at' | '-created_at' | 'updated_at' | '-updated_at' | 'name' | '-name') | unknown | undefined
  /** The members that each record has in the answer; all unless sent. */
  fields?: string | undefined
  /** Unix seconds: only records that changed at or after this time. */
  updated_since?: number | undefined
} & FieldFilters

export type GetCompanyQuery = {
  /** The members that the answer has; all unless sent. */
  fields?: string | undefined
}

export type ImportCompaniesQuery = {
  /** How the bytes of a text/csv body are encoded, such as `windows-1252`; overrides `charset` of Content-Type. By default a byte order mark or the bytes decide: UTF-8, or else Windows-1252. */
  encoding?: string | undefined
  /** The fields of the columns of a text/csv body, as a JSON object such as {"Mail": "email", "Nr": "external_id:shop"}. Other columns are recognized by common names. */
  mapping?: string | undefined
  /** true reads the whole file, refuses and counts rows as an import does, and creates nothing. */
  dry_run?: boolean | undefined
  /** A name of the import, for people. */
  file_name?: string | undefined
  /** Update the company that matches a row on this key, as an upsert does. Without it, each row creates a company. */
  match_on?: 'domain' | 'phone' | 'external_id' | undefined
  /** The country of phone numbers without a country code, if the row itself has none. By default, the organization’s. */
  default_country?: string | undefined
}

export type InspectCompaniesFileQuery = {
  /** How the bytes of a text/csv body are encoded, such as `windows-1252`; overrides `charset` of Content-Type. By default a byte order mark or the bytes decide: UTF-8, or else Windows-1252. */
  encoding?: string | undefined
}

export type ListCompaniesQuery = {
  company_id?: string | undefined
  name?: string | undefined
  /** One of the company’s domains. */
  domain?: string | undefined
  /** E.164, or national with a default_country. */
  phone?: string | undefined
  phone_raw?: string | undefined
  website?: string | undefined
  industry?: string | undefined
  employee_count?: number | undefined
  linkedin_url?: string | undefined
  city?: string | undefined
  region?: string | undefined
  country?: string | undefined
  source?: string | undefined
  version?: number | undefined
  /** Unix seconds */
  created_at?: number | undefined
  /** Unix seconds */
  updated_at?: number | undefined
  /** Unix seconds */
  archived_at?: number | undefined
  /** One of the company’s domains. */
  domains?: string | undefined
  /** Exactly this tag. */
  tag?: string | undefined
  /** Exactly this tag. */
  tags?: string | undefined
  /** The system and the id in it, as in `crm:D-17`. */
  external_id?: string | undefined
  import_id?: string | undefined
  /** Words with which a name or an address starts, in any order. */
  q?: string | undefined
  /** true lists archived records instead of active ones. */
  archived?: boolean | undefined
  /** A minus sorts downward. Records without the field come last. `custom.<key>` sorts by a member of `custom`. */
  sort?: ('created_at' | '-created_at' | 'updated_at' | '-updated_at' | 'name' | '-name') | unknown | undefined
  /** The members that each record has in the answer; all unless sent. */
  fields?: string | undefined
  /** The maximum number of items in a page. A page also ends after 4 MiB. */
  limit?: number | undefined
  /** `next_cursor` of the page before; keep the filters the same. */
  cursor?: string | undefined
  /** 1-indexed, instead of a cursor; reaches the first 10,000 items. */
  page?: number | undefined
  /** Unix seconds: only records that changed at or after this time. */
  updated_since?: number | undefined
} & FieldFilters

export type ExportContactsQuery = {
  contact_id?: string | undefined
  /** Any of the addresses, in any case. */
  email?: string | undefined
  email_raw?: string | undefined
  /** Any of the numbers; E.164, or national with a default_country. */
  phone?: string | undefined
  phone_raw?: string | undefined
  first_name?: string | undefined
  last_name?: string | undefined
  company_id?: string | undefined
  company_name?: string | undefined
  job_title?: string | undefined
  lifecycle_stage?: 'subscriber' | 'lead' | 'qualified' | 'opportunity' | 'customer' | 'other' | undefined
  'consent.email'?: string | undefined
  'consent.phone'?: string | undefined
  linkedin_url?: string | undefined
  city?: string | undefined
  region?: string | undefined
  country?: string | undefined
  source?: string | undefined
  version?: number | undefined
  /** Unix seconds */
  created_at?: number | undefined
  /** Unix seconds */
  updated_at?: number | undefined
  /** Unix seconds */
  archived_at?: number | undefined
  /** Any of the addresses, in any case. */
  emails?: string | undefined
  /** Any of the numbers; E.164, or national with a default_country. */
  phones?: string | undefined
  /** Exactly this tag. */
  tag?: string | undefined
  /** Exactly this tag. */
  tags?: string | undefined
  /** The system and the id in it, as in `crm:D-17`. */
  external_id?: string | undefined
  import_id?: string | undefined
  /** `csv` has a header row; `jsonl` has one record per line, as the list shows it. */
  format?: 'csv' | 'jsonl' | undefined
  /** Words with which a name or an address starts, in any order. */
  q?: string | undefined
  /** true lists archived records instead of active ones. */
  archived?: boolean | undefined
  /** A minus sorts downward. Records without the field come last. `custom.<key>` sorts by a member of `custom`. */
  sort?: ('created_at' | '-created_at' | 'updated_at' | '-updated_at' | 'name' | '-name') | unknown | undefined
  /** The members that each record has in the answer; all unless sent. */
  fields?: string | undefined
  /** Unix seconds: only records that changed at or after this time. */
  updated_since?: number | undefined
} & FieldFilters

export type GetContactQuery = {
  /** The members that the answer has; all unless sent. */
  fields?: string | undefined
}

export type ImportContactsQuery = {
  /** How the bytes of a text/csv body are encoded, such as `windows-1252`; overrides `charset` of Content-Type. By default a byte order mark or the bytes decide: UTF-8, or else Windows-1252. */
  encoding?: string | undefined
  /** The fields of the columns of a text/csv body, as a JSON object such as {"Mail": "email", "Nr": "external_id:shop"}. Other columns are recognized by common names. */
  mapping?: string | undefined
  /** true reads the whole file, refuses and counts rows as an import does, and creates nothing. */
  dry_run?: boolean | undefined
  /** A name of the import, for people. */
  file_name?: string | undefined
  /** Update the contact that matches a row on this key, as an upsert does. Without it, each row creates a contact. */
  match_on?: 'email' | 'phone' | 'external_id' | undefined
  /** The country of phone numbers without a country code, if the row itself has none. By default, the organization’s. */
  default_country?: string | undefined
}

export type InspectContactsFileQuery = {
  /** How the bytes of a text/csv body are encoded, such as `windows-1252`; overrides `charset` of Content-Type. By default a byte order mark or the bytes decide: UTF-8, or else Windows-1252. */
  encoding?: string | undefined
}

export type ListContactsQuery = {
  contact_id?: string | undefined
  /** Any of the addresses, in any case. */
  email?: string | undefined
  email_raw?: string | undefined
  /** Any of the numbers; E.164, or national with a default_country. */
  phone?: string | undefined
  phone_raw?: string | undefined
  first_name?: string | undefined
  last_name?: string | undefined
  company_id?: string | undefined
  company_name?: string | undefined
  job_title?: string | undefined
  lifecycle_stage?: 'subscriber' | 'lead' | 'qualified' | 'opportunity' | 'customer' | 'other' | undefined
  'consent.email'?: string | undefined
  'consent.phone'?: string | undefined
  linkedin_url?: string | undefined
  city?: string | undefined
  region?: string | undefined
  country?: string | undefined
  source?: string | undefined
  version?: number | undefined
  /** Unix seconds */
  created_at?: number | undefined
  /** Unix seconds */
  updated_at?: number | undefined
  /** Unix seconds */
  archived_at?: number | undefined
  /** Any of the addresses, in any case. */
  emails?: string | undefined
  /** Any of the numbers; E.164, or national with a default_country. */
  phones?: string | undefined
  /** Exactly this tag. */
  tag?: string | undefined
  /** Exactly this tag. */
  tags?: string | undefined
  /** The system and the id in it, as in `crm:D-17`. */
  external_id?: string | undefined
  import_id?: string | undefined
  /** Words with which a name or an address starts, in any order. */
  q?: string | undefined
  /** true lists archived records instead of active ones. */
  archived?: boolean | undefined
  /** A minus sorts downward. Records without the field come last. `custom.<key>` sorts by a member of `custom`. */
  sort?: ('created_at' | '-created_at' | 'updated_at' | '-updated_at' | 'name' | '-name') | unknown | undefined
  /** The members that each record has in the answer; all unless sent. */
  fields?: string | undefined
  /** The maximum number of items in a page. A page also ends after 4 MiB. */
  limit?: number | undefined
  /** `next_cursor` of the page before; keep the filters the same. */
  cursor?: string | undefined
  /** 1-indexed, instead of a cursor; reaches the first 10,000 items. */
  page?: number | undefined
  /** Unix seconds: only records that changed at or after this time. */
  updated_since?: number | undefined
} & FieldFilters

export type ListCrmConnectionsQuery = {
  /** The maximum number of items in a page. A page also ends after 4 MiB. */
  limit?: number | undefined
  /** `next_cursor` of the page before; keep the filters the same. */
  cursor?: string | undefined
  /** 1-indexed, instead of a cursor; reaches the first 10,000 items. */
  page?: number | undefined
}

export type ListCrmSandboxRecordsQuery = {
  /** The maximum number of items in a page. A page also ends after 4 MiB. */
  limit?: number | undefined
  /** `next_cursor` of the page before; keep the filters the same. */
  cursor?: string | undefined
  /** 1-indexed, instead of a cursor; reaches the first 10,000 items. */
  page?: number | undefined
}

export type ListCrmJobItemsQuery = {
  outcome?: 'created' | 'updated' | 'unchanged' | 'skipped' | 'failed' | undefined
  /** The maximum number of items in a page. A page also ends after 4 MiB. */
  limit?: number | undefined
  /** `next_cursor` of the page before; keep the filters the same. */
  cursor?: string | undefined
  /** 1-indexed, instead of a cursor; reaches the first 10,000 items. */
  page?: number | undefined
}

export type ListCrmJobsQuery = {
  connection_id?: string | undefined
  status?: 'queued' | 'running' | 'succeeded' | 'partially_succeeded' | 'failed' | 'refused' | 'canceled' | undefined
  /** The maximum number of items in a page. A page also ends after 4 MiB. */
  limit?: number | undefined
  /** `next_cursor` of the page before; keep the filters the same. */
  cursor?: string | undefined
  /** 1-indexed, instead of a cursor; reaches the first 10,000 items. */
  page?: number | undefined
}

export type ListCloseReasonsQuery = {
  /** true lists archived reasons instead of active ones. */
  archived?: boolean | undefined
  /** Only reasons for these deals: `won` lists the reasons for won deals and for any deal. */
  outcome?: 'won' | 'lost' | 'any' | undefined
}

export type ExportDealsQuery = {
  deal_id?: string | undefined
  name?: string | undefined
  amount_cents?: number | undefined
  currency?: string | undefined
  stage?: string | undefined
  status?: 'open' | 'won' | 'lost' | undefined
  company_id?: string | undefined
  contact_ids?: string | undefined
  close_reason_id?: string | undefined
  /** Unix seconds */
  closed_at?: number | undefined
  owner_email?: string | undefined
  expected_close_on?: string | undefined
  probability?: number | undefined
  source?: string | undefined
  version?: number | undefined
  /** Unix seconds */
  created_at?: number | undefined
  /** Unix seconds */
  updated_at?: number | undefined
  /** Unix seconds */
  archived_at?: number | undefined
  /** Exactly this tag. */
  tag?: string | undefined
  /** Exactly this tag. */
  tags?: string | undefined
  /** The system and the id in it, as in `crm:D-17`. */
  external_id?: string | undefined
  contact_id?: string | undefined
  /** Unix seconds. Only deals closed at or after this time. */
  closed_since?: number | undefined
  import_id?: string | undefined
  /** `csv` has a header row; `jsonl` has one record per line, as the list shows it. */
  format?: 'csv' | 'jsonl' | undefined
  /** Words with which a name or an address starts, in any order. */
  q?: string | undefined
  /** true lists archived records instead of active ones. */
  archived?: boolean | undefined
  /** A minus sorts downward. Records without the field come last. `custom.<key>` sorts by a member of `custom`. */
  sort?: ('created_at' | '-created_at' | 'updated_at' | '-updated_at' | 'name' | '-name' | 'amount_cents' | '-amount_cents' | 'closed_at' | '-closed_at') | unknown | undefined
  /** The members that each record has in the answer; all unless sent. */
  fields?: string | undefined
  /** Unix seconds: only records that changed at or after this time. */
  updated_since?: number | undefined
} & FieldFilters

export type GetDealQuery = {
  /** The members that the answer has; all unless sent. */
  fields?: string | undefined
}

export type ListDealsQuery = {
  deal_id?: string | undefined
  name?: string | undefined
  amount_cents?: number | undefined
  currency?: string | undefined
  stage?: string | undefined
  status?: 'open' | 'won' | 'lost' | undefined
  company_id?: string | undefined
  contact_ids?: string | undefined
  close_reason_id?: string | undefined
  /** Unix seconds */
  closed_at?: number | undefined
  owner_email?: string | undefined
  expected_close_on?: string | undefined
  probability?: number | undefined
  source?: string | undefined
  version?: number | undefined
  /** Unix seconds */
  created_at?: number | undefined
  /** Unix seconds */
  updated_at?: number | undefined
  /** Unix seconds */
  archived_at?: number | undefined
  /** Exactly this tag. */
  tag?: string | undefined
  /** Exactly this tag. */
  tags?: string | undefined
  /** The system and the id in it, as in `crm:D-17`. */
  external_id?: string | undefined
  contact_id?: string | undefined
  /** Unix seconds. Only deals closed at or after this time. */
  closed_since?: number | undefined
  import_id?: string | undefined
  /** Words with which a name or an address starts, in any order. */
  q?: string | undefined
  /** true lists archived records instead of active ones. */
  archived?: boolean | undefined
  /** A minus sorts downward. Records without the field come last. `custom.<key>` sorts by a member of `custom`. */
  sort?: ('created_at' | '-created_at' | 'updated_at' | '-updated_at' | 'name' | '-name' | 'amount_cents' | '-amount_cents' | 'closed_at' | '-closed_at') | unknown | undefined
  /** The members that each record has in the answer; all unless sent. */
  fields?: string | undefined
  /** The maximum number of items in a page. A page also ends after 4 MiB. */
  limit?: number | undefined
  /** `next_cursor` of the page before; keep the filters the same. */
  cursor?: string | undefined
  /** 1-indexed, instead of a cursor; reaches the first 10,000 items. */
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
  entity_type: 'contact' | 'company' | 'deal'
  /** The id of a record. The id of a merged record stands for its canonical record. */
  record_id: string
  /** The maximum number of items in a page. A page also ends after 4 MiB. */
  limit?: number | undefined
  /** `next_cursor` of the page before; keep the filters the same. */
  cursor?: string | undefined
  /** 1-indexed, instead of a cursor; reaches the first 10,000 items. */
  page?: number | undefined
}

export type ListMergesQuery = {
  entity_type?: 'contact' | 'company' | 'deal' | undefined
  /** Also lists open proposals. */
  include_shadow?: boolean | undefined
  /** Only merges whose survivor or loser has this id. */
  record_id?: string | undefined
  /** Only merges with this status, instead of `include_shadow`. `applied` also lists merges with the status `applying`. */
  status?: 'applied' | 'undone' | 'shadow' | undefined
  /** Only merges that this rule decided. */
  rule?: string | undefined
  /** Only merges with at least this score. */
  min_score?: number | undefined
  /** Unix seconds. Only merges and proposals that were created at or after this time. */
  created_since?: number | undefined
  /** The maximum number of items in a page. A page also ends after 4 MiB. */
  limit?: number | undefined
  /** `next_cursor` of the page before; keep the filters the same. */
  cursor?: string | undefined
  /** 1-indexed, instead of a cursor; reaches the first 10,000 items. */
  page?: number | undefined
}

export type ListScansQuery = {
  entity_type?: 'contact' | 'company' | 'deal' | undefined
  /** The maximum number of items in a page. A page also ends after 4 MiB. */
  limit?: number | undefined
  /** `next_cursor` of the page before; keep the filters the same. */
  cursor?: string | undefined
  /** 1-indexed, instead of a cursor; reaches the first 10,000 items. */
  page?: number | undefined
}

export type ListEventsQuery = {
  /** Only events of this type. */
  type?: 'contact.created' | 'contact.updated' | 'contact.archived' | 'contact.restored' | 'contact.erased' | 'contact.merged' | 'contact.unmerged' | 'company.created' | 'company.updated' | 'company.archived' | 'company.restored' | 'company.erased' | 'company.merged' | 'company.unmerged' | 'deal.created' | 'deal.updated' | 'deal.archived' | 'deal.restored' | 'deal.erased' | 'deal.merged' | 'deal.unmerged' | 'deal.closed' | 'deal.reopened' | 'deal_stages.updated' | 'close_reason.created' | 'close_reason.updated' | 'close_reason.archived' | 'close_reason.restored' | 'merge.dismissed' | 'duplicate_settings.updated' | 'api_key.created' | 'api_key.updated' | 'api_key.rotated' | 'api_key.deleted' | 'org.created' | 'org.updated' | 'org.agency_linked' | 'org.agency_unlinked' | 'agency.client_created' | 'agency.client_linked' | 'agency.client_unlinked' | 'agency.invitation_created' | 'agency.invitation_revoked' | 'sandbox.created' | 'sandbox.deleted' | 'import.created' | 'import.finished' | 'import.failed' | 'import.reverting' | 'import.reverted' | 'persona.created' | 'persona.updated' | 'persona.archived' | 'persona.restored' | 'persona.activated' | 'call.dispatched' | 'call.completed' | 'call.busy' | 'call.no_answer' | 'call.failed' | 'call.canceled' | 'voice_number.created' | 'voice_number.deleted' | 'voice_settings.updated' | 'voice_subscription.updated' | 'suppression.created' | 'suppression.deleted' | 'signature_template.created' | 'signature_template.updated' | 'signature_template.deleted' | 'signature_template.pushed' | 'mailbox.created' | 'mailbox.updated' | 'mailbox.deleted' | 'mailbox.pushed' | 'signature.installed' | 'signature.failed' | 'signature_settings.updated' | 'crm_connection.created' | 'crm_connection.updated' | 'crm_connection.deleted' | 'crm_job.created' | 'crm_job.finished' | 'crm_settings.updated' | undefined
  /** Only events of this object. */
  object_id?: string | undefined
  /** Unix seconds. Only events at or after this time. */
  created_since?: number | undefined
  /** The maximum number of items in a page. A page also ends after 4 MiB. */
  limit?: number | undefined
  /** `next_cursor` of the page before; keep the filters the same. */
  cursor?: string | undefined
  /** 1-indexed, instead of a cursor; reaches the first 10,000 items. */
  page?: number | undefined
}

export type ListImportsQuery = {
  /** The maximum number of items in a page. A page also ends after 4 MiB. */
  limit?: number | undefined
  /** `next_cursor` of the page before; keep the filters the same. */
  cursor?: string | undefined
  /** 1-indexed, instead of a cursor; reaches the first 10,000 items. */
  page?: number | undefined
}

export type ListImportRowsQuery = {
  /** For the created rows, list the records with import_id. */
  outcome?: 'refused' | undefined
  /** The maximum number of items in a page. A page also ends after 4 MiB. */
  limit?: number | undefined
  /** `next_cursor` of the page before; keep the filters the same. */
  cursor?: string | undefined
  /** 1-indexed, instead of a cursor; reaches the first 10,000 items. */
  page?: number | undefined
}

export type ListAgenciesQuery = {
  /** The maximum number of items in a page. A page also ends after 4 MiB. */
  limit?: number | undefined
  /** `next_cursor` of the page before; keep the filters the same. */
  cursor?: string | undefined
  /** 1-indexed, instead of a cursor; reaches the first 10,000 items. */
  page?: number | undefined
}

export type ListPersonasQuery = {
  /** Only personas of this status. By default all except archived ones. */
  status?: 'draft' | 'active' | 'archived' | undefined
  /** The maximum number of items in a page. A page also ends after 4 MiB. */
  limit?: number | undefined
  /** `next_cursor` of the page before; keep the filters the same. */
  cursor?: string | undefined
  /** 1-indexed, instead of a cursor; reaches the first 10,000 items. */
  page?: number | undefined
}

export type ListSandboxesQuery = {
  /** The maximum number of items in a page. A page also ends after 4 MiB. */
  limit?: number | undefined
  /** `next_cursor` of the page before; keep the filters the same. */
  cursor?: string | undefined
  /** 1-indexed, instead of a cursor; reaches the first 10,000 items. */
  page?: number | undefined
}

export type ListMailboxesQuery = {
  template_id?: string | undefined
  provider?: 'sandbox' | 'gmail' | 'manual' | undefined
  email?: string | undefined
  /** The maximum number of items in a page. A page also ends after 4 MiB. */
  limit?: number | undefined
  /** `next_cursor` of the page before; keep the filters the same. */
  cursor?: string | undefined
  /** 1-indexed, instead of a cursor; reaches the first 10,000 items. */
  page?: number | undefined
}

export type ListSignaturePushesQuery = {
  mailbox_id?: number | undefined
  rollout_id?: string | undefined
  status?: 'queued' | 'compiling' | 'installing' | 'installed' | 'failed' | 'manual_pending' | undefined
  /** The maximum number of items in a page. A page also ends after 4 MiB. */
  limit?: number | undefined
  /** `next_cursor` of the page before; keep the filters the same. */
  cursor?: string | undefined
  /** 1-indexed, instead of a cursor; reaches the first 10,000 items. */
  page?: number | undefined
}

export type ListSignatureTemplatesQuery = {
  /** The maximum number of items in a page. A page also ends after 4 MiB. */
  limit?: number | undefined
  /** `next_cursor` of the page before; keep the filters the same. */
  cursor?: string | undefined
  /** 1-indexed, instead of a cursor; reaches the first 10,000 items. */
  page?: number | undefined
}

export type ListCallsQuery = {
  /** Only calls of this status. */
  status?: 'dispatching' | 'unknown' | 'queued' | 'ringing' | 'in_progress' | 'completed' | 'busy' | 'no_answer' | 'failed' | 'canceled' | undefined
  /** Only calls to this number, in E.164. */
  to_number?: string | undefined
  /** Unix seconds: only calls placed at or after. */
  created_since?: number | undefined
  /** The maximum number of items in a page. A page also ends after 4 MiB. */
  limit?: number | undefined
  /** `next_cursor` of the page before; keep the filters the same. */
  cursor?: string | undefined
  /** 1-indexed, instead of a cursor; reaches the first 10,000 items. */
  page?: number | undefined
}

export type ListVoiceNumbersQuery = {
  /** The maximum number of items in a page. A page also ends after 4 MiB. */
  limit?: number | undefined
  /** `next_cursor` of the page before; keep the filters the same. */
  cursor?: string | undefined
  /** 1-indexed, instead of a cursor; reaches the first 10,000 items. */
  page?: number | undefined
}

export type ListSuppressionsQuery = {
  /** Only this number, in E.164. */
  number?: string | undefined
  /** The maximum number of items in a page. A page also ends after 4 MiB. */
  limit?: number | undefined
  /** `next_cursor` of the page before; keep the filters the same. */
  cursor?: string | undefined
  /** 1-indexed, instead of a cursor; reaches the first 10,000 items. */
  page?: number | undefined
}
