// Written by `npm run generate`. Do not edit.

import type { FileBody } from '../body.ts'
import type { AnswerPromise } from '../answer.ts'
import type { CallOptions } from '../options.ts'
import type { FollowedEvent } from '../follow.ts'
import type { FollowOptions } from '../follow.ts'
import type { PagePromise } from '../page.ts'
import type { WaitOptions } from '../wait.ts'
import type * as types from './types.ts'

export interface AgencyResource {
  readonly clients: AgencyClientsResource
  readonly invitations: AgencyInvitationsResource
  readonly usage: AgencyUsageResource
}

export interface AgencyClientsResource {
  /**
   * Create a client of the agency.
   *
   * Creates an organization and links it. To create an API key in it, send `POST /api-keys` with its id in X-Target-Org-Id. To link an organization that exists, invite it.
   *
   * Needs the permission `agency:write`.
   */
  create(body: types.CreateAgencyClient, options?: CallOptions): AnswerPromise<types.AgencyClient>
  /**
   * Read a client of the agency.
   *
   * Needs the permission `agency:read`.
   */
  get(orgId: string, options?: CallOptions): AnswerPromise<types.AgencyClient>
  /**
   * List the clients of the agency.
   *
   * The newest client first. To list clients, use an agency key without X-Target-Org-Id.
   *
   * Needs the permission `agency:read`.
   */
  list(query?: types.ListAgencyClientsQuery, options?: CallOptions): PagePromise<types.AgencyClient>
  /**
   * Cut the link to a client.
   *
   * The client and its data remain. Requests that name the client in X-Target-Org-Id are refused at once on this node, and within 2 seconds on others. API keys that the agency created in the client still work, and members whom its people invited remain; the answer lists both. Open invitations of its people stop working.
   *
   * Needs the permission `agency:manage`.
   */
  unlink(orgId: string, options?: CallOptions): AnswerPromise<types.CutAgencyLink>
}

export interface AgencyInvitationsResource {
  /**
   * Invite an organization to become a client.
   *
   * Only this answer has the token. Give the token to the client, which accepts the invitation with `POST /organization/agencies`.
   *
   * Needs the permission `agency:manage`.
   */
  create(body: types.CreateAgencyInvitation, options?: CallOptions): AnswerPromise<types.CreatedAgencyInvitation>
  /**
   * Read an invitation.
   *
   * `client_org_id` shows which organization accepted it.
   *
   * Needs the permission `agency:read`.
   */
  get(invitationId: string, options?: CallOptions): AnswerPromise<types.AgencyInvitation>
  /**
   * List the invitations of the agency.
   *
   * The newest first, including accepted and expired invitations, without tokens.
   *
   * Needs the permission `agency:read`.
   */
  list(query?: types.ListAgencyInvitationsQuery, options?: CallOptions): PagePromise<types.AgencyInvitation>
  /**
   * Revoke an invitation.
   *
   * Deletes the invitation, so that its token is refused.
   *
   * Needs the permission `agency:manage`.
   */
  revoke(invitationId: string, options?: CallOptions): AnswerPromise<void>
}

export interface AgencyUsageResource {
  /**
   * Export the usage of the clients.
   *
   * A CSV file with a line for each client, the oldest first. `from` and `to` are in UTC. An apostrophe precedes names that a spreadsheet would take for formulas.
   *
   * Needs the permission `agency:read`.
   */
  export(query?: types.ExportAgencyClientUsageQuery, options?: CallOptions): AnswerPromise<ReadableStream<Uint8Array>>
  /**
   * List the usage of the clients.
   *
   * The numbers of each client in a month or another period, for invoices and reports. They equal the numbers of `GET /usage` for the client, in the mode of the API key. The newest client first.
   *
   * Needs the permission `agency:read`.
   */
  list(query?: types.ListAgencyClientUsageQuery, options?: CallOptions): PagePromise<types.AgencyClientUsage>
  readonly totals: AgencyUsageTotalsResource
}

export interface AgencyUsageTotalsResource {
  /**
   * Read the usage of all clients together.
   *
   * The sums over all clients. The usage of the agency itself is not included.
   *
   * Needs the permission `agency:read`.
   */
  get(query?: types.GetAgencyUsageTotalsQuery, options?: CallOptions): AnswerPromise<types.AgencyUsageTotals>
}

export interface ApiKeysResource {
  /**
   * Create an API key.
   *
   * Only this answer has the secret: in `api_key_token`, or in `token` for an agency key. With X-Target-Org-Id, the key is created in the client organization.
   *
   * Needs the permission `api_keys:manage`.
   */
  create(body: types.CreateApiKey & { is_agency?: false | undefined }, options?: CallOptions): AnswerPromise<types.CreatedOrganizationKey>
  /**
   * Create an API key.
   *
   * Only this answer has the secret: in `api_key_token`, or in `token` for an agency key. With X-Target-Org-Id, the key is created in the client organization.
   *
   * Needs the permission `api_keys:manage`.
   */
  create(body: types.CreateApiKey & { is_agency: true }, options?: CallOptions): AnswerPromise<types.CreatedAgencyKey>
  /**
   * Create an API key.
   *
   * Only this answer has the secret: in `api_key_token`, or in `token` for an agency key. With X-Target-Org-Id, the key is created in the client organization.
   *
   * Needs the permission `api_keys:manage`.
   */
  create(body: types.CreateApiKey, options?: CallOptions): AnswerPromise<types.CreatedApiKey>
  /**
   * Delete an API key.
   *
   * Its token is refused at once on this node, and within 2 seconds on others.
   *
   * Needs the permission `api_keys:manage`.
   */
  delete(apiKeyId: string, options?: CallOptions): AnswerPromise<void>
  /**
   * Read an API key.
   *
   * Needs the permission `api_keys:read`.
   */
  get(apiKeyId: string, options?: CallOptions): AnswerPromise<types.ApiKey>
  /**
   * List the API keys.
   *
   * All keys of the organization, the newest first, without their secrets.
   *
   * Needs the permission `api_keys:read`.
   */
  list(options?: CallOptions): AnswerPromise<types.ApiKeyList>
  /**
   * Replace an API key with a new one.
   *
   * To rotate a key that is in use, send `grace_seconds`: the old token keeps working for that long, while you deploy the new one. Without a body the old token stops working at once. The new key has the name, mode, permissions and expiry of the old one. A key is rotated once: after that, rotate its successor.
   *
   * Needs the permission `api_keys:manage`.
   */
  rotate(apiKeyId: string, body?: types.RotateApiKey, options?: CallOptions): AnswerPromise<types.CreatedApiKey>
  /**
   * Rename an API key, or change its permissions.
   *
   * Needs the permission `api_keys:manage`.
   */
  update(apiKeyId: string, body: types.UpdateApiKey, options?: CallOptions): AnswerPromise<types.ApiKey>
}

export interface BulkChangesResource {
  /**
   * Cancel a bulk change.
   *
   * Ends a bulk change that waits or runs. Records that it has changed stay changed, and the others stay as they are. The answer has the final counts. Canceling a bulk change again changes nothing.
   *
   * Needs the permission `contacts:write` or `companies:write` or `deals:write`.
   */
  cancel(bulkChangeId: string, options?: CallOptions): AnswerPromise<types.BulkChange>
  /**
   * Change all records that a filter finds.
   *
   * A background job changes the owner, tags or members of `custom` of all active records that match, or archives them. Each changed record gets a new version and an event. A record that the job cannot change is counted in `refused`. A bulk change cannot be undone: send a preview first.
   *
   * Needs the permission `contacts:write` or `companies:write` or `deals:write`.
   */
  create(body: types.CreateBulkChange, options?: CallOptions): AnswerPromise<types.BulkChange>
  /**
   * Read the progress of a bulk change.
   *
   * Needs the permission `contacts:write` or `companies:write` or `deals:write`.
   */
  get(bulkChangeId: string, options?: CallOptions): AnswerPromise<types.BulkChange>
  /**
   * List the bulk changes.
   *
   * Newest first. The list has only the record types that the API key may write.
   *
   * Needs the permission `contacts:write` or `companies:write` or `deals:write`.
   */
  list(query?: types.ListBulkChangesQuery, options?: CallOptions): PagePromise<types.BulkChange>
  /**
   * Count the records that a bulk change would change.
   *
   * Checks the change and counts the active records that match. Nothing changes.
   *
   * Needs the permission `contacts:write` or `companies:write` or `deals:write`.
   */
  preview(body: types.PreviewBulkChange, options?: CallOptions): AnswerPromise<types.BulkChangePreview>
}

export interface CallBackRequestsResource {
  /**
   * Approve a call-back request, and call the person.
   *
   * Places the call, with all checks of `POST /voice/calls` and within the `hours` of the form. Each request is dialed at most once, even after a failure or two approvals. The mode of the API key must be the mode of the request.
   *
   * Needs the permission `voice:write`.
   */
  approve(requestId: string, body?: types.ApproveCallBackRequest, options?: CallOptions): AnswerPromise<types.PlacedCall>
  /**
   * Decline a call-back request.
   *
   * Nobody is called. With `suppress`, nobody calls the number later either.
   *
   * Needs the permission `voice:write`.
   */
  decline(requestId: string, body?: types.DeclineCallBackRequest, options?: CallOptions): AnswerPromise<types.CallBackRequest>
  /**
   * Read a call-back request.
   *
   * Needs the permission `voice:read`.
   */
  get(requestId: string, options?: CallOptions): AnswerPromise<types.CallBackRequest>
  /**
   * List the call-back requests.
   *
   * Newest first. Send `status=waiting` for the requests that wait for a person.
   *
   * Needs the permission `voice:read`.
   */
  list(query?: types.ListCallBackRequestsQuery, options?: CallOptions): PagePromise<types.CallBackRequest>
}

