// Written by scripts/generate-tables.ts from the migrated database; do not edit.

/** The columns of every table. */
export type Tables = {
  agency_client: {
    agency_org_id: string
    client_org_id: string
    created_at: Date
  }
  agency_invitation: {
    org_id: string
    invitation_id: string
    label: string | null
    token_hash: Buffer
    token_hint: string
    created_at: Date
    expires_at: Date
    accepted_at: Date | null
    client_org_id: string | null
  }
  api_key: {
    org_id: string
    api_key_id: string
    token_hash: Buffer
    token_hint: string
    name: string
    mode: string
    is_agency: boolean
    permissions: string[] | null
    created_by_org_id: string | null
    created_by_api_key_id: string | null
    created_at: Date
    expires_at: Date | null
    last_used_at: Date | null
    replaced_by_api_key_id: string | null
    created_by_member_id: string | null
    is_below_owner: boolean
  }
  bulk_change: {
    org_id: string
    bulk_change_id: string
    entity: string
    status: string
    selector: unknown | null
    change: unknown | null
    records: number
    changed: number
    unchanged: number
    refused: number
    refusals: unknown
    error: unknown | null
    last_id: string
    changed_to: string | null
    mode: string
    api_key_id: string | null
    member_id: string | null
    connected_app_id: string | null
    record_access: string | null
    created_at: Date
    ended_at: Date | null
  }
  call: {
    org_id: string
    call_id: string
    mode: string
    status: string
    provider: string
    provider_call_id: string | null
    to_number: string | null
    from_number: string
    persona_id: string | null
    instructions: string | null
    variables: unknown
    metadata: unknown
    dispatch: unknown | null
    error: unknown | null
    duration_seconds: number | null
    api_key_id: string | null
    created_at: Date
    ended_at: Date | null
    slot_until: Date | null
    check_at: Date | null
    checks: number
    erased: boolean
    member_id: string | null
    connected_app_id: string | null
    canceled_by_api_key_id: string | null
    canceled_by_member_id: string | null
    canceled_by_connected_app_id: string | null
  }
  call_back_request: {
    org_id: string
    request_id: string
    submission_id: string
    form_id: string
    form_version: number
    visitor_id: string
    mode: string
    status: string
    reason: string | null
    number: string
    country: string
    call_at: Date | null
    automatic: boolean
    call_id: string | null
    api_key_id: string | null
    member_id: string | null
    decided_at: Date | null
    created_at: Date
  }
  call_usage: {
    org_id: string
    month: string
    mode: string
    calls: number
    answered: number
    seconds: number
    minutes: number
  }
  child_move: {
    org_id: string
    merge_id: string
    entity: string
    from_id: string
    raw_ids: string[]
  }
  close_reason: {
    org_id: string
    close_reason_id: string
    label: string
    outcome: string
    position: number | null
    version: number
    created_at: Date
    updated_at: Date
    archived_at: Date | null
  }
  company: {
    org_id: string
    company_id: string
    status: string
    merged_into_id: string | null
    name: string | null
    domain: string | null
    domains: string[]
    phone: string | null
    phone_raw: string | null
    website: string | null
    linkedin_url: string | null
    industry: string | null
    employee_count: number | null
    city: string | null
    region: string | null
    country: string | null
    tags: string[]
    custom: unknown
    external_ids: unknown
    source: string | null
    import_id: string | null
    search: string
    version: number
    created_at: Date
    updated_at: Date
    archived_at: Date | null
    facts: unknown | null
    merged_ids: string[] | null
    merged_external_ids: unknown | null
    owner_email: string | null
    owner_id: string | null
  }
  company_key: {
    org_id: string
    kind: string
    hash: number
    company_id: string
  }
  connected_app: {
    org_id: string
    connected_app_id: string
    member_id: string
    home_org_id: string
    client_id: string
    client_name: string
    client_host: string
    mode: string
    permissions: string[]
    created_at: Date
    last_used_at: Date | null
    revoked_at: Date | null
    revoked_by: string | null
    via_sso: boolean
  }
  contact: {
    org_id: string
    contact_id: string
    status: string
    merged_into_id: string | null
    email: string | null
    emails: string[]
    phone: string | null
    phones: string[]
    phone_raw: string | null
    first_name: string | null
    last_name: string | null
    company_raw_id: string | null
    company_id: string | null
    company_name: string | null
    job_title: string | null
    linkedin_url: string | null
    city: string | null
    region: string | null
    country: string | null
    lifecycle_stage: string | null
    consent_email: string
    consent_phone: string
    tags: string[]
    custom: unknown
    external_ids: unknown
    source: string | null
    import_id: string | null
    search: string
    version: number
    created_at: Date
    updated_at: Date
    archived_at: Date | null
    facts: unknown | null
    consent_email_details: unknown | null
    consent_phone_details: unknown | null
    email_raw: string | null
    merged_ids: string[] | null
    merged_external_ids: unknown | null
    owner_email: string | null
    owner_id: string | null
    claimed_by: string | null
  }
  contact_key: {
    org_id: string
    kind: string
    hash: number
    contact_id: string
  }
  crm_connection: {
    org_id: string
    connection_id: string
    provider: string
    name: string
    status: string
    error: unknown | null
    system: string
    field_map: unknown
    settings: unknown
    version: number
    created_at: Date
    updated_at: Date
    deleted_at: Date | null
  }
  crm_job: {
    org_id: string
    job_id: string
    kind: string
    status: string
    connection_id: string
    mode: string
    selection: unknown
    large_population_confirmed: boolean
    population: number | null
    threshold: number
    processed: number
    created: number
    updated: number
    unchanged: number
    skipped: number
    failed: number
    refusal: unknown | null
    error: unknown | null
    cancel_requested: boolean
    tries: number
    api_key_id: string | null
    created_at: Date
    started_at: Date | null
    finished_at: Date | null
    pushed_to: string | null
    member_id: string | null
    connected_app_id: string | null
  }
  crm_job_item: {
    org_id: string
    job_id: string
    contact_id: string
    outcome: string | null
    external_id: string | null
    error: unknown | null
  }
  crm_link: {
    org_id: string
    connection_id: string
    mode: string
    kind: string
    contact_id: string
    external_id: string | null
    pushed_hash: string | null
    pushed_at: Date | null
  }
  crm_sandbox_record: {
    org_id: string
    connection_id: string
    mode: string
    kind: string
    record_key: string
    external_id: string
    values: unknown
    created_at: Date
    updated_at: Date
  }
  crm_settings: {
    org_id: string
    threshold: number
    updated_at: Date
  }
  deal: {
    org_id: string
    deal_id: string
    status: string
    merged_into_id: string | null
    name: string | null
    amount_cents: number | null
    currency: string | null
    stage: string | null
    deal_status: string | null
    closed_at: Date | null
    close_reason_id: string | null
    company_raw_id: string | null
    company_id: string | null
    owner_email: string | null
    tags: string[]
    custom: unknown
    external_ids: unknown
    source: string | null
    import_id: string | null
    search: string
    version: number
    created_at: Date
    updated_at: Date
    archived_at: Date | null
    facts: unknown | null
    expected_close_on: string | null
    probability: number | null
    merged_ids: string[] | null
    merged_external_ids: unknown | null
    owner_id: string | null
  }
  deal_contact: {
    org_id: string
    deal_id: string
    contact_raw_id: string
    contact_id: string
    position: number
  }
  deal_delta: {
    org_id: string
    delta_id: number
    deal_status: string | null
    stage: string | null
    month: string | null
    close_reason_id: string | null
    currency: string | null
    deals: number
    amount_cents: string
  }
  deal_key: {
    org_id: string
    kind: string
    hash: number
    deal_id: string
  }
  deal_pipeline: {
    org_id: string
    stages: string[]
    version: number
    updated_at: Date
  }
  deal_total: {
    org_id: string
    deal_status: string | null
    stage: string | null
    month: string | null
    close_reason_id: string | null
    currency: string | null
    deals: number
    amount_cents: string
  }
  denied_number: {
    org_id: string
    number: string
    contact_id: string
  }
  duplicate_check: {
    org_id: string
    check_id: number
    entity: number
    record_id: string | null
    import_id: string | null
    tries: number
    due_at: Date | null
  }
  duplicate_scan: {
    org_id: string
    scan_id: string
    entity: string
    mode: string
    status: string
    progress: number
    records_read: number
    pairs_compared: number
    proposals_opened: number
    merges_applied: number
    error: unknown | null
    api_key_id: string | null
    created_at: Date
    started_at: Date | null
    finished_at: Date | null
    member_id: string | null
  }
  duplicate_settings: {
    org_id: string
    entity: string
    settings: unknown
  }
  event: {
    org_id: string
    event_id: string
    type: string
    object_id: string | null
    api_key_id: string | null
    mode: string
    changed: string[] | null
    data: unknown | null
    created_at: Date
    xact: string
    member_id: string | null
    by_operator: boolean | null
    connected_app_id: string | null
    traceparent: string | null
  }
  field_conversion: {
    org_id: string
    field_id: string
    state: string
    renames: unknown
    records: number
    converted: number
    unfit: number
    unfit_ids: string[]
    converted_to: string | null
  }
  field_definition: {
    org_id: string
    field_id: string
    entity: string
    key: string
    label: string
    description: string | null
    type: string
    options: string[]
    position: number
    version: number
    created_at: Date
    updated_at: Date
    index_id: string | null
    index_state: string
    indexed_to: string | null
    is_unique: boolean
  }
  field_value: {
    org_id: string
    index_id: string
    value: string
    record_id: string
  }
  form: {
    org_id: string
    form_id: string
    name: string
    status: string
    definition: unknown
    origins: string[]
    version: number
    created_at: Date
    updated_at: Date
  }
  form_submission: {
    org_id: string
    submission_id: string
    form_id: string
    form_version: number
    mode: string
    status: string
    spam_reason: string | null
    message_key: string
    challenge_id: string | null
    answers: unknown
    consent: boolean | null
    write_key_id: string | null
    visitor_id: string
    page_url: string | null
    contact_id: string | null
    created_contact: boolean
    contact_version: number | null
    reverting: boolean
    created_at: Date
  }
  form_version: {
    org_id: string
    form_id: string
    version: number
    definition: unknown
    created_at: Date
  }
  idempotency_key: {
    org_id: string
    scope: Buffer
    fingerprint: Buffer
    status: number
    headers: unknown
    body: Buffer | null
    secret_of: string | null
    erased: boolean
    expires_at: Date
    unfinished: string | null
    busy_until: Date | null
  }
  idempotency_object: {
    org_id: string
    scope: Buffer
    object_id: string
  }
  identity_fact: {
    org_id: string
    day: string
    message_key: string
    mode: string
    kind: string
    occurred_at: Date
    visitor_id: string | null
    user_key: string | null
    email: string | null
    person: string | null
    other_id: string | null
    trust: number
    contact_id: string | null
    undone_at: Date | null
    traits: unknown | null
    is_pending: boolean
  }
  identity_secret: {
    org_id: string
    created_at: Date
    old_expires_at: Date | null
  }
  import: {
    org_id: string
    import_id: string
    entity: string
    status: string
    mode: string
    api_key_id: string | null
    file_name: string | null
    mapping: unknown | null
    columns: unknown | null
    error: unknown | null
    bytes_total: number
    rows_read: number
    created_count: number
    refused_count: number
    reverted_count: number
    kept_count: number
    created_at: Date
    started_at: Date | null
    progressed_at: Date | null
    finished_at: Date | null
    dry_run: boolean
    encoding: string | null
    match_on: string | null
    default_country: string | null
    updated_count: number
    unchanged_count: number
    refused_by_code: unknown | null
    member_id: string | null
    record_access: string | null
    unreadable_count: number
    decimal_sign: string | null
    date_order: string | null
  }
  import_change: {
    org_id: string
    import_id: string
    record_id: string
    line: number
    change: unknown
  }
  import_lot: {
    org_id: string
    import_id: string
    first_row: number
  }
  import_piece: {
    org_id: string
    import_id: string
    piece: number
    bytes: Buffer
  }
  import_refusal: {
    org_id: string
    import_id: string
    line: number
    reason: string
    code: string
  }
  link: {
    org_id: string | null
    link_id: string
    kind: string
    token_hash: Buffer
    email: string | null
    role: string
    created_by_member_id: string | null
    created_at: Date
    expires_at: Date
    invited_by_org_id: string | null
    email_key: string | null
    record_access: string
  }
  match_key: {
    org_id: string
    entity: number
    kind: number
    hash: number
    record_id: string
  }
  match_key_backlog: {
    org_id: string
    entity: string
    version: number
  }
  member: {
    member_id: string
    email: string
    email_key: string
    name: string
    password: string | null
    totp_secret: Buffer | null
    totp_step: number | null
    recovery_codes: Buffer[]
    created_at: Date
  }
  membership: {
    org_id: string
    member_id: string
    role: string
    permissions: string[] | null
    version: number
    created_at: Date
    invited_by_org_id: string | null
    sso_only: boolean
    record_access: string
  }
  merge: {
    org_id: string
    merge_id: string
    merge_group_id: string
    entity: string
    status: string
    survivor_id: string
    loser_id: string
    seq: number | null
    policies: unknown | null
    rule: string | null
    score: number | null
    evidence: unknown
    model_version: string | null
    would_apply: boolean | null
    method: string
    fields_filled: string[]
    children_moved: number
    created_at: Date
    merged_at: Date | null
    merged_by: string | null
    undone_at: Date | null
    undone_by: string | null
  }
  note: {
    org_id: string
    note_id: string
    entity: string
    record_raw_id: string
    text: string
    api_key_id: string | null
    member_id: string | null
    connected_app_id: string | null
    by_operator: boolean | null
    version: number
    created_at: Date
    updated_at: Date
  }
  oauth_client: {
    client_id: string
    metadata: unknown
    network: string
    created_at: Date
    last_used_at: Date
  }
  oauth_item: {
    kind: string
    id_hash: Buffer
    grant_id: string | null
    connected_app_id: string | null
    payload: unknown
    consumed_at: Date | null
    expires_at: Date
  }
  org: {
    org_id: string
    name: string
    is_agency: boolean
    default_country: string | null
    requests_per_second: number | null
    requests_per_minute: number | null
    created_at: Date
    sandbox_of: string | null
  }
  passkey: {
    passkey_id: string
    member_id: string
    credential_id: Buffer
    public_key: Buffer
    counter: number
    transports: string[]
    host: string
    is_synced: boolean
    name: string
    created_at: Date
    used_at: Date | null
  }
  passkey_challenge: {
    challenge_hash: Buffer
    purpose: string
    member_id: string | null
    expires_at: Date
  }
  pending_effect: {
    org_id: string
    effect_id: string
    api_key_id: string | null
    member_id: string | null
    mode: string
    tool: string
    arguments_hash: Buffer
    question: string
    facts: unknown
    is_outside: boolean
    created_at: Date
    expires_at: Date
    decided_at: Date | null
    decided_by: string | null
    is_approved: boolean | null
    connected_app_id: string | null
    permission: string
    asked_by: string
    begun_at: Date | null
  }
  persona: {
    org_id: string
    persona_id: string
    status: string
    status_before: string | null
    name: string
    role_title: string | null
    description: string | null
    instructions: string | null
    greeting: string | null
    provider_voice_id: string | null
    voice_language: string | null
    voice_speed: number | null
    version: number
    created_at: Date
    updated_at: Date
    archived_at: Date | null
  }
  record_delta: {
    org_id: string
    entity: string
    delta_id: number
    delta: number
  }
  record_total: {
    org_id: string
    entity: string
    total: number
  }
  sandbox: {
    org_id: string
    sandbox_org_id: string
    name: string
    copied: string
    status: string
    created_at: Date
    expires_at: Date
    deleted_at: Date | null
    purge_at: Date | null
  }
  sandbox_signature: {
    org_id: string
    mode: string
    mailbox_id: number
    html: string
    text: string
    revision: number
    installed_at: Date
  }
  schema_migration: {
    name: string
    sha256: string
    applied_at: Date
  }
  secret: {
    org_id: string
    name: string
    key_id: string
    sealed: Buffer
    created_at: Date
    updated_at: Date
  }
  segment: {
    org_id: string
    segment_id: string
    entity: string
    name: string
    filter: unknown | null
    q: string | null
    sort: string | null
    field_types: unknown
    version: number
    created_at: Date
    updated_at: Date
    count: number | null
    counted_at: Date | null
    count_ms: number | null
    count_asked_at: Date | null
  }
  session: {
    session_id: string
    member_id: string
    token_hash: Buffer
    is_partial: boolean
    user_agent: string
    created_at: Date
    seen_at: Date
    expires_at: Date
    confirmed_at: Date | null
    sso_org_id: string | null
    is_recovery: boolean
  }
  sign_in_failure: {
    email_hash: Buffer
    failures: number
    failed_at: Date
  }
  signature_deployment: {
    org_id: string
    mailbox_id: number
    mode: string
    status: string
    asked: number
    taken: number
    done: number
    in_bulk: boolean
    tries: number
    try_at: Date
    revision: number | null
    html_sha256: string | null
    installed_at: Date | null
    error: unknown | null
  }
  signature_mailbox: {
    org_id: string
    mailbox_id: number
    email: string
    email_key: string
    display_name: string | null
    provider: string
    template_id: string | null
    persona_id: string | null
    fields: unknown
    version: number
    created_at: Date
    updated_at: Date
  }
  signature_offer: {
    org_id: string
    mailbox_id: number
    offer_id: string
    html: string
    text: string
    html_sha256: string
    revision: number
    created_at: Date
    confirmed_at: Date | null
  }
  signature_push: {
    org_id: string
    push_id: string
    mailbox_id: number
    mode: string
    version: number
    number: number
    rollout_id: string | null
    outcome: string | null
    revision: number | null
    error: unknown | null
    api_key_id: string | null
    created_at: Date
    finished_at: Date | null
    member_id: string | null
    connected_app_id: string | null
  }
  signature_rollout: {
    org_id: string
    rollout_id: string
    template_id: string
    version: number
    mode: string
    api_key_id: string | null
    created_at: Date
    member_id: string | null
  }
  signature_template: {
    org_id: string
    template_id: string
    name: string
    html: string
    text: string | null
    version: number
    created_at: Date
    updated_at: Date
  }
  simulated_call: {
    org_id: string
    simulated_call_id: string
    call_id: string
    to_number: string
    max_seconds: number
    dialed_at: Date
    canceled_at: Date | null
    told: number
    due_at: Date
  }
  sso: {
    org_id: string
    issuer: string
    client_id: string
    domains: string[]
    newcomer_role: string | null
    is_required: boolean
    version: number
    updated_at: Date
    client_set_at: Date | null
  }
  sso_attempt: {
    org_id: string
    attempt_hash: Buffer
    state_hash: Buffer
    issuer: string
    nonce: string
    code_verifier: string
    return_to: string
    session_id: string | null
    expires_at: Date
  }
  sso_identity: {
    org_id: string
    issuer: string
    subject: string
    member_id: string
    created_at: Date
    used_at: Date
  }
  task: {
    org_id: string
    task_id: string
    entity: string
    record_raw_id: string
    title: string
    text: string | null
    due_on: string | null
    assignee_id: string | null
    api_key_id: string | null
    member_id: string | null
    connected_app_id: string | null
    by_operator: boolean | null
    completed_at: Date | null
    completed_api_key_id: string | null
    completed_member_id: string | null
    completed_connected_app_id: string | null
    completed_by_operator: boolean | null
    version: number
    created_at: Date
    updated_at: Date
  }
  team: {
    org_id: string
    team_id: string
    name: string
    version: number
    created_at: Date
    updated_at: Date
  }
  team_member: {
    org_id: string
    team_id: string
    member_id: string
  }
  tool_call: {
    org_id: string
    call_hash: Buffer
    first_at: Date
  }
  tracking_salt: {
    day: string
    salt: Buffer
  }
  tracking_settings: {
    org_id: string
    retention_days: number
    version: number
    updated_at: Date | null
    cookieless: boolean
    respect_dnt: boolean
    identify_creates: boolean
  }
  usage_hour: {
    org_id: string
    mode: string
    hour: Date
    series: string
    n: number
  }
  verdict: {
    org_id: string
    entity: string
    first_id: string
    second_id: string
    verdict: string
    decided_at: Date
    decided_by: string | null
  }
  visitor: {
    org_id: string
    visitor_id: string
    mode: string
    first_seen_at: Date
    last_seen_at: Date
    last_seen_minute: Date
    days: string[]
    last_day: string
    events: number
    views: number
    user_key: string | null
    user_trust: number | null
    user_at: Date | null
    first_source: unknown | null
    last_source: unknown | null
    last_source_at: Date | null
    ads_denied_at: Date | null
  }
  voice_number: {
    org_id: string
    number_id: string
    number: string
    label: string | null
    provider_ref: string | null
    created_at: Date
  }
  voice_settings: {
    org_id: string
    provider: string
    allow_premium: boolean
    concurrent_call_cap: number
    calling_hours_start: string | null
    calling_hours_end: string | null
    version: number
    updated_at: Date | null
    ai_disclosure: boolean
    ai_disclosure_text: string | null
  }
  voice_subscription: {
    org_id: string
    status: string
    included_minutes: number | null
    updated_at: Date
  }
  voice_suppression: {
    org_id: string
    suppression_id: string
    number: string
    reason: string | null
    source: string | null
    since: Date
    created_at: Date
  }
  web_event: {
    org_id: string
    day: string
    message_key: string
    mode: string
    occurred_at: Date
    received_at: Date
    is_late: boolean
    visitor_id: string | null
    user_key: string | null
    session_id: string | null
    type: string
    name: string | null
    url_path: string | null
    referrer_host: string | null
    trust: number
    properties: unknown
    context: unknown
    is_bot: boolean
    source: unknown | null
    email: string | null
    denies_ads: boolean
  }
  web_event_count: {
    org_id: string
    mode: string
    hour: Date
    outcome: string
    n: number
    key_id: string
  }
  web_event_delta: {
    org_id: string
    delta_id: number
    mode: string
    hour: Date
    key_id: string
    outcome: string
    n: number
  }
  web_event_erasure: {
    org_id: string
    erasure_id: string
    erased_at: Date
  }
  web_event_sample: {
    org_id: string
    mode: string
    key_id: string
    reason: string
    at: Date
    type: string | null
    name: string | null
    library: string | null
    origin: string | null
  }
  web_event_tombstone: {
    org_id: string
    subject: string
    refused_until: Date
    erased_at: Date
  }
  web_report: {
    org_id: string
    dimension: string
    day: string
    key: string
    n: number
    by_hour: number[]
  }
  web_report_delta: {
    org_id: string
    delta_id: number
    dimension: string
    hour: Date
    key: string
    n: number
  }
  web_visit: {
    org_id: string
    day: string
    visitor_id: string
    session_id: string
    half_hours: number
  }
  webhook_attempt: {
    org_id: string
    attempt_id: string
    endpoint_id: string
    event_id: string
    source_org_id: string
    type: string
    object_id: string | null
    number: number
    outcome: string
    status: number | null
    duration_ms: number
    error: string | null
    response_excerpt: string | null
    created_at: Date
  }
  webhook_endpoint: {
    org_id: string
    endpoint_id: string
    mode: string
    url: string
    description: string
    types: string[]
    payload: string
    include_clients: boolean
    max_per_second: number | null
    max_in_flight: number
    headers: unknown
    permissions: string[] | null
    status: string
    disabled_reason: string | null
    failures: number
    refusals: number
    first_failure_at: Date | null
    last_failure_at: Date | null
    last_success_at: Date | null
    next_probe_at: Date | null
    disabled_at: Date | null
    old_secret_expires_at: Date | null
    api_key_id: string | null
    version: number
    created_at: Date
    updated_at: Date
    member_id: string | null
    member_org_id: string | null
    segment_id: string | null
    key_org_id: string | null
  }
  webhook_hour: {
    org_id: string
    endpoint_id: string
    hour: Date
    delivered: number
    failed: number
    duration_ms: number
  }
  webhook_position: {
    org_id: string
    endpoint_id: string
    source_org_id: string
    position: unknown
  }
  webhook_replay: {
    org_id: string
    replay_id: string
    endpoint_id: string
    from_time: Date
    to_time: Date
    types: string[] | null
    failed_only: boolean
    last_event_id: string | null
    sent: number
    status: string
    created_at: Date
    finished_at: Date | null
  }
  webhook_retry: {
    org_id: string
    endpoint_id: string
    event_id: string
    source_org_id: string
    kind: string
    tries: number
    next_at: Date
  }
  write_key: {
    org_id: string
    write_key_id: string
    name: string
    mode: string
    key: string
    old_key: string | null
    old_key_expires_at: Date | null
    origins: string[]
    purposes: string[]
    events_per_second: number
    events_per_day: number
    version: number
    created_at: Date
    updated_at: Date
    last_seen_at: Date | null
  }
}

/** The type of a row that has only the columns `Name` of a table. */
export type Columns<Table extends keyof Tables, Name extends keyof Tables[Table]> = Pick<Tables[Table], Name>
