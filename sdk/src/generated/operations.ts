// Written by `npm run generate`. Do not edit.

export const version = '0.1.0'

/** What each method sends. A line ends with the names of the arguments that follow the ids of the path. */
export const operations = `
agency.clients.create POST /agency/clients data body
agency.clients.get GET /agency/clients/{org_id} data
agency.clients.list GET /agency/clients page query
agency.clients.unlink DELETE /agency/clients/{org_id} data
agency.invitations.create POST /agency/invitations data body
agency.invitations.get GET /agency/invitations/{invitation_id} data
agency.invitations.list GET /agency/invitations page query
agency.invitations.revoke DELETE /agency/invitations/{invitation_id} none
apiKeys.create POST /api-keys bare body
apiKeys.delete DELETE /api-keys/{api_key_id} none
apiKeys.get GET /api-keys/{api_key_id} bare
apiKeys.list GET /api-keys bare
apiKeys.rotate POST /api-keys/{api_key_id}/rotate bare body
apiKeys.update PATCH /api-keys/{api_key_id} bare body
companies.archive DELETE /companies/{company_id} data
companies.batch POST /companies/batch data body
companies.batchRead POST /companies/batch/read data body
companies.create POST /companies data body
companies.erase POST /companies/{company_id}/erase data
companies.export GET /companies/export stream query
companies.get GET /companies/{company_id} data query
companies.imports.create POST /companies/imports data body query
companies.imports.inspect POST /companies/imports/inspect data body query
companies.list GET /companies page query
companies.restore POST /companies/{company_id}/restore data
companies.search POST /companies/search page body
companies.update PATCH /companies/{company_id} data body
companies.upsert POST /companies/upsert data body
connectedApps.get GET /connected-apps/{connected_app_id} data
connectedApps.list GET /connected-apps page query
connectedApps.narrow PATCH /connected-apps/{connected_app_id} data body
connectedApps.revoke DELETE /connected-apps/{connected_app_id} none
contacts.archive DELETE /contacts/{contact_id} data
contacts.batch POST /contacts/batch data body
contacts.batchRead POST /contacts/batch/read data body
contacts.create POST /contacts data body
contacts.erase POST /contacts/{contact_id}/erase data
contacts.export GET /contacts/export stream query
contacts.get GET /contacts/{contact_id} data query
contacts.imports.create POST /contacts/imports data body query
contacts.imports.inspect POST /contacts/imports/inspect data body query
contacts.list GET /contacts page query
contacts.restore POST /contacts/{contact_id}/restore data
contacts.search POST /contacts/search page body
contacts.update PATCH /contacts/{contact_id} data body
contacts.upsert POST /contacts/upsert data body
crm.connections.create POST /integrations/crm-sync/connections data body
crm.connections.delete DELETE /integrations/crm-sync/connections/{connection_id} none
crm.connections.get GET /integrations/crm-sync/connections/{connection_id} data
crm.connections.list GET /integrations/crm-sync/connections page query
crm.connections.sandboxRecords.list GET /integrations/crm-sync/connections/{connection_id}/sandbox page query
crm.connections.test POST /integrations/crm-sync/connections/{connection_id}/test data
crm.connections.update PATCH /integrations/crm-sync/connections/{connection_id} data body
crm.contacts.preview POST /integrations/crm-sync/contacts/previews data body
crm.contacts.push POST /integrations/crm-sync/contacts/push bare body
crm.jobs.cancel POST /integrations/crm-sync/jobs/{job_id}/cancel bare
crm.jobs.get GET /integrations/crm-sync/jobs/{job_id} bare
crm.jobs.items.list GET /integrations/crm-sync/jobs/{job_id}/items page query
crm.jobs.list GET /integrations/crm-sync/jobs page query
crm.jobs.retry POST /integrations/crm-sync/jobs/{job_id}/retry bare
crm.leads.preview POST /integrations/crm-sync/leads/previews data body
crm.leads.push POST /integrations/crm-sync/leads/push bare body
crm.settings.get GET /integrations/crm-sync/settings data
crm.settings.update PATCH /integrations/crm-sync/settings data body
deals.archive DELETE /deals/{deal_id} data
deals.batch POST /deals/batch data body
deals.batchRead POST /deals/batch/read data body
deals.close POST /deals/{deal_id}/close data body
deals.closeReasons.archive POST /deals/close-reasons/{close_reason_id}/archive data
deals.closeReasons.create POST /deals/close-reasons data body
deals.closeReasons.get GET /deals/close-reasons/{close_reason_id} data
deals.closeReasons.list GET /deals/close-reasons data query
deals.closeReasons.restore POST /deals/close-reasons/{close_reason_id}/restore data
deals.closeReasons.update PATCH /deals/close-reasons/{close_reason_id} data body
deals.create POST /deals data body
deals.erase POST /deals/{deal_id}/erase data
deals.export GET /deals/export stream query
deals.get GET /deals/{deal_id} data query
deals.list GET /deals page query
deals.reopen POST /deals/{deal_id}/reopen data
deals.restore POST /deals/{deal_id}/restore data
deals.search POST /deals/search page body
deals.stages.get GET /deals/stages data
deals.stages.replace PUT /deals/stages data body
deals.summarize GET /deals/summary data query
deals.update PATCH /deals/{deal_id} data body
deals.upsert POST /deals/upsert data body
duplicates.candidates.list GET /duplicates/candidates page query
duplicates.merges.create POST /duplicates/merge data body
duplicates.merges.get GET /duplicates/merges/{merge_id} data
duplicates.merges.list GET /duplicates/recent-merges page query
duplicates.merges.redo POST /duplicates/redo-merge/{id} data
duplicates.merges.undo POST /duplicates/undo-merge/{id} data body
duplicates.proposals.apply POST /duplicates/shadow/{id}/apply data
duplicates.proposals.batchApply POST /duplicates/shadow/apply data body
duplicates.proposals.batchDismiss POST /duplicates/shadow/dismiss data body
duplicates.proposals.dismiss POST /duplicates/shadow/{id}/dismiss data
duplicates.scans.create POST /duplicates/scans data body
duplicates.scans.get GET /duplicates/scans/{scan_id} data
duplicates.scans.list GET /duplicates/scans page query
duplicates.settings.get GET /duplicates/settings data
duplicates.settings.update PATCH /duplicates/settings data body
events.feed GET /events/feed data query
events.list GET /events page query
imports.get GET /imports/{import_id} data
imports.list GET /imports page query
imports.revert POST /imports/{import_id}/revert data
imports.rows.export GET /imports/{import_id}/rows/export stream
imports.rows.list GET /imports/{import_id}/rows page query
organization.agencies.accept POST /organization/agencies data body
organization.agencies.list GET /organization/agencies page query
organization.agencies.unlink DELETE /organization/agencies/{org_id} data
organization.get GET /organization data
organization.update PATCH /organization data body
personas.activate POST /personas/{persona_id}/activate data
personas.archive POST /personas/{persona_id}/archive data
personas.create POST /personas data body
personas.get GET /personas/{persona_id} data
personas.list GET /personas page query
personas.restore POST /personas/{persona_id}/restore data
personas.update PATCH /personas/{persona_id} data body
sandboxes.create POST /organization/sandboxes data body
sandboxes.delete DELETE /organization/sandboxes/{org_id} none
sandboxes.get GET /organization/sandboxes/{org_id} data
sandboxes.list GET /organization/sandboxes page query
signatures.mailboxes.create POST /signatures/mailboxes data body
signatures.mailboxes.delete DELETE /signatures/mailboxes/{mailbox_id} none
signatures.mailboxes.get GET /signatures/mailboxes/{mailbox_id} data
signatures.mailboxes.list GET /signatures/mailboxes page query
signatures.mailboxes.preview GET /signatures/mailboxes/{mailbox_id}/preview data
signatures.mailboxes.push POST /signatures/mailboxes/{mailbox_id}/push data body
signatures.mailboxes.sandbox.get GET /signatures/mailboxes/{mailbox_id}/sandbox data
signatures.mailboxes.update PATCH /signatures/mailboxes/{mailbox_id} data body
signatures.pushes.get GET /signatures/pushes/{push_id} data
signatures.pushes.list GET /signatures/pushes page query
signatures.rollouts.get GET /signatures/rollouts/{rollout_id} data
signatures.settings.get GET /signatures/settings data
signatures.settings.update PATCH /signatures/settings data body
signatures.templates.create POST /signatures/templates data body
signatures.templates.delete DELETE /signatures/templates/{template_id} none
signatures.templates.get GET /signatures/templates/{template_id} data
signatures.templates.list GET /signatures/templates page query
signatures.templates.push POST /signatures/templates/{template_id}/push data body
signatures.templates.update PATCH /signatures/templates/{template_id} data body
tracking.events.list GET /tracking/events data query
tracking.settings.get GET /tracking/settings data
tracking.settings.update PATCH /tracking/settings data body
tracking.snippet.get GET /tracking/snippet data query
tracking.usage.get GET /tracking/usage data query
usage.get GET /usage data query
voice.calls.cancel POST /voice/calls/{call_id}/cancel data
voice.calls.get GET /voice/calls/{call_id} data
voice.calls.list GET /voice/calls page query
voice.calls.place POST /voice/calls bare body
voice.numbers.create POST /voice/numbers data body
voice.numbers.delete DELETE /voice/numbers/{number_id} none
voice.numbers.list GET /voice/numbers page query
voice.settings.get GET /voice/settings data
voice.settings.update PATCH /voice/settings data body
voice.suppressions.create POST /voice/suppressions data body
voice.suppressions.delete DELETE /voice/suppressions/{suppression_id} none
voice.suppressions.export GET /voice/suppressions/export stream
voice.suppressions.get GET /voice/suppressions/{suppression_id} data
voice.suppressions.import POST /voice/suppressions/import data body
voice.suppressions.list GET /voice/suppressions page query
voice.usage.get GET /voice/usage data
webhooks.attempts.list GET /webhooks/endpoints/{endpoint_id}/attempts page query
webhooks.endpoints.create POST /webhooks/endpoints data body
webhooks.endpoints.delete DELETE /webhooks/endpoints/{endpoint_id} none
webhooks.endpoints.disable POST /webhooks/endpoints/{endpoint_id}/disable data
webhooks.endpoints.enable POST /webhooks/endpoints/{endpoint_id}/enable data body
webhooks.endpoints.get GET /webhooks/endpoints/{endpoint_id} data
webhooks.endpoints.list GET /webhooks/endpoints page query
webhooks.endpoints.rotateSecret POST /webhooks/endpoints/{endpoint_id}/rotate-secret data body
webhooks.endpoints.test POST /webhooks/endpoints/{endpoint_id}/test data body
webhooks.endpoints.update PATCH /webhooks/endpoints/{endpoint_id} data body
webhooks.eventTypes.list GET /webhooks/event-types data
webhooks.replays.cancel POST /webhooks/replays/{replay_id}/cancel data
webhooks.replays.create POST /webhooks/endpoints/{endpoint_id}/replay data body
webhooks.replays.get GET /webhooks/replays/{replay_id} data
webhooks.replays.list GET /webhooks/endpoints/{endpoint_id}/replays page query
webhooks.resend.create POST /webhooks/endpoints/{endpoint_id}/events/{event_id}/resend data
webhooks.stats.get GET /webhooks/endpoints/{endpoint_id}/stats data query
writeKeys.create POST /write-keys data body
writeKeys.delete DELETE /write-keys/{write_key_id} none
writeKeys.get GET /write-keys/{write_key_id} data
writeKeys.list GET /write-keys data
writeKeys.rotate POST /write-keys/{write_key_id}/rotate data body
writeKeys.update PATCH /write-keys/{write_key_id} data body
`