export interface CompaniesResource {
  /**
   * Archive a company.
   *
   * Lists leave the record out. The record keeps all its data and can be restored.
   *
   * Needs the permission `companies:write`.
   */
  archive(companyId: string, options?: CallOptions): AnswerPromise<types.Company>
  /**
   * Create, upsert, change, archive or restore up to 500 companies.
   *
   * An item with `company_id` changes that record as PATCH does, or archives or restores it with `action`. Any other item is a record to create or, with `match_on`, to upsert. An item with an id may have the `version` that the record must have, like If-Match of PATCH. Items run in order: each item sees the changes of the items before it. An invalid item is reported as failed and does not affect the others. One answer lists at most 1,000 problems. For an item beyond these, `detail` is a text with the number of its problems.
   *
   * Needs the permission `companies:write`.
   */
  batch(body: types.CompanyBatch, options?: CallOptions): AnswerPromise<types.CompanyBatchOutcome[]>
  /**
   * Read up to 500 companies by id or key.
   *
   * Send exactly one of `ids`, `domains`, `phones`, `external_ids`. The answer has one item for each value, in the same order. An id also finds an archived company. If the id belongs to a merged company, `record` is its canonical record, and `status` is `merged`. A key finds active companies: `record` is the oldest one, and `other_ids` has up to 100 others. The request changes nothing, so an Idempotency-Key has no effect.
   *
   * Needs the permission `companies:read`.
   */
  batchRead(body: types.CompanyBatchRead, options?: CallOptions): AnswerPromise<types.CompanyBatchReadItem[]>
  /**
   * Create a company.
   *
   * Needs the permission `companies:write`.
   */
  create(body: types.CompanyFields, options?: CallOptions): AnswerPromise<types.Company>
  /**
   * Erase a company permanently.
   *
   * Permanently removes all data of the record. After that, its id gets 404.
   *
   * Needs the permission `companies:manage`.
   */
  erase(companyId: string, options?: CallOptions): AnswerPromise<types.ErasedCompany>
  /**
   * Export companies as a file.
   *
   * Sends all companies that match the filters, from one snapshot of the data. The export accepts the filters and the `sort` of the list. A process runs one export at a time for each organization, and four in total; others wait for up to 20 s. The file is complete only if the answer ends properly: after a failure the server resets the connection. The server ends an export if the client reads nothing for 30 s, after 30 minutes, and soon after its API key is deleted or loses the permission. While other exports wait, the server ends the export of a client that reads less than 1 MiB a second.
   *
   * Needs the permission `companies:read`.
   */
  export(query?: types.ExportCompaniesQuery, options?: CallOptions): AnswerPromise<ReadableStream<Uint8Array>>
  /**
   * Read a company.
   *
   * Also returns archived companies. If the id belongs to a merged company, the answer is its canonical record, with Content-Location.
   *
   * Needs the permission `companies:read`.
   */
  get(companyId: string, query?: types.GetCompanyQuery, options?: CallOptions): AnswerPromise<types.Company>
  /**
   * List companies.
   *
   * Newest first, unless you send `sort`. For the next page, send `pagination.next_cursor` as `cursor`.
   *
   * Each filter is `field=value` or `field[op]=value`, with `ne`, `gt`, `gte`, `lt`, `lte`, `in` (values with commas between them), `starts_with` or `is_null`; `custom.<key>=value` filters by a member of `custom`. A record must match all filters. An organization can run at most two lists at once that read many records. A third one gets a 429 with the code `expensive_query`.
   *
   * Needs the permission `companies:read`.
   */
  list(query?: types.ListCompaniesQuery, options?: CallOptions): PagePromise<types.Company>
  /**
   * Restore an archived company.
   *
   * Needs the permission `companies:write`.
   */
  restore(companyId: string, options?: CallOptions): AnswerPromise<types.Company>
  /**
   * Search companies with a tree of conditions.
   *
   * Accepts the parameters of the list of companies as a JSON body, with `filter` as a tree of `and`, `or` and `not`. The tree has at most 8 levels, 100 conditions (each `and`, `or` and `not` counts as one), and at most 200 values in all lists together. The request changes nothing, so an Idempotency-Key has no effect. It does the same as the method QUERY on `/companies` (RFC 10008).
   *
   * Needs the permission `companies:read`.
   */
  search(body: types.CompanySearch, options?: CallOptions): PagePromise<types.Company>
  /**
   * Change a company.
   *
   * Changes only the fields that you send. null clears a field.
   *
   * Needs the permission `companies:write`.
   */
  update(companyId: string, body: types.CompanyFields, options?: CallOptions): AnswerPromise<types.Company>
  /**
   * Update the company that matches, or create one.
   *
   * Sets the fields that you send. Values of list fields (addresses, numbers, domains, tags, external ids, contacts) are added to the lists. Concurrent upserts with the same key never create two records.
   *
   * Needs the permission `companies:write`.
   */
  upsert(body: types.CompanyUpsert, options?: CallOptions): AnswerPromise<types.UpsertedCompany>
  readonly activity: CompaniesActivityResource
  readonly imports: CompaniesImportsResource
}

export interface CompaniesActivityResource {
  /**
   * Read the timeline of a company.
   *
   * Changes and merges of the company, and the web events, calls, notes, tasks and pushes of its 200 newest people, newest first. Without the permission to read contacts, people are left out. An item appears only if your permissions include its kind: `visitors:read`, `voice:read`, `notes:read`, `tasks:read`, `events:read` or `crm:read`. New items do not shift the pages.
   *
   * Needs the permission `companies:read`.
   */
  list(companyId: string, query?: types.ListCompanyActivityQuery, options?: CallOptions): AnswerPromise<types.ActivityPage>
}

export interface CompaniesImportsResource {
  /**
   * Import companies from a CSV file or a spreadsheet.
   *
   * Send the file as text/csv (streamed, up to IMPORT_MAX_BYTES) or .xlsx, or the text of a CSV file as JSON. Columns are mapped by common header names, or by `mapping`; other columns go to `custom`, and so do values that do not fit their field, such as an unknown stage. With `match_on`, rows update the records that match. The rows are written in the background: poll GET /imports/{import_id}.
   *
   * Needs the permission `companies:write`.
   */
  create(body: types.CompanyImportRequest | FileBody, query?: types.ImportCompaniesQuery, options?: CallOptions): AnswerPromise<types.Import>
  /**
   * Inspect a file of companies before its import.
   *
   * Send the file in the same way as for the import, or only its first 64 KiB. The answer shows how the import would read it: its encoding, its columns with their fields and samples, and a mapping to change and send. Send a spreadsheet as a whole; it may have up to 2 MiB. Creates nothing.
   *
   * Needs the permission `companies:write`.
   */
  inspect(body: types.InspectRequest | FileBody, query?: types.InspectCompaniesFileQuery, options?: CallOptions): AnswerPromise<types.Inspection>
}

export interface ConnectedAppsResource {
  /**
   * Read a connected app.
   *
   * Needs the permission `members:read`.
   */
  get(connectedAppId: string, options?: CallOptions): AnswerPromise<types.ConnectedApp>
  /**
   * List the connected apps.
   *
   * AI hosts that members connected to the organization, newest first.
   *
   * Needs the permission `members:read`.
   */
  list(query?: types.ListConnectedAppsQuery, options?: CallOptions): PagePromise<types.ConnectedApp>
  /**
   * Remove permissions from a connected app.
   *
   * To give an app more permissions, connect it again. The change takes effect within 2 seconds.
   *
   * Needs the permission `members:read`.
   */
  narrow(connectedAppId: string, body: types.NarrowConnectedApp, options?: CallOptions): AnswerPromise<types.ConnectedApp>
  /**
   * Disconnect an app.
   *
   * Its tokens stop working within 2 seconds.
   *
   * Needs the permission `members:read`.
   */
  revoke(connectedAppId: string, options?: CallOptions): AnswerPromise<void>
}

export interface ContactsResource {
  /**
   * Archive a contact.
   *
   * Lists leave the record out. The record keeps all its data and can be restored.
   *
   * Needs the permission `contacts:write`.
   */
  archive(contactId: string, options?: CallOptions): AnswerPromise<types.Contact>
  /**
   * Create, upsert, change, archive or restore up to 500 contacts.
   *
   * An item with `contact_id` changes that record as PATCH does, or archives or restores it with `action`. Any other item is a record to create or, with `match_on`, to upsert. An item with an id may have the `version` that the record must have, like If-Match of PATCH. Items run in order: each item sees the changes of the items before it. An invalid item is reported as failed and does not affect the others. One answer lists at most 1,000 problems. For an item beyond these, `detail` is a text with the number of its problems.
   *
   * Needs the permission `contacts:write`.
   */
  batch(body: types.ContactBatch, options?: CallOptions): AnswerPromise<types.ContactBatchOutcome[]>
  /**
   * Read up to 500 contacts by id or key.
   *
   * Send exactly one of `ids`, `emails`, `phones`, `external_ids`. The answer has one item for each value, in the same order. An id also finds an archived contact. If the id belongs to a merged contact, `record` is its canonical record, and `status` is `merged`. A key finds active contacts: `record` is the oldest one, and `other_ids` has up to 100 others. The request changes nothing, so an Idempotency-Key has no effect.
   *
   * Needs the permission `contacts:read`.
   */
  batchRead(body: types.ContactBatchRead, options?: CallOptions): AnswerPromise<types.ContactBatchReadItem[]>
  /**
   * Create a contact.
   *
   * Needs the permission `contacts:write`.
   */
  create(body: types.NewContact, options?: CallOptions): AnswerPromise<types.Contact>
  /**
   * Erase a contact permanently.
   *
   * Permanently removes all data of the record. After that, its id gets 404.
   *
   * Needs the permission `contacts:manage`.
   */
  erase(contactId: string, options?: CallOptions): AnswerPromise<types.ErasedContact>
  /**
   * Export contacts as a file.
   *
   * Sends all contacts that match the filters, from one snapshot of the data. The export accepts the filters and the `sort` of the list. A process runs one export at a time for each organization, and four in total; others wait for up to 20 s. The file is complete only if the answer ends properly: after a failure the server resets the connection. The server ends an export if the client reads nothing for 30 s, after 30 minutes, and soon after its API key is deleted or loses the permission. While other exports wait, the server ends the export of a client that reads less than 1 MiB a second.
   *
   * Needs the permission `contacts:read`.
   */
  export(query?: types.ExportContactsQuery, options?: CallOptions): AnswerPromise<ReadableStream<Uint8Array>>
  /**
   * Read a contact.
   *
   * Also returns archived contacts. If the id belongs to a merged contact, the answer is its canonical record, with Content-Location.
   *
   * Needs the permission `contacts:read`.
   */
  get(contactId: string, query?: types.GetContactQuery, options?: CallOptions): AnswerPromise<types.Contact>
  /**
   * List contacts.
   *
   * Newest first, unless you send `sort`. For the next page, send `pagination.next_cursor` as `cursor`.
   *
   * Each filter is `field=value` or `field[op]=value`, with `ne`, `gt`, `gte`, `lt`, `lte`, `in` (values with commas between them), `starts_with` or `is_null`; `custom.<key>=value` filters by a member of `custom`. A record must match all filters. An organization can run at most two lists at once that read many records. A third one gets a 429 with the code `expensive_query`.
   *
   * Needs the permission `contacts:read`.
   */
  list(query?: types.ListContactsQuery, options?: CallOptions): PagePromise<types.Contact>
  /**
   * Restore an archived contact.
   *
   * Needs the permission `contacts:write`.
   */
  restore(contactId: string, options?: CallOptions): AnswerPromise<types.Contact>
  /**
   * Search contacts with a tree of conditions.
   *
   * Accepts the parameters of the list of contacts as a JSON body, with `filter` as a tree of `and`, `or` and `not`. The tree has at most 8 levels, 100 conditions (each `and`, `or` and `not` counts as one), and at most 200 values in all lists together. The request changes nothing, so an Idempotency-Key has no effect. It does the same as the method QUERY on `/contacts` (RFC 10008).
   *
   * Needs the permission `contacts:read`.
   */
  search(body: types.ContactSearch, options?: CallOptions): PagePromise<types.Contact>
  /**
   * Change a contact.
   *
   * Changes only the fields that you send. null clears a field.
   *
   * Needs the permission `contacts:write`.
   */
  update(contactId: string, body: types.ContactFields, options?: CallOptions): AnswerPromise<types.Contact>
  /**
   * Update the contact that matches, or create one.
   *
   * Sets the fields that you send. Values of list fields (addresses, numbers, domains, tags, external ids, contacts) are added to the lists. Concurrent upserts with the same key never create two records.
   *
   * Needs the permission `contacts:write`.
   */
  upsert(body: types.ContactUpsert, options?: CallOptions): AnswerPromise<types.UpsertedContact>
  readonly activity: ContactsActivityResource
  readonly imports: ContactsImportsResource
  readonly touches: ContactsTouchesResource
}

export interface ContactsActivityResource {
  /**
   * Read the timeline of a contact.
   *
   * Web events, calls, notes, tasks, changes, merges and pushes of the contact, and of the contacts that it absorbed, newest first. An item appears only if your permissions include its kind: `visitors:read`, `voice:read`, `notes:read`, `tasks:read`, `events:read` or `crm:read`. New items do not shift the pages.
   *
   * Needs the permission `contacts:read`.
   */
  list(contactId: string, query?: types.ListContactActivityQuery, options?: CallOptions): AnswerPromise<types.ActivityPage>
}

export interface ContactsImportsResource {
  /**
   * Import contacts from a CSV file or a spreadsheet.
   *
   * Send the file as text/csv (streamed, up to IMPORT_MAX_BYTES) or .xlsx, or the text of a CSV file as JSON. Columns are mapped by common header names, or by `mapping`; other columns go to `custom`, and so do values that do not fit their field, such as an unknown stage. With `match_on`, rows update the records that match. The rows are written in the background: poll GET /imports/{import_id}.
   *
   * Needs the permission `contacts:write`.
   */
  create(body: types.ContactImportRequest | FileBody, query?: types.ImportContactsQuery, options?: CallOptions): AnswerPromise<types.Import>
  /**
   * Inspect a file of contacts before its import.
   *
   * Send the file in the same way as for the import, or only its first 64 KiB. The answer shows how the import would read it: its encoding, its columns with their fields and samples, and a mapping to change and send. Send a spreadsheet as a whole; it may have up to 2 MiB. Creates nothing.
   *
   * Needs the permission `contacts:write`.
   */
  inspect(body: types.InspectRequest | FileBody, query?: types.InspectContactsFileQuery, options?: CallOptions): AnswerPromise<types.Inspection>
}

export interface ContactsTouchesResource {
  /**
   * Read where a contact came from first and last.
   *
   * The first web event of the contact, and the last one that says where the visit came from. They are events of its timeline. Visitors that only claim to be the contact count if there are no others.
   *
   * Needs the permission `visitors:read`.
   */
  get(contactId: string, options?: CallOptions): AnswerPromise<types.Touches>
}

export interface CrmResource {
  readonly connections: CrmConnectionsResource
  readonly contacts: CrmContactsResource
  readonly jobs: CrmJobsResource
  readonly leads: CrmLeadsResource
  readonly settings: CrmSettingsResource
}

export interface CrmConnectionsResource {
  /**
   * Connect a CRM.
   *
   * This sends nothing to the CRM. To test the connection, use POST …/test.
   *
   * Needs the permission `crm:manage`.
   */
  create(body: types.CreateCrmConnection, options?: CallOptions): AnswerPromise<types.CrmConnection>
  /**
   * Disconnect a CRM.
   *
   * Deletes the credentials, the links to the CRM and the records of its sandbox, and cancels running jobs. The CRM keeps its records, and the jobs stay readable.
   *
   * Needs the permission `crm:manage`.
   */
  delete(connectionId: string, options?: CallOptions): AnswerPromise<void>
  /**
   * Read a CRM connection.
   *
   * Needs the permission `crm:read`.
   */
  get(connectionId: string, options?: CallOptions): AnswerPromise<types.CrmConnection>
  /**
   * List the CRM connections.
   *
   * Newest first. The answer has the `url` and `username` of the credentials, and at most the last four characters of the others.
   *
   * Needs the permission `crm:read`.
   */
  list(query?: types.ListCrmConnectionsQuery, options?: CallOptions): PagePromise<types.CrmConnection>
  /**
   * Test a CRM connection.
   *
   * Asks the CRM whether a push would work: credentials, permissions, the field for the Crosswalk id, and every field that would be sent. The answer reports Leads and Contacts separately. The test writes nothing to the CRM.
   *
   * Needs the permission `crm:write`.
   */
  test(connectionId: string, options?: CallOptions): AnswerPromise<types.CrmConnectionTest>
  /**
   * Change a CRM connection.
   *
   * Changes only the fields that you send, also inside credentials and settings. A field_map replaces the old one.
   *
   * Needs the permission `crm:manage`.
   */
  update(connectionId: string, body: types.UpdateCrmConnection, options?: CallOptions): AnswerPromise<types.CrmConnection>
  readonly sandboxRecords: CrmConnectionsSandboxRecordsResource
}

export interface CrmConnectionsSandboxRecordsResource {
  /**
   * List the records of the sandbox.
   *
   * Records that pushes over this connection created in the sandbox: pushes of test keys, and of sandbox connections. Needs `contacts:read` as well.
   *
   * Needs the permission `crm:read`.
   */
  list(connectionId: string, query?: types.ListCrmSandboxRecordsQuery, options?: CallOptions): PagePromise<types.CrmSandboxRecord>
}

export interface CrmContactsResource {
  /**
   * Preview a push of Contacts.
   *
   * The number of people that a push would send, and five examples in the form in which they would be sent. A preview writes nothing. Needs `contacts:read` as well.
   *
   * Needs the permission `crm:read`.
   */
  preview(body: types.CrmPreviewRequest, options?: CallOptions): AnswerPromise<types.CrmPreview>
  /**
   * Push people as Contacts.
   *
   * The push runs in the background: poll GET /integrations/crm-sync/jobs/{job_id}. Each person is created once in the CRM, and then updated. If more people than the confirmation threshold would be pushed, the job ends with the status `refused`, unless large_population_confirmed is true.
   *
   * Needs the permission `crm:write`.
   */
  push(body: types.CrmPushRequest, options?: CallOptions): AnswerPromise<types.CrmJob>
}

export interface CrmJobsResource {
  /**
   * Cancel a CRM job.
   *
   * Batches that are under way are still completed. Canceling a job again changes nothing.
   *
   * Needs the permission `crm:write`.
   */
  cancel(jobId: string, options?: CallOptions): AnswerPromise<types.CrmJob>
  /**
   * Read the progress of a CRM job.
   *
   * Needs the permission `crm:read`.
   */
  get(jobId: string, options?: CallOptions): AnswerPromise<types.CrmJob>
  /**
   * List the CRM jobs.
   *
   * Newest first.
   *
   * Needs the permission `crm:read`.
   */
  list(query?: types.ListCrmJobsQuery, options?: CallOptions): PagePromise<types.CrmJob>
  /**
   * Retry a CRM job.
   *
   * Creates a new job for the people whose push failed, and for those whom the job did not reach.
   *
   * Needs the permission `crm:write`.
   */
  retry(jobId: string, options?: CallOptions): AnswerPromise<types.CrmJob>
  /** Polls the object until its work has succeeded or failed. Read the `status` of the result. */
  wait(id: string, options?: WaitOptions<types.CrmJob>): Promise<types.CrmJob>
  readonly items: CrmJobsItemsResource
}

export interface CrmJobsItemsResource {
  /**
   * List the people of a CRM job.
   *
   * Each person has an outcome. `outcome=failed` lists the people who were not pushed.
   *
   * Needs the permission `crm:read`.
   */
  list(jobId: string, query?: types.ListCrmJobItemsQuery, options?: CallOptions): PagePromise<types.CrmJobItem>
}

export interface CrmLeadsResource {
  /**
   * Preview a push of Leads.
   *
   * The number of people that a push would send, and five examples in the form in which they would be sent. A preview writes nothing. Needs `contacts:read` as well.
   *
   * Needs the permission `crm:read`.
   */
  preview(body: types.CrmPreviewRequest, options?: CallOptions): AnswerPromise<types.CrmPreview>
  /**
   * Push people as Leads.
   *
   * The push runs in the background: poll GET /integrations/crm-sync/jobs/{job_id}. Each person is created once in the CRM, and then updated. If more people than the confirmation threshold would be pushed, the job ends with the status `refused`, unless large_population_confirmed is true.
   *
   * Needs the permission `crm:write`.
   */
  push(body: types.CrmPushRequest, options?: CallOptions): AnswerPromise<types.CrmJob>
}

export interface CrmSettingsResource {
  /**
   * Read the CRM settings.
   *
   * Needs the permission `crm:read`.
   */
  get(options?: CallOptions): AnswerPromise<types.CrmSettings>
  /**
   * Change the CRM settings.
   *
   * Needs the permission `crm:manage`.
   */
  update(body: types.UpdateCrmSettings, options?: CallOptions): AnswerPromise<types.CrmSettings>
}

export interface DealsResource {
  /**
   * Archive a deal.
   *
   * Lists leave the record out. The record keeps all its data and can be restored.
   *
   * Needs the permission `deals:write`.
   */
  archive(dealId: string, options?: CallOptions): AnswerPromise<types.Deal>
  /**
   * Create, upsert, change, archive or restore up to 500 deals.
   *
   * An item with `deal_id` changes that record as PATCH does, or archives or restores it with `action`. Any other item is a record to create or, with `match_on`, to upsert. An item with an id may have the `version` that the record must have, like If-Match of PATCH. Items run in order: each item sees the changes of the items before it. An invalid item is reported as failed and does not affect the others. One answer lists at most 1,000 problems. For an item beyond these, `detail` is a text with the number of its problems.
   *
   * Needs the permission `deals:write`.
   */
  batch(body: types.DealBatch, options?: CallOptions): AnswerPromise<types.DealBatchOutcome[]>
  /**
   * Read up to 500 deals by id or key.
   *
   * Send exactly one of `ids`, `external_ids`. The answer has one item for each value, in the same order. An id also finds an archived deal. If the id belongs to a merged deal, `record` is its canonical record, and `status` is `merged`. A key finds active deals: `record` is the oldest one, and `other_ids` has up to 100 others. The request changes nothing, so an Idempotency-Key has no effect.
   *
   * Needs the permission `deals:read`.
   */
  batchRead(body: types.DealBatchRead, options?: CallOptions): AnswerPromise<types.DealBatchReadItem[]>
  /**
   * Close a deal as won or lost.
   *
   * Closing a deal again with the same status changes its reason, but not the time at which it was closed. To change won to lost or lost to won, reopen the deal first.
   *
   * Needs the permission `deals:write`.
   */
  close(dealId: string, body: types.CloseDeal, options?: CallOptions): AnswerPromise<types.Deal>
  /**
   * Create a deal.
   *
   * Needs the permission `deals:write`.
   */
  create(body: types.DealFields, options?: CallOptions): AnswerPromise<types.Deal>
  /**
   * Erase a deal permanently.
   *
   * Permanently removes all data of the record. After that, its id gets 404.
   *
   * Needs the permission `deals:manage`.
   */
  erase(dealId: string, options?: CallOptions): AnswerPromise<types.ErasedDeal>
  /**
   * Export deals as a file.
   *
   * Sends all deals that match the filters, from one snapshot of the data. The export accepts the filters and the `sort` of the list. A process runs one export at a time for each organization, and four in total; others wait for up to 20 s. The file is complete only if the answer ends properly: after a failure the server resets the connection. The server ends an export if the client reads nothing for 30 s, after 30 minutes, and soon after its API key is deleted or loses the permission. While other exports wait, the server ends the export of a client that reads less than 1 MiB a second.
   *
   * Needs the permission `deals:read`.
   */
  export(query?: types.ExportDealsQuery, options?: CallOptions): AnswerPromise<ReadableStream<Uint8Array>>
  /**
   * Read a deal.
   *
   * Also returns archived deals. If the id belongs to a merged deal, the answer is its canonical record, with Content-Location.
   *
   * Needs the permission `deals:read`.
   */
  get(dealId: string, query?: types.GetDealQuery, options?: CallOptions): AnswerPromise<types.Deal>
  /**
   * List deals.
   *
   * Newest first, unless you send `sort`. For the next page, send `pagination.next_cursor` as `cursor`.
   *
   * Each filter is `field=value` or `field[op]=value`, with `ne`, `gt`, `gte`, `lt`, `lte`, `in` (values with commas between them), `starts_with` or `is_null`; `custom.<key>=value` filters by a member of `custom`. A record must match all filters. An organization can run at most two lists at once that read many records. A third one gets a 429 with the code `expensive_query`.
   *
   * Needs the permission `deals:read`.
   */
  list(query?: types.ListDealsQuery, options?: CallOptions): PagePromise<types.Deal>
  /**
   * Reopen a closed deal.
   *
   * The deal keeps its stage. If this stage no longer exists, the deal gets the first stage.
   *
   * Needs the permission `deals:write`.
   */
  reopen(dealId: string, options?: CallOptions): AnswerPromise<types.Deal>
  /**
   * Restore an archived deal.
   *
   * Needs the permission `deals:write`.
   */
  restore(dealId: string, options?: CallOptions): AnswerPromise<types.Deal>
  /**
   * Search deals with a tree of conditions.
   *
   * Accepts the parameters of the list of deals as a JSON body, with `filter` as a tree of `and`, `or` and `not`. The tree has at most 8 levels, 100 conditions (each `and`, `or` and `not` counts as one), and at most 200 values in all lists together. The request changes nothing, so an Idempotency-Key has no effect. It does the same as the method QUERY on `/deals` (RFC 10008).
   *
   * Needs the permission `deals:read`.
   */
  search(body: types.DealSearch, options?: CallOptions): PagePromise<types.Deal>
  /**
   * Summarize the deals.
   *
   * The number and the total amount of open deals by stage, and of won and lost deals by month and by close reason. The sums are exact. Archived deals do not count.
   *
   * Needs the permission `deals:read`.
   */
  summarize(query?: types.SummarizeDealsQuery, options?: CallOptions): AnswerPromise<types.DealSummary>
  /**
   * Change a deal.
   *
   * Changes only the fields that you send. null clears a field.
   *
   * Needs the permission `deals:write`.
   */
  update(dealId: string, body: types.DealChanges, options?: CallOptions): AnswerPromise<types.Deal>
  /**
   * Update the deal that matches, or create one.
   *
   * Sets the fields that you send. Values of list fields (addresses, numbers, domains, tags, external ids, contacts) are added to the lists. Concurrent upserts with the same key never create two records.
   *
   * Needs the permission `deals:write`.
   */
  upsert(body: types.DealUpsert, options?: CallOptions): AnswerPromise<types.UpsertedDeal>
  readonly closeReasons: DealsCloseReasonsResource
  readonly stages: DealsStagesResource
}

export interface DealsCloseReasonsResource {
  /**
   * Archive a close reason.
   *
   * Deals that have the reason keep it, and no other deal can be closed with it. All later reasons move up by one.
   *
   * Needs the permission `close_reasons:manage`.
   */
  archive(closeReasonId: string, options?: CallOptions): AnswerPromise<types.CloseReason>
  /**
   * Create a close reason.
   *
   * Needs the permission `close_reasons:manage`.
   */
  create(body: types.CreateCloseReason, options?: CallOptions): AnswerPromise<types.CloseReason>
  /**
   * Read a close reason.
   *
   * Archived close reasons can be read, too.
   *
   * Needs the permission `deals:read` or `close_reasons:read`.
   */
  get(closeReasonId: string, options?: CallOptions): AnswerPromise<types.CloseReason>
  /**
   * List the close reasons.
   *
   * All close reasons in the order of their positions, without pages. `can_manage` says whether your API key may change them.
   *
   * Needs the permission `deals:read` or `close_reasons:read`.
   */
  list(query?: types.ListCloseReasonsQuery, options?: CallOptions): AnswerPromise<types.CloseReasonList>
  /**
   * Restore an archived close reason.
   *
   * The restored reason becomes the last one.
   *
   * Needs the permission `close_reasons:manage`.
   */
  restore(closeReasonId: string, options?: CallOptions): AnswerPromise<types.CloseReason>
  /**
   * Change or move a close reason.
   *
   * Only the fields that you send change. Deals that have the reason keep it, even if its outcome changes.
   *
   * Needs the permission `close_reasons:manage`.
   */
  update(closeReasonId: string, body: types.UpdateCloseReason, options?: CallOptions): AnswerPromise<types.CloseReason>
}

export interface DealsStagesResource {
  /**
   * Read the stages of deals.
   *
   * Needs the permission `deals:read`.
   */
  get(options?: CallOptions): AnswerPromise<types.DealStages>
  /**
   * Replace the stages of deals.
   *
   * Closed deals keep their stage, even if you remove it. A stage with open deals cannot be removed, unless `moves` says where they go.
   *
   * Needs the permission `deals:manage`.
   */
  replace(body: types.ReplaceDealStages, options?: CallOptions): AnswerPromise<types.DealStages>
}

export interface DuplicatesResource {
  readonly candidates: DuplicatesCandidatesResource
  readonly merges: DuplicatesMergesResource
  readonly proposals: DuplicatesProposalsResource
  readonly scans: DuplicatesScansResource
  readonly settings: DuplicatesSettingsResource
}

export interface DuplicatesCandidatesResource {
  /**
   * List the most similar records of a record.
   *
   * The most likely duplicates come first, with the probability, the evidence and the decision of the engine. The list also has records below the thresholds. It has up to 200 records that share a match key with the record, and the records of its open proposals. Until duplicate detection is on again, records that were written while it was off are found only by the same e-mail address, phone number, domain or external id. The API key also needs the read permission of the record type.
   *
   * Needs the permission `duplicates:read`.
   */
  list(query: types.ListDuplicateCandidatesQuery, options?: CallOptions): PagePromise<types.Candidate>
}

export interface DuplicatesMergesResource {
  /**
   * Merge records into one.
   *
   * All ids then lead to the survivor. Its blank fields are filled, lists are combined, and the stricter consent wins. Each merge can be undone separately; `undo_days` of the settings may limit the time. A dry run changes nothing: `record` shows the result, and the merges in the answer do not exist. The API key also needs the write permission of the record type, such as `contacts:write`.
   *
   * Needs the permission `duplicates:write`.
   */
  create(body: types.MergeRequest, options?: CallOptions): AnswerPromise<types.MergeResult>
  /**
   * Read a merge or a proposal.
   *
   * Also reads undone merges and closed proposals. The API key also needs the read permission of the record type.
   *
   * Needs the permission `duplicates:read`.
   */
  get(mergeId: string, options?: CallOptions): AnswerPromise<types.Merge>
  /**
   * List merges, and whether each can be undone.
   *
   * Newest first, including undone merges; `sort=-score` has the highest score first. The list has only the record types that the API key may read. `can_undo` says whether POST /duplicates/undo-merge/{id} would succeed now.
   *
   * Needs the permission `duplicates:read`.
   */
  list(query?: types.ListMergesQuery, options?: CallOptions): PagePromise<types.Merge>
  /**
   * Redo an undone merge.
   *
   * The merge returns to its old place in history. Writes since then stay. The API key also needs the write permission of the record type.
   *
   * Needs the permission `duplicates:write`.
   */
  redo(id: string, options?: CallOptions): AnswerPromise<types.Merge>
  /**
   * Undo a merge.
   *
   * Restores the loser as if this merge had never happened. Later edits, later merges and new references stay. The engine never proposes these two records again. The API key also needs the write permission of the record type.
   *
   * Needs the permission `duplicates:write`.
   */
  undo(id: string, body?: types.UndoMergeRequest, options?: CallOptions): AnswerPromise<types.UndoneMerge>
  /** Polls the object until its work has succeeded or failed. Read the `status` of the result. */
  wait(id: string, options?: WaitOptions<types.Merge>): Promise<types.Merge>
}

export interface DuplicatesProposalsResource {
  /**
   * Apply a proposed merge.
   *
   * The answer is the new merge, which you can undo like any other merge. The body may choose the record that stays and, for a field, the record that gives the value. The API key also needs the write permission of the record type.
   *
   * Needs the permission `duplicates:write`.
   */
  apply(id: string, body?: types.ProposalResult, options?: CallOptions): AnswerPromise<types.Merge>
  /**
   * Apply up to 500 proposed merges.
   *
   * The proposals are applied in order, in one transaction. An item that fails does not affect the others. If an earlier item has merged a record of a proposal, this proposal fails. The API key also needs the write permission of the record type.
   *
   * Needs the permission `duplicates:write`.
   */
  batchApply(body: types.ProposalIds, options?: CallOptions): AnswerPromise<types.AnsweredProposal[]>
  /**
   * Dismiss up to 500 proposed merges.
   *
   * The proposals are dismissed in one transaction. The two records of each proposal get the verdict "different". An item that fails does not affect the others. The API key also needs the write permission of the record type.
   *
   * Needs the permission `duplicates:write`.
   */
  batchDismiss(body: types.ProposalIds, options?: CallOptions): AnswerPromise<types.AnsweredProposal[]>
  /**
   * Dismiss a proposed merge.
   *
   * The two records get the verdict "different". The engine never proposes them again. The API key also needs the write permission of the record type.
   *
   * Needs the permission `duplicates:write`.
   */
  dismiss(id: string, options?: CallOptions): AnswerPromise<types.Merge>
  /**
   * Undo the dismissal of a proposal.
   *
   * The proposal is open again, and the verdict "different" about the two records is deleted. The engine closes the proposal if the two no longer match. The API key also needs the write permission of the record type.
   *
   * Needs the permission `duplicates:write`.
   */
  reopen(id: string, options?: CallOptions): AnswerPromise<types.Merge>
}

export interface DuplicatesScansResource {
  /**
   * Scan all records for duplicates.
   *
   * The scan runs in the background: poll GET /duplicates/scans/{scan_id}. The scan proposes or merges duplicates, depending on the settings. If a scan is already queued, the answer is the queued scan. While another scan runs, the new scan waits. The API key also needs the write permission of the record type.
   *
   * Needs the permission `duplicates:write`.
   */
  create(body: types.ScanRequest, options?: CallOptions): AnswerPromise<types.DuplicateScan>
  /**
   * Read the progress of a scan.
   *
   * Needs the permission `duplicates:read`.
   */
  get(scanId: string, options?: CallOptions): AnswerPromise<types.DuplicateScan>
  /**
   * List scans.
   *
   * Newest first. The list has only the record types that the API key may read.
   *
   * Needs the permission `duplicates:read`.
   */
  list(query?: types.ListScansQuery, options?: CallOptions): PagePromise<types.DuplicateScan>
  /** Polls the object until its work has succeeded or failed. Read the `status` of the result. */
  wait(id: string, options?: WaitOptions<types.DuplicateScan>): Promise<types.DuplicateScan>
}

export interface DuplicatesSettingsResource {
  /**
   * Read the settings for duplicates.
   *
   * Needs the permission `duplicates:read`.
   */
  get(options?: CallOptions): AnswerPromise<types.DuplicateSettings>
  /**
   * Preview settings for duplicates.
   *
   * Takes the body of PATCH /duplicates/settings, changes nothing, and shows what the engine would have done in the last seven days. The preview judges the pairs that the engine proposed or merged in this time. The API key also needs the read permission of each record type in the body.
   *
   * Needs the permission `duplicates:read`.
   */
  preview(body: types.ChangeDuplicateSettings, options?: CallOptions): AnswerPromise<types.SettingsPreviews>
  /**
   * Change the settings for duplicates.
   *
   * Changes only the settings that you send; null restores a default. The engine checks an open proposal again when one of its records changes, and in the next scan.
   *
   * Needs the permission `duplicates:manage`.
   */
  update(body: types.ChangeDuplicateSettings, options?: CallOptions): AnswerPromise<types.DuplicateSettings>
}

export interface EventsResource {
  /**
   * Follow the events.
   *
   * The next events after a cursor, oldest first. A reader that always sends the last `cursor` gets each event exactly once, and the events of one object in the order of its changes. The list of events cannot be followed in this way, because slow transactions commit late.
   *
   * Needs the permission `events:read`.
   */
  feed(query?: types.ReadEventFeedQuery, options?: CallOptions): AnswerPromise<types.EventFeed>
  /**
   * List the events.
   *
   * The audit log: one event for each change, committed together with the change. Newest first.
   *
   * Needs the permission `events:read`.
   */
  list(query?: types.ListEventsQuery, options?: CallOptions): PagePromise<types.Event>
  /**
   * Yields every event after a cursor, and waits for the next ones. It repeats requests that fail without end, and ends
   * when `signal` is aborted. Save the `cursor` of each event that you handled.
   */
  follow(options?: FollowOptions): AsyncGenerator<FollowedEvent, void, undefined>
}

export interface FieldsResource {
  /**
   * Define a field.
   *
   * From now on, every write of this member of `custom` must fit the type: from the API, imports and tools. Text is converted if its meaning is clear: "5" as a number, "yes" as true, "gold" as the option "Gold". null and empty text remove the value.
   *
   * Needs the permission `organization:manage`.
   */
  create(body: types.CreateField, options?: CallOptions): AnswerPromise<types.Field>
  /**
   * Delete the definition of a field.
   *
   * Records keep their values in `custom`, and the member accepts any JSON again.
   *
   * Needs the permission `organization:manage`.
   */
  delete(fieldId: string, options?: CallOptions): AnswerPromise<void>
  /**
   * Read the definition of a field.
   *
   * Needs the permission `contacts:read` or `companies:read` or `deals:read`.
   */
  get(fieldId: string, options?: CallOptions): AnswerPromise<types.Field>
  /**
   * List the defined fields.
   *
   * The definitions of members of `custom`, without pages. `can_manage` says whether your API key may change them.
   *
   * Needs the permission `contacts:read` or `companies:read` or `deals:read`.
   */
  list(query?: types.ListFieldsQuery, options?: CallOptions): AnswerPromise<types.FieldList>
  /**
   * Change or move a field.
   *
   * Only the fields that you send change. With another type or fewer options, the values of all records are checked first. Values stay unchanged unless you send `"existing": "convert"`: then a job converts them. `rename_options` renames options, and a job changes the value in all records. `conversion` counts the records.
   *
   * Needs the permission `organization:manage`.
   */
  update(fieldId: string, body: types.UpdateField, options?: CallOptions): AnswerPromise<types.Field>
}

export interface FormsResource {
  /**
   * Create a form.
   *
   * A form asks visitors of web pages for answers. Its fields can fill fields of contacts. A submission writes only the own contact of the visitor, never another one.
   *
   * Needs the permission `forms:write`.
   */
  create(body: types.CreateForm, options?: CallOptions): AnswerPromise<types.Form>
  /**
   * Delete a form without submissions.
   *
   * Needs the permission `forms:manage`.
   */
  delete(formId: string, options?: CallOptions): AnswerPromise<void>
  /**
   * Read a form.
   *
   * Needs the permission `forms:read`.
   */
  get(formId: string, options?: CallOptions): AnswerPromise<types.Form>
  /**
   * List the forms.
   *
   * All forms, the newest first, without pages.
   *
   * Needs the permission `forms:read`.
   */
  list(options?: CallOptions): AnswerPromise<types.Form[]>
  /**
   * Revert the submissions of a time window.
   *
   * Contacts that only these submissions made are archived in the background. Nothing else changes: contacts that somebody changed, merged or confirmed stay. A submission can be restored.
   *
   * Needs the permission `forms:manage`.
   */
  revert(formId: string, body: types.RevertForm, options?: CallOptions): AnswerPromise<types.RevertedForm>
  /**
   * Change a form.
   *
   * Only the members that you send change. `fields` replaces all fields. Each change makes a version, and earlier submissions keep the version that the person saw.
   *
   * Needs the permission `forms:write`.
   */
  update(formId: string, body: types.UpdateForm, options?: CallOptions): AnswerPromise<types.Form>
  /**
   * List the versions of a form.
   *
   * The last 200 versions, the newest first, without pages.
   *
   * Needs the permission `forms:read`.
   */
  versions(formId: string, options?: CallOptions): AnswerPromise<types.FormVersion[]>
  readonly submissions: FormsSubmissionsResource
}

export interface FormsSubmissionsResource {
  /**
   * Read a submission.
   *
   * Needs the permission `forms:read`.
   */
  get(submissionId: string, options?: CallOptions): AnswerPromise<types.FormSubmission>
  /**
   * List the submissions of forms.
   *
   * Newest first, including spam. Send `status=accepted` to leave spam out.
   *
   * Needs the permission `forms:read`.
   */
  list(query?: types.ListFormSubmissionsQuery, options?: CallOptions): PagePromise<types.FormSubmission>
  /**
   * Accept a submission that is spam or reverted.
   *
   * The submission writes the own contact of its visitor, as if it had just arrived.
   *
   * Needs the permission `forms:write`.
   */
  restore(submissionId: string, options?: CallOptions): AnswerPromise<types.FormSubmission>
  /**
   * Mark a submission as spam.
   *
   * Archives the contact that only this submission made, unless somebody changed it. Spam is deleted 30 days after it arrived.
   *
   * Needs the permission `forms:write`.
   */
  spam(submissionId: string, options?: CallOptions): AnswerPromise<types.FormSubmission>
}

export interface ImportsResource {
  /**
   * Cancel an import.
   *
   * Ends an import that waits or runs. The records that it has written stay, and the import can be reverted. Canceling an import again changes nothing.
   *
   * Needs the permission `contacts:write` or `companies:write`.
   */
  cancel(importId: string, options?: CallOptions): AnswerPromise<types.Import>
  /**
   * Read the progress of an import.
   *
   * Needs the permission `contacts:read` or `companies:read`.
   */
  get(importId: string, options?: CallOptions): AnswerPromise<types.Import>
  /**
   * List the imports.
   *
   * Newest first. The list has the imports of contacts, of companies or of both, depending on what the API key may read.
   *
   * Needs the permission `contacts:read` or `companies:read`.
   */
  list(query?: types.ListImportsQuery, options?: CallOptions): PagePromise<types.Import>
  /**
   * Revert an import.
   *
   * Archives the records that the import created, and restores the values that it changed in others. The revert runs in the background. Values that changed after the import are kept; `kept` counts these records.
   *
   * Needs the permission `contacts:manage` or `companies:manage`.
   */
  revert(importId: string, options?: CallOptions): AnswerPromise<types.Import>
  /** Polls the object until its work has succeeded or failed. Read the `status` of the result. */
  wait(id: string, options?: WaitOptions<types.Import>): Promise<types.Import>
  readonly rows: ImportsRowsResource
}

export interface ImportsRowsResource {
  /**
   * Export the refused rows as a CSV file.
   *
   * The columns `line`, `code` and `reason`, in the order of the imported file. An apostrophe precedes texts that a spreadsheet would take for formulas.
   *
   * Needs the permission `contacts:read` or `companies:read`.
   */
  export(importId: string, options?: CallOptions): AnswerPromise<ReadableStream<Uint8Array>>
  /**
   * List the refused rows with the reasons.
   *
   * In the order of the file. GET /contacts?import_id=… (or /companies) lists the created records.
   *
   * Needs the permission `contacts:read` or `companies:read`.
   */
  list(importId: string, query?: types.ListImportRowsQuery, options?: CallOptions): PagePromise<types.RefusedRow>
}

export interface NotesResource {
  /**
   * Write a note.
   *
   * The note is about one contact, company or deal. It is erased together with this record.
   *
   * Needs the permission `notes:write`.
   */
  create(body: types.CreateNote, options?: CallOptions): AnswerPromise<types.Note>
  /**
   * Delete a note.
   *
   * A deleted note cannot be restored.
   *
   * Needs the permission `notes:write`.
   */
  delete(noteId: string, options?: CallOptions): AnswerPromise<void>
  /**
   * Read a note.
   *
   * Needs the permission `notes:read`.
   */
  get(noteId: string, options?: CallOptions): AnswerPromise<types.Note>
  /**
   * List the notes.
   *
   * Newest first. With `record_id`, the notes of a record and of all records that are merged with it.
   *
   * Needs the permission `notes:read`.
   */
  list(query?: types.ListNotesQuery, options?: CallOptions): PagePromise<types.Note>
  /**
   * Change the text of a note.
   *
   * The author stays the same. The events say who changed the text.
   *
   * Needs the permission `notes:write`.
   */
  update(noteId: string, body: types.UpdateNote, options?: CallOptions): AnswerPromise<types.Note>
}

export interface OrganizationResource {
  /**
   * Read the organization and the API key of this request.
   *
   * Every key may do this, whatever its permissions.
   */
  get(options?: CallOptions): AnswerPromise<types.Identity>
  /**
   * Change the name or default country.
   *
   * Changes the organization that the request acts on.
   *
   * Needs the permission `organization:write`.
   */
  update(body: types.UpdateOrganization, options?: CallOptions): AnswerPromise<types.Identity>
  readonly agencies: OrganizationAgenciesResource
}

export interface OrganizationAgenciesResource {
  /**
   * Accept the invitation of an agency.
   *
   * The agency can then do everything in the organization, with X-Target-Org-Id. This works at once on this node, and within 2 seconds on others. The call needs an API key of the organization itself with all permissions.
   *
   * Needs the permission `organization:manage`.
   */
  accept(body: types.AcceptAgencyInvitation, options?: CallOptions): AnswerPromise<types.Agency>
  /**
   * List the agencies that can act on the organization.
   *
   * Needs the permission `organization:read`.
   */
  list(query?: types.ListAgenciesQuery, options?: CallOptions): PagePromise<types.Agency>
  /**
   * Read which agency sent an invitation.
   *
   * Shows the agency that made the invitation, and changes nothing. It has the requirements and the errors of `POST /organization/agencies`.
   *
   * Needs the permission `organization:manage`.
   */
  preview(body: types.AcceptAgencyInvitation, options?: CallOptions): AnswerPromise<types.PreviewedAgency>
  /**
   * Cut the link to an agency.
   *
   * The agency can no longer act on the organization: at once on this node, and within 2 seconds on others. API keys that the agency created in the organization still work, unless you send `revoke_keys=true`. This also deletes its keys in the sandboxes of the organization. Members whom its people invited remain. The answer lists both: `DELETE /api-keys/{api_key_id}` deletes a key, and an owner or admin removes members in the console. Open invitations of its people stop working.
   *
   * Needs the permission `organization:manage`.
   */
  unlink(orgId: string, query?: types.CutAgencyQuery, options?: CallOptions): AnswerPromise<types.CutAgency>
}

export interface OwnersResource {
  /**
   * Count the records of an owner.
   *
   * Needs the permission `contacts:read` or `companies:read` or `deals:read`.
   */
  get(ownerId: string, options?: CallOptions): AnswerPromise<types.OwnerRecords>
  /**
   * List the members who can own records.
   *
   * All members of the organization, by name, without pages. A contact, company or deal has at most one of them as its owner: write `owner_id` or `owner_email`.
   *
   * Needs the permission `contacts:read` or `companies:read` or `deals:read`.
   */
  list(options?: CallOptions): AnswerPromise<types.Owner[]>
  /**
   * Give all records of an owner to another member.
   *
   * A background job changes all active and archived contacts, companies and deals of the member, as far as you may write them. The answer counts them. Each record gets a new version and an event. GET /owners/{owner_id} counts the records that are left.
   *
   * Needs the permission `contacts:write` or `companies:write` or `deals:write`.
   */
  reassign(ownerId: string, body: types.Reassign, options?: CallOptions): AnswerPromise<types.OwnerRecords>
}

export interface PersonasResource {
  /**
   * Activate a draft.
   *
   * Needs the permission `personas:write`.
   */
  activate(personaId: string, options?: CallOptions): AnswerPromise<types.Persona>
  /**
   * Archive a persona.
   *
   * An archived persona leaves the list, and new calls cannot use it. Calls and mailboxes that already use the persona keep it. You can restore the persona. Archiving it again changes nothing.
   *
   * Needs the permission `personas:write`.
   */
  archive(personaId: string, options?: CallOptions): AnswerPromise<types.Persona>
  /**
   * Create a persona.
   *
   * A new persona is a draft until you activate it.
   *
   * Needs the permission `personas:write`.
   */
  create(body: types.CreatePersona, options?: CallOptions): AnswerPromise<types.Persona>
  /**
   * Read a persona.
   *
   * Archived personas can be read, too.
   *
   * Needs the permission `personas:read`.
   */
  get(personaId: string, options?: CallOptions): AnswerPromise<types.Persona>
  /**
   * List the personas.
   *
   * Newest first. The list leaves out archived personas unless you send `status=archived`.
   *
   * Needs the permission `personas:read`.
   */
  list(query?: types.ListPersonasQuery, options?: CallOptions): PagePromise<types.Persona>
  /**
   * Restore an archived persona.
   *
   * The persona gets its earlier status back: draft or active.
   *
   * Needs the permission `personas:write`.
   */
  restore(personaId: string, options?: CallOptions): AnswerPromise<types.Persona>
  /**
   * Change a persona.
   *
   * Only the fields that you send change. null clears a field.
   *
   * Needs the permission `personas:write`.
   */
  update(personaId: string, body: types.UpdatePersona, options?: CallOptions): AnswerPromise<types.Persona>
}

export interface SandboxesResource {
  /**
   * Create a sandbox.
   *
   * A sandbox is a throw-away organization for trials. It has records of its own, and only test keys, so every call, CRM push and signature install in it is simulated. Only this answer has the token of its first key. A sandbox shares the rate limit of the organization that made it.
   *
   * Needs the permission `organization:manage`.
   */
  create(body: types.CreateSandbox, options?: CallOptions): AnswerPromise<types.CreatedSandbox>
  /**
   * Delete a sandbox.
   *
   * Its API keys are refused at once on this node, and within 2 seconds on others. Its write keys, forms and webhook endpoints end with it. Its records are deleted in the background.
   *
   * Needs the permission `organization:manage`.
   */
  delete(orgId: string, options?: CallOptions): AnswerPromise<void>
  /**
   * Read a sandbox.
   *
   * Needs the permission `organization:read`.
   */
  get(orgId: string, options?: CallOptions): AnswerPromise<types.Sandbox>
  /**
   * List the sandboxes.
   *
   * The newest first, without tokens.
   *
   * Needs the permission `organization:read`.
   */
  list(query?: types.ListSandboxesQuery, options?: CallOptions): PagePromise<types.Sandbox>
  /** Polls the object until its work has succeeded or failed. Read the `status` of the result. */
  wait(id: string, options?: WaitOptions<types.Sandbox>): Promise<types.Sandbox>
}

export interface SegmentsResource {
  /**
   * Create a segment.
   *
   * A segment is a named filter. Lists, exports and pushes accept its id as `segment_id`. It needs the write permission of its records, such as `contacts:write`.
   *
   * Needs the permission `contacts:write` or `companies:write` or `deals:write`.
   */
  create(body: types.CreateSegment, options?: CallOptions): AnswerPromise<types.Segment>
  /**
   * Delete a segment.
   *
   * The records stay.
   *
   * Needs the permission `contacts:write` or `companies:write` or `deals:write`.
   */
  delete(segmentId: string, options?: CallOptions): AnswerPromise<void>
  /**
   * Read a segment.
   *
   * If the count of its records is old, Crosswalk counts them again in the background.
   *
   * Needs the permission `contacts:read` or `companies:read` or `deals:read`.
   */
  get(segmentId: string, options?: CallOptions): AnswerPromise<types.Segment>
  /**
   * List the segments.
   *
   * The segments of records that your API key may read, by their records and names, without pages.
   *
   * Needs the permission `contacts:read` or `companies:read` or `deals:read`.
   */
  list(query?: types.ListSegmentsQuery, options?: CallOptions): AnswerPromise<types.SegmentList>
  /**
   * Change a segment.
   *
   * Only the fields that you send change. null removes the filter, the words or the order.
   *
   * Needs the permission `contacts:write` or `companies:write` or `deals:write`.
   */
  update(segmentId: string, body: types.UpdateSegment, options?: CallOptions): AnswerPromise<types.Segment>
}

export interface SignaturesResource {
  readonly mailboxes: SignaturesMailboxesResource
  readonly pushes: SignaturesPushesResource
  readonly rollouts: SignaturesRolloutsResource
  readonly settings: SignaturesSettingsResource
  readonly templates: SignaturesTemplatesResource
}

export interface SignaturesMailboxesResource {
  /**
   * Add a mailbox.
   *
   * Nothing is installed until you push the mailbox.
   *
   * Needs the permission `signatures:write`.
   */
  create(body: types.CreateMailbox, options?: CallOptions): AnswerPromise<types.Mailbox>
  /**
   * Delete a mailbox.
   *
   * The installed signature stays at the provider.
   *
   * Needs the permission `signatures:write`.
   */
  delete(mailboxId: number, options?: CallOptions): AnswerPromise<void>
  /**
   * Read a mailbox.
   *
   * Needs the permission `signatures:read`.
   */
  get(mailboxId: number, options?: CallOptions): AnswerPromise<types.Mailbox>
  /**
   * List the mailboxes.
   *
   * Newest first. `deployment` shows the pushes by API keys of your mode.
   *
   * Needs the permission `signatures:read`.
   */
  list(query?: types.ListMailboxesQuery, options?: CallOptions): PagePromise<types.Mailbox>
  /**
   * See what a mailbox's next push would install.
   *
   * The compiled signature, with warnings about what mail programs reject.
   *
   * Needs the permission `signatures:read`.
   */
  preview(mailboxId: number, options?: CallOptions): AnswerPromise<types.SignaturePreview>
  /**
   * Install the signature of a mailbox.
   *
   * Queues a push, which compiles and installs the signature. GET /signatures/pushes/{push_id} shows its status. The push installs the mailbox’s version when the install begins: this one or a newer one.
   *
   * Needs the permission `signatures:write`.
   */
  push(mailboxId: number, body: types.PushMailbox, options?: CallOptions): AnswerPromise<types.QueuedPush>
  /**
   * Change a mailbox.
   *
   * Only the fields that you send change. Nothing is installed until you push the mailbox.
   *
   * Needs the permission `signatures:write`.
   */
  update(mailboxId: number, body: types.UpdateMailbox, options?: CallOptions): AnswerPromise<types.Mailbox>
  readonly sandbox: SignaturesMailboxesSandboxResource
}

export interface SignaturesMailboxesSandboxResource {
  /**
   * Read the signature in the sandbox.
   *
   * The signature that is in the sandbox now. It comes from the last push in the mode (live or test) of your API key.
   *
   * Needs the permission `signatures:read`.
   */
  get(mailboxId: number, options?: CallOptions): AnswerPromise<types.SandboxSignature>
}

export interface SignaturesPushesResource {
  /**
   * Read the status of a push.
   *
   * Needs the permission `signatures:read`.
   */
  get(pushId: string, options?: CallOptions): AnswerPromise<types.SignaturePush>
  /**
   * List the pushes of signatures.
   *
   * Newest first.
   *
   * Needs the permission `signatures:read`.
   */
  list(query?: types.ListSignaturePushesQuery, options?: CallOptions): PagePromise<types.SignaturePush>
  /** Polls the object until its work has succeeded or failed. Read the `status` of the result. */
  wait(id: string, options?: WaitOptions<types.SignaturePush>): Promise<types.SignaturePush>
}

export interface SignaturesRolloutsResource {
  /**
   * Read the status of a rollout.
   *
   * A rollout is the push of a template to all its mailboxes.
   *
   * Needs the permission `signatures:read`.
   */
  get(rolloutId: string, options?: CallOptions): AnswerPromise<types.SignatureRollout>
  /** Polls the object until its work has succeeded or failed. Read the `status` of the result. */
  wait(id: string, options?: WaitOptions<types.SignatureRollout>): Promise<types.SignatureRollout>
}

export interface SignaturesSettingsResource {
  /**
   * Read the signature settings.
   *
   * The answer never contains private keys.
   *
   * Needs the permission `signatures:read`.
   */
  get(options?: CallOptions): AnswerPromise<types.SignatureSettings>
  /**
   * Change the signature settings.
   *
   * Stores the credentials of a provider; null deletes them.
   *
   * Needs the permission `signatures:manage`.
   */
  update(body: types.UpdateSignatureSettings, options?: CallOptions): AnswerPromise<types.SignatureSettings>
}

export interface SignaturesTemplatesResource {
  /**
   * Create a signature template.
   *
   * A template is Liquid and HTML. A template that cannot be read, or that is too long with any data, gets 422.
   *
   * Needs the permission `signatures:write`.
   */
  create(body: types.CreateSignatureTemplate, options?: CallOptions): AnswerPromise<types.SignatureTemplate>
  /**
   * Delete a signature template.
   *
   * A template that a mailbox uses cannot be deleted.
   *
   * Needs the permission `signatures:write`.
   */
  delete(templateId: string, options?: CallOptions): AnswerPromise<void>
  /**
   * Read a signature template.
   *
   * Needs the permission `signatures:read`.
   */
  get(templateId: string, options?: CallOptions): AnswerPromise<types.SignatureTemplate>
  /**
   * List the signature templates.
   *
   * Newest first.
   *
   * Needs the permission `signatures:read`.
   */
  list(query?: types.ListSignatureTemplatesQuery, options?: CallOptions): PagePromise<types.SignatureTemplate>
  /**
   * See what a template looks like before you store it.
   *
   * Compiles the template that you send, with the data of a mailbox. A template that cannot be read gets 422; the message ends with the line and the column. The request changes nothing, so an Idempotency-Key has no effect.
   *
   * Needs the permission `signatures:read`.
   */
  preview(body: types.PreviewSignatureTemplate, options?: CallOptions): AnswerPromise<types.SignatureTemplatePreview>
  /**
   * Push a template to all its mailboxes.
   *
   * Queues a push for every mailbox that uses the template. GET /signatures/rollouts/{rollout_id} counts these pushes by status; GET /signatures/pushes?rollout_id=… lists them.
   *
   * Needs the permission `signatures:write`.
   */
  push(templateId: string, body: types.PushTemplate, options?: CallOptions): AnswerPromise<types.SignatureRollout>
  /**
   * Change a signature template.
   *
   * Only the fields that you send change. The versions of all mailboxes of the template rise, unless only the name changes. Nothing is installed until you push.
   *
   * Needs the permission `signatures:write`.
   */
  update(templateId: string, body: types.UpdateSignatureTemplate, options?: CallOptions): AnswerPromise<types.SignatureTemplate>
}

export interface TasksResource {
  /**
   * Complete a task.
   *
   * The task shows when it was completed, and by whom.
   *
   * Needs the permission `tasks:write`.
   */
  complete(taskId: string, options?: CallOptions): AnswerPromise<types.Task>
  /**
   * Create a task.
   *
   * The task is about one contact, company or deal. It is erased together with this record.
   *
   * Needs the permission `tasks:write`.
   */
  create(body: types.CreateTask, options?: CallOptions): AnswerPromise<types.Task>
  /**
   * Delete a task.
   *
   * A deleted task cannot be restored. To keep it, complete it.
   *
   * Needs the permission `tasks:write`.
   */
  delete(taskId: string, options?: CallOptions): AnswerPromise<void>
  /**
   * Read a task.
   *
   * Needs the permission `tasks:read`.
   */
  get(taskId: string, options?: CallOptions): AnswerPromise<types.Task>
  /**
   * List the tasks.
   *
   * Open tasks, the earliest due day first. `assignee=me` lists the tasks of the person who is signed in. With `record_id`, the tasks of a record and of all records that are merged with it.
   *
   * Needs the permission `tasks:read`.
   */
  list(query?: types.ListTasksQuery, options?: CallOptions): PagePromise<types.Task>
  /**
   * Reopen a completed task.
   *
   * The task keeps its assignee and its due day.
   *
   * Needs the permission `tasks:write`.
   */
  reopen(taskId: string, options?: CallOptions): AnswerPromise<types.Task>
  /**
   * Change or assign a task.
   *
   * Only the fields that you send change. Completed tasks can be changed too.
   *
   * Needs the permission `tasks:write`.
   */
  update(taskId: string, body: types.UpdateTask, options?: CallOptions): AnswerPromise<types.Task>
}

export interface TrackingResource {
  readonly events: TrackingEventsResource
  readonly identitySecret: TrackingIdentitySecretResource
  readonly reports: TrackingReportsResource
  readonly settings: TrackingSettingsResource
  readonly snippet: TrackingSnippetResource
  readonly usage: TrackingUsageResource
}

export interface TrackingEventsResource {
  /**
   * List the latest web events.
   *
   * Newest first by the time of receipt. With a filter, a page examines at most 10,000 events. So it may have fewer events than `limit`, or none, while `next_cursor` leads to older ones.
   *
   * Needs the permission `tracking:read`.
   */
  list(query?: types.ListWebEventsQuery, options?: CallOptions): AnswerPromise<types.WebEventPage>
}

export interface TrackingIdentitySecretResource {
  /**
   * Delete the identity secret.
   *
   * From then on, an identify call of a page is only a claim. Links that exist stay.
   *
   * Needs the permission `tracking:manage`.
   */
  delete(options?: CallOptions): AnswerPromise<void>
  /**
   * Read the state of the identity secret.
   *
   * The secret itself is shown only when it is made.
   *
   * Needs the permission `tracking:read`.
   */
  get(options?: CallOptions): AnswerPromise<types.IdentitySecret>
  /**
   * Make or replace the identity secret.
   *
   * With this secret, your server signs who its users are. An identify call with such a proof confirms who the visitor is. Without a proof, it is only a claim. The answer shows the secret once. The old secret is accepted for `grace_seconds` more: by default 7 days.
   *
   * Needs the permission `tracking:manage`.
   */
  rotate(body?: types.RotateIdentitySecret, options?: CallOptions): AnswerPromise<types.NewIdentitySecret>
}

export interface TrackingReportsResource {
  /**
   * Read the views by `utm_campaign`.
   *
   * Reports count the live events of people by the UTC hour in which they happened. Events of test keys and of bots are left out. The numbers are exact: they commit together with the events, and an erasure subtracts them. Reports go as far back as the stored events. The report of forms counts accepted live submissions.
   *
   * Needs the permission `tracking:read`.
   */
  campaigns(query?: types.GetCampaignsReportQuery, options?: CallOptions): AnswerPromise<types.TrackingReport>
  /**
   * Read the most frequent track events.
   *
   * Reports count the live events of people by the UTC hour in which they happened. Events of test keys and of bots are left out. The numbers are exact: they commit together with the events, and an erasure subtracts them. Reports go as far back as the stored events. The report of forms counts accepted live submissions.
   *
   * Needs the permission `tracking:read`.
   */
  events(query?: types.GetEventsReportQuery, options?: CallOptions): AnswerPromise<types.TrackingReport>
  /**
   * Read which forms were submitted most.
   *
   * Reports count the live events of people by the UTC hour in which they happened. Events of test keys and of bots are left out. The numbers are exact: they commit together with the events, and an erasure subtracts them. Reports go as far back as the stored events. The report of forms counts accepted live submissions.
   *
   * Needs the permission `tracking:read`.
   */
  forms(query?: types.GetFormsReportQuery, options?: CallOptions): AnswerPromise<types.TrackingReport>
  /**
   * Read how many visitors did some steps in order.
   *
   * Counts the visitors who did two to five steps in their order, each step after the previous one. The number is computed from the events of the range, so a repeated event counts once. If it takes longer than 10 s, the answer is a 400 with the code `query_too_slow`. The request changes nothing, so an Idempotency-Key has no effect.
   *
   * Needs the permission `tracking:read`.
   */
  funnel(body: types.FunnelQuery, options?: CallOptions): AnswerPromise<types.Funnel>
  /**
   * Read the numbers of views, visitors, sessions and events.
   *
   * Reports count the live events of people by the UTC hour in which they happened. Events of test keys and of bots are left out. The numbers are exact: they commit together with the events, and an erasure subtracts them. Reports go as far back as the stored events. The report of forms counts accepted live submissions.
   *
   * Needs the permission `tracking:read`.
   */
  overview(query?: types.GetOverviewReportQuery, options?: CallOptions): AnswerPromise<types.TrackingOverview>
  /**
   * Read the most viewed pages.
   *
   * Reports count the live events of people by the UTC hour in which they happened. Events of test keys and of bots are left out. The numbers are exact: they commit together with the events, and an erasure subtracts them. Reports go as far back as the stored events. The report of forms counts accepted live submissions.
   *
   * Needs the permission `tracking:read`.
   */
  pages(query?: types.GetPagesReportQuery, options?: CallOptions): AnswerPromise<types.TrackingReport>
  /**
   * Read which sites linked to the viewed pages.
   *
   * Reports count the live events of people by the UTC hour in which they happened. Events of test keys and of bots are left out. The numbers are exact: they commit together with the events, and an erasure subtracts them. Reports go as far back as the stored events. The report of forms counts accepted live submissions.
   *
   * Needs the permission `tracking:read`.
   */
  referrers(query?: types.GetReferrersReportQuery, options?: CallOptions): AnswerPromise<types.TrackingReport>
  /**
   * Read the views by `utm_source`.
   *
   * Reports count the live events of people by the UTC hour in which they happened. Events of test keys and of bots are left out. The numbers are exact: they commit together with the events, and an erasure subtracts them. Reports go as far back as the stored events. The report of forms counts accepted live submissions.
   *
   * Needs the permission `tracking:read`.
   */
  sources(query?: types.GetSourcesReportQuery, options?: CallOptions): AnswerPromise<types.TrackingReport>
}

export interface TrackingSettingsResource {
  /**
   * Read the tracking settings.
   *
   * Needs the permission `tracking:read`.
   */
  get(options?: CallOptions): AnswerPromise<types.TrackingSettings>
  /**
   * Change the tracking settings.
   *
   * Only the fields that you send change. A shorter `retention_days` deletes older events within minutes, permanently.
   *
   * Needs the permission `tracking:manage`.
   */
  update(body: types.UpdateTrackingSettings, options?: CallOptions): AnswerPromise<types.TrackingSettings>
}

export interface TrackingSnippetResource {
  /**
   * Read the HTML with which a page sends events.
   *
   * Put it into the head of each page. The page keeps working if a visitor blocks the script.
   *
   * Needs the permission `tracking:read`.
   */
  get(query: types.GetTrackingSnippetQuery, options?: CallOptions): AnswerPromise<types.TrackingSnippet>
}

export interface TrackingUsageResource {
  /**
   * Read how many events were stored, dropped or refused.
   *
   * The numbers of accepted, duplicate and dropped events in each hour or day are exact: they commit together with the events. Refused requests are counted within 3 s.
   *
   * Needs the permission `tracking:read`.
   */
  get(query?: types.GetTrackingUsageQuery, options?: CallOptions): AnswerPromise<types.TrackingUsage>
}

export interface UsageResource {
  /**
   * Read the usage of the organization.
   *
   * The numbers of requests, calls and events in each hour or day, of your organization and mode. Each series has every step.
   *
   * Needs the permission `organization:read`.
   */
  get(query?: types.GetUsageQuery, options?: CallOptions): AnswerPromise<types.Usage>
}

export interface VisitorsResource {
  /**
   * Erase a visitor permanently.
   *
   * Permanently removes all events of the visitor. For 30 days, the server refuses events of the visitor that are sent again, or that happened before the erasure.
   *
   * Needs the permission `visitors:write`.
   */
  erase(visitorId: string, options?: CallOptions): AnswerPromise<types.ErasedVisitor>
  /**
   * Read a visitor.
   *
   * Needs the permission `visitors:read`.
   */
  get(visitorId: string, query?: types.GetVisitorQuery, options?: CallOptions): AnswerPromise<types.IdentifiedVisitor>
  /**
   * List the visitors of web pages.
   *
   * A visitor is a browser or an app that sends an `anonymousId`. Programs, and people who refuse analytics, are not in the list.
   *
   * Needs the permission `visitors:read`.
   */
  list(query?: types.ListVisitorsQuery, options?: CallOptions): AnswerPromise<types.VisitorPage>
  readonly claims: VisitorsClaimsResource
  readonly events: VisitorsEventsResource
  readonly links: VisitorsLinksResource
  readonly sessions: VisitorsSessionsResource
}

export interface VisitorsClaimsResource {
  /**
   * Accept a claim of a visitor.
   *
   * Links the visitor to the person, and merges the own contact of the visitor into the contact of the person. An undo of the merge separates the two contacts. If the person has no contact, the own contact becomes the person’s contact. Also needs `contacts:write`.
   *
   * Needs the permission `visitors:write`.
   */
  accept(visitorId: string, body: types.AcceptClaim, query?: types.AcceptVisitorClaimQuery, options?: CallOptions): AnswerPromise<types.VisitorIdentity>
}

export interface VisitorsEventsResource {
  /**
   * List the events of a visitor.
   *
   * Newest first by the time when they happened.
   *
   * Needs the permission `visitors:read`.
   */
  list(visitorId: string, query?: types.ListVisitorEventsQuery, options?: CallOptions): AnswerPromise<types.VisitorEventPage>
}

export interface VisitorsLinksResource {
  /**
   * Undo a link or a claim of a visitor.
   *
   * The anonymous events of the visitor no longer belong to this person. An event that has a `userId` stays with the person whom it names. A later identify call of the same person links the visitor again. Merges of contacts stay: undo them with `POST /duplicates/undo-merge/{id}`.
   *
   * Needs the permission `visitors:write`.
   */
  undo(visitorId: string, linkId: string, query?: types.UndoVisitorLinkQuery, options?: CallOptions): AnswerPromise<types.VisitorIdentity>
}

export interface VisitorsSessionsResource {
  /**
   * List the sessions of a visitor.
   *
   * Newest first. A session ends after 30 minutes without an event, or when the visitor comes back from another campaign. A page is made from at most 2,000 events. So it may have fewer sessions than `limit`, and a session of more than 2,000 events is shown in parts.
   *
   * Needs the permission `visitors:read`.
   */
  list(visitorId: string, query?: types.ListVisitorSessionsQuery, options?: CallOptions): AnswerPromise<types.VisitorSessionPage>
}

export interface VoiceResource {
  readonly calls: VoiceCallsResource
  readonly numbers: VoiceNumbersResource
  readonly settings: VoiceSettingsResource
  readonly suppressions: VoiceSuppressionsResource
  readonly usage: VoiceUsageResource
}

export interface VoiceCallsResource {
  /**
   * Cancel a call.
   *
   * Ends the call at its provider while it rings or after it was answered. A canceled call stays canceled.
   *
   * Needs the permission `voice:write`.
   */
  cancel(callId: string, options?: CallOptions): AnswerPromise<types.Call>
  /**
   * Read a call.
   *
   * Needs the permission `voice:read`.
   */
  get(callId: string, options?: CallOptions): AnswerPromise<types.Call>
  /**
   * List the calls.
   *
   * Newest first.
   *
   * Needs the permission `voice:read`.
   */
  list(query?: types.ListCallsQuery, options?: CallOptions): PagePromise<types.Call>
  /**
   * Place a call.
   *
   * An AI agent calls a number. The call is real and is billed. With `dry_run`, the server makes all checks and places no call. A number is not called if any contact with this number denied consent to phone calls, or if the number is on the suppression list. The call begins with a sentence that says an AI is calling (`ai_disclosure` of the voice settings). Calls of test keys go to the simulator. A request dials at most once: send an `Idempotency-Key`, and after a failure repeat the request with the same key. Unknown fields are refused.
   *
   * Needs the permission `voice:write`.
   */
  place(body: types.PlaceCall & { dry_run?: false | undefined }, options?: CallOptions): AnswerPromise<types.DialedCall>
  /**
   * Place a call.
   *
   * An AI agent calls a number. The call is real and is billed. With `dry_run`, the server makes all checks and places no call. A number is not called if any contact with this number denied consent to phone calls, or if the number is on the suppression list. The call begins with a sentence that says an AI is calling (`ai_disclosure` of the voice settings). Calls of test keys go to the simulator. A request dials at most once: send an `Idempotency-Key`, and after a failure repeat the request with the same key. Unknown fields are refused.
   *
   * Needs the permission `voice:write`.
   */
  place(body: types.PlaceCall & { dry_run: true }, options?: CallOptions): AnswerPromise<types.ValidatedCall>
  /**
   * Place a call.
   *
   * An AI agent calls a number. The call is real and is billed. With `dry_run`, the server makes all checks and places no call. A number is not called if any contact with this number denied consent to phone calls, or if the number is on the suppression list. The call begins with a sentence that says an AI is calling (`ai_disclosure` of the voice settings). Calls of test keys go to the simulator. A request dials at most once: send an `Idempotency-Key`, and after a failure repeat the request with the same key. Unknown fields are refused.
   *
   * Needs the permission `voice:write`.
   */
  place(body: types.PlaceCall, options?: CallOptions): AnswerPromise<types.PlacedCall>
  /** Polls the object until its work has succeeded or failed. Read the `status` of the result. */
  wait(id: string, options?: WaitOptions<types.Call>): Promise<types.Call>
}

export interface VoiceNumbersResource {
  /**
   * Add a caller id.
   *
   * The organization rents the number from its provider. Crosswalk does not buy the number, and does not ask the provider whether it exists.
   *
   * Needs the permission `voice:manage`.
   */
  create(body: types.CreateVoiceNumber, options?: CallOptions): AnswerPromise<types.VoiceNumber>
  /**
   * Remove a number.
   *
   * New calls cannot use the number. Earlier calls still show it.
   *
   * Needs the permission `voice:manage`.
   */
  delete(numberId: string, options?: CallOptions): AnswerPromise<void>
  /**
   * List the caller ids.
   *
   * Newest first.
   *
   * Needs the permission `voice:read`.
   */
  list(query?: types.ListVoiceNumbersQuery, options?: CallOptions): PagePromise<types.VoiceNumber>
}

export interface VoiceSettingsResource {
  /**
   * Read the voice settings.
   *
   * Credentials are never shown, except for their last four characters.
   *
   * Needs the permission `voice:read`.
   */
  get(options?: CallOptions): AnswerPromise<types.VoiceSettings>
  /**
   * Change the voice settings.
   *
   * Changes only the fields that are sent. A new provider needs its credentials, unless they are stored already. This request cannot change the subscription.
   *
   * Needs the permission `voice:manage`.
   */
  update(body: types.UpdateVoiceSettings, options?: CallOptions): AnswerPromise<types.VoiceSettings>
}

export interface VoiceSuppressionsResource {
  /**
   * Suppress a number.
   *
   * The organization then never calls this number. If the number is already on the list, its entry stays, and `outcome` is `existing`.
   *
   * Needs the permission `voice:write`.
   */
  create(body: types.CreateSuppression, options?: CallOptions): AnswerPromise<types.CreatedSuppression>
  /**
   * Allow calls to a number again.
   *
   * After this, calls to the number are allowed, unless a contact with the number denied consent to phone calls.
   *
   * Needs the permission `voice:manage`.
   */
  delete(suppressionId: string, options?: CallOptions): AnswerPromise<void>
  /**
   * Export the numbers that are never called.
   *
   * A CSV file with the columns `number`, `reason`, `source` and `since`, oldest first. The import reads it. An apostrophe precedes texts that a spreadsheet would take for formulas; the import removes it.
   *
   * Needs the permission `voice:read`.
   */
  export(options?: CallOptions): AnswerPromise<ReadableStream<Uint8Array>>
  /**
   * Read a suppression.
   *
   * Needs the permission `voice:read`.
   */
  get(suppressionId: string, options?: CallOptions): AnswerPromise<types.Suppression>
  /**
   * Suppress many numbers.
   *
   * Send up to 1,000 suppressions as JSON, or a CSV file of up to 10,000 rows and 1 MiB as text/csv, with the columns of the export. Rows that cannot be read are reported and left out. All other rows are stored in one transaction: after an error, none of them is stored.
   *
   * Needs the permission `voice:write`.
   */
  import(body: types.ImportSuppressions | FileBody, options?: CallOptions): AnswerPromise<types.ImportedSuppressions>
  /**
   * List the numbers that are never called.
   *
   * Newest first. A call to a number on this list is a 400 with the code `number_suppressed`, in dry runs and in test mode too.
   *
   * Needs the permission `voice:read`.
   */
  list(query?: types.ListSuppressionsQuery, options?: CallOptions): PagePromise<types.Suppression>
}

export interface VoiceUsageResource {
  /**
   * Read the usage of calls by month.
   *
   * Needs the permission `voice:read`.
   */
  get(options?: CallOptions): AnswerPromise<types.VoiceUsage>
}

export interface WebhooksResource {
  readonly attempts: WebhooksAttemptsResource
  readonly endpoints: WebhooksEndpointsResource
  readonly eventTypes: WebhooksEventTypesResource
  readonly replays: WebhooksReplaysResource
  readonly resend: WebhooksResendResource
  readonly stats: WebhooksStatsResource
}

export interface WebhooksAttemptsResource {
  /**
   * List the attempts of a webhook endpoint.
   *
   * The requests of the last 7 days, newest first.
   *
   * Needs the permission `webhooks:read`.
   */
  list(endpointId: string, query?: types.ListWebhookAttemptsQuery, options?: CallOptions): PagePromise<types.WebhookAttempt>
}

export interface WebhooksEndpointsResource {
  /**
   * Create a webhook endpoint.
   *
   * The endpoint gets every event from now on. Its mode is the mode of your API key, and it shows only what that key may read. Only this answer has the secret.
   *
   * Needs the permission `webhooks:manage`.
   */
  create(body: types.CreateWebhookEndpoint, options?: CallOptions): AnswerPromise<types.CreatedWebhookEndpoint>
  /**
   * Delete a webhook endpoint.
   *
   * Also deletes its attempts, retries and replays.
   *
   * Needs the permission `webhooks:manage`.
   */
  delete(endpointId: string, options?: CallOptions): AnswerPromise<void>
  /**
   * Disable a webhook endpoint.
   *
   * The endpoint gets nothing until it is enabled.
   *
   * Needs the permission `webhooks:manage`.
   */
  disable(endpointId: string, options?: CallOptions): AnswerPromise<types.WebhookEndpoint>
  /**
   * Enable a webhook endpoint.
   *
   * Continues where the endpoint stopped, at most 30 days back, or with the events from now on. If the member who owns it has left, you become its owner, and it shows what you may read.
   *
   * Needs the permission `webhooks:manage`.
   */
  enable(endpointId: string, body?: types.EnableWebhookEndpoint, options?: CallOptions): AnswerPromise<types.WebhookEndpoint>
  /**
   * Read a webhook endpoint.
   *
   * Needs the permission `webhooks:read`.
   */
  get(endpointId: string, options?: CallOptions): AnswerPromise<types.WebhookEndpoint>
  /**
   * List the webhook endpoints.
   *
   * Newest first, without their secrets.
   *
   * Needs the permission `webhooks:read`.
   */
  list(query?: types.ListWebhookEndpointsQuery, options?: CallOptions): PagePromise<types.WebhookEndpoint>
  /**
   * Replace the secret of a webhook endpoint.
   *
   * Until `old_secret_expires_at`, both secrets sign each request, so that you can deploy the new one without a gap.
   *
   * Needs the permission `webhooks:manage`.
   */
  rotateSecret(endpointId: string, body?: types.RotateWebhookSecret, options?: CallOptions): AnswerPromise<types.CreatedWebhookEndpoint>
  /**
   * Send a sample event now.
   *
   * Sends the sample of a type, even to a disabled endpoint, and answers with the result. The list of attempts does not show it.
   *
   * Needs the permission `webhooks:manage`.
   */
  test(endpointId: string, body: types.TestWebhookEndpoint, options?: CallOptions): AnswerPromise<types.WebhookTest>
  /**
   * Change a webhook endpoint.
   *
   * Only the fields that you send change. Events that were not delivered yet go to the new URL.
   *
   * Needs the permission `webhooks:manage`.
   */
  update(endpointId: string, body: types.UpdateWebhookEndpoint, options?: CallOptions): AnswerPromise<types.WebhookEndpoint>
}

export interface WebhooksEventTypesResource {
  /**
   * List the types of events.
   *
   * Every type, with its permissions and a sample.
   *
   * Needs the permission `webhooks:read`.
   */
  list(options?: CallOptions): AnswerPromise<types.WebhookEventType[]>
}

export interface WebhooksReplaysResource {
  /**
   * Cancel a replay.
   *
   * Needs the permission `webhooks:manage`.
   */
  cancel(replayId: string, options?: CallOptions): AnswerPromise<types.WebhookReplay>
  /**
   * Send the events of a period again.
   *
   * The replay runs at the same time as the delivery of new events. Events keep their ids, so receivers can skip known ones. While the endpoint has a `next_probe_at`, the replay waits. After a repair, `POST /webhooks/endpoints/{endpoint_id}/enable` ends this wait.
   *
   * Needs the permission `webhooks:manage`.
   */
  create(endpointId: string, body: types.ReplayWebhooks, options?: CallOptions): AnswerPromise<types.WebhookReplay>
  /**
   * Read a replay.
   *
   * Needs the permission `webhooks:read`.
   */
  get(replayId: string, options?: CallOptions): AnswerPromise<types.WebhookReplay>
  /**
   * List the replays of a webhook endpoint.
   *
   * Newest first. A replay is deleted 7 days after its end.
   *
   * Needs the permission `webhooks:read`.
   */
  list(endpointId: string, query?: types.ListWebhookReplaysQuery, options?: CallOptions): PagePromise<types.WebhookReplay>
  /** Polls the object until its work has succeeded or failed. Read the `status` of the result. */
  wait(id: string, options?: WaitOptions<types.WebhookReplay>): Promise<types.WebhookReplay>
}

export interface WebhooksResendResource {
  /**
   * Send one event again.
   *
   * Needs the permission `webhooks:manage`.
   */
  create(endpointId: string, eventId: string, options?: CallOptions): AnswerPromise<types.WebhookResend>
}

export interface WebhooksStatsResource {
  /**
   * Read how many requests succeeded.
   *
   * Needs the permission `webhooks:read`.
   */
  get(endpointId: string, query?: types.GetWebhookStatsQuery, options?: CallOptions): AnswerPromise<types.WebhookStats>
}

export interface WriteKeysResource {
  /**
   * Create a write key.
   *
   * A write key is part of a web page, where everybody can read it. It can add events and read nothing.
   *
   * Needs the permission `tracking:manage`.
   */
  create(body: types.CreateWriteKey, options?: CallOptions): AnswerPromise<types.WriteKey>
  /**
   * Delete a write key.
   *
   * Needs the permission `tracking:manage`.
   */
  delete(writeKeyId: string, options?: CallOptions): AnswerPromise<void>
  /**
   * Read a write key.
   *
   * Needs the permission `tracking:read`.
   */
  get(writeKeyId: string, options?: CallOptions): AnswerPromise<types.WriteKey>
  /**
   * List the write keys.
   *
   * All write keys, the newest first, without pages.
   *
   * Needs the permission `tracking:read`.
   */
  list(options?: CallOptions): AnswerPromise<types.WriteKey[]>
  /**
   * Replace the key of a write key.
   *
   * The write key gets a new `key`, and keeps its id, its settings and its events. Cached pages still send the old key, so it is accepted for `grace_seconds` more: by default 7 days.
   *
   * Needs the permission `tracking:manage`.
   */
  rotate(writeKeyId: string, body?: types.RotateWriteKey, options?: CallOptions): AnswerPromise<types.WriteKey>
  /**
   * Change a write key.
   *
   * Only the fields that you send change. The key itself changes only by a rotation.
   *
   * Needs the permission `tracking:manage`.
   */
  update(writeKeyId: string, body: types.UpdateWriteKey, options?: CallOptions): AnswerPromise<types.WriteKey>
}

/** The members of a client. Its constructor makes them. */
export class Resources {
  declare readonly agency: AgencyResource
  declare readonly apiKeys: ApiKeysResource
  declare readonly bulkChanges: BulkChangesResource
  declare readonly callBackRequests: CallBackRequestsResource
  declare readonly companies: CompaniesResource
  declare readonly connectedApps: ConnectedAppsResource
  declare readonly contacts: ContactsResource
  declare readonly crm: CrmResource
  declare readonly deals: DealsResource
  declare readonly duplicates: DuplicatesResource
  declare readonly events: EventsResource
  declare readonly fields: FieldsResource
  declare readonly forms: FormsResource
  declare readonly imports: ImportsResource
  declare readonly notes: NotesResource
  declare readonly organization: OrganizationResource
  declare readonly owners: OwnersResource
  declare readonly personas: PersonasResource
  declare readonly sandboxes: SandboxesResource
  declare readonly segments: SegmentsResource
  declare readonly signatures: SignaturesResource
  declare readonly tasks: TasksResource
  declare readonly tracking: TrackingResource
  declare readonly usage: UsageResource
  declare readonly visitors: VisitorsResource
  declare readonly voice: VoiceResource
  declare readonly webhooks: WebhooksResource
  declare readonly writeKeys: WriteKeysResource
}
