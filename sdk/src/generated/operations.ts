// Written by `npm run generate`. Do not edit.

export const version = '0.2.0'

/** What each method sends: src/methods.ts reads it. */
export const operations = `
agency.clients
 create POST  data body
 get GET /{org_id} data
 list GET  page query
 unlink DELETE /{org_id} data
agency.invitations
 create POST  data body
 get GET /{} data
 list GET  page query
 revoke DELETE /{} none
agency.usage
 export GET /export stream query
 list GET  page query
agency.usage.totals
 get GET  data query
apiKeys
 create POST  bare body
 delete DELETE /{} none
 get GET /{} bare
 list GET  bare
 rotate POST /{}/rotate bare body
 update PATCH /{} bare body
bulkChanges
 cancel POST /{}/cancel data
 create POST  data body
 get GET /{} data
 list GET  page query
 preview POST /preview data body
callBackRequests
 approve POST /{request_id}/approve bare body
 decline POST /{request_id}/decline data body
 get GET /{request_id} data
 list GET  page query
companies.activity /companies/{}/activity
 list GET  data query
companies
 archive DELETE /{} data
 batch POST /batch data body
 batchRead POST /batch/read data body
 create POST  data body
 erase POST /{}/erase data
 export GET /export stream query
 get GET /{} data query
 list GET  page query
 restore POST /{}/restore data
 search POST /search page body
 update PATCH /{} data body
 upsert POST /upsert data body
companies.imports
 create POST  data body query
 inspect POST /inspect data body query
connectedApps
 get GET /{} data
 list GET  page query
 narrow PATCH /{} data body
 revoke DELETE /{} none
contacts.activity /contacts/{}/activity
 list GET  data query
contacts
 archive DELETE /{} data
 batch POST /batch data body
 batchRead POST /batch/read data body
 create POST  data body
 erase POST /{}/erase data
 export GET /export stream query
 get GET /{} data query
 list GET  page query
 restore POST /{}/restore data
 search POST /search page body
 update PATCH /{} data body
 upsert POST /upsert data body
contacts.imports
 create POST  data body query
 inspect POST /inspect data body query
contacts.touches /contacts/{}/touches
 get GET  data
crm.connections /integrations/crm-sync/connections
 create POST  data body
 delete DELETE /{} none
 get GET /{} data
 list GET  page query
 test POST /{}/test data
 update PATCH /{} data body
crm.connections.sandboxRecords /integrations/crm-sync/connections/{}/sandbox
 list GET  page query
crm.contacts /integrations/crm-sync/contacts
 preview POST /previews data body
 push POST /push bare body
crm.jobs /integrations/crm-sync/jobs
 cancel POST /{}/cancel bare
 get GET /{} bare
 list GET  page query
 retry POST /{}/retry bare
crm.jobs.items /integrations/crm-sync/jobs/{}/items
 list GET  page query
crm.leads /integrations/crm-sync/leads
 preview POST /previews data body
 push POST /push bare body
crm.settings /integrations/crm-sync/settings
 get GET  data
 update PATCH  data body
deals
 archive DELETE /{} data
 batch POST /batch data body
 batchRead POST /batch/read data body
 close POST /{}/close data body
 create POST  data body
 erase POST /{}/erase data
 export GET /export stream query
 get GET /{} data query
 list GET  page query
 reopen POST /{}/reopen data
 restore POST /{}/restore data
 search POST /search page body
 summarize GET /summary data query
 update PATCH /{} data body
 upsert POST /upsert data body
deals.closeReasons
 archive POST /{}/archive data
 create POST  data body
 get GET /{} data
 list GET  data query
 restore POST /{}/restore data
 update PATCH /{} data body
deals.stages
 get GET  data
 replace PUT  data body
duplicates.candidates
 list GET  page query
duplicates.merges /duplicates
 create POST /merge data body
 get GET /merges/{} data
 list GET /recent-merges page query
 redo POST /redo-merge/{id} data
 undo POST /undo-merge/{id} data body
duplicates.proposals /duplicates/shadow
 apply POST /{id}/apply data body
 batchApply POST /apply data body
 batchDismiss POST /dismiss data body
 dismiss POST /{id}/dismiss data
 reopen POST /{id}/reopen data
duplicates.scans
 create POST  data body
 get GET /{} data
 list GET  page query
duplicates.settings
 get GET  data
 preview POST /preview data body
 update PATCH  data body
events
 feed GET /feed data query
 list GET  page query
fields
 create POST  data body
 delete DELETE /{} none
 get GET /{} data
 list GET  data query
 update PATCH /{} data body
forms
 create POST  data body
 delete DELETE /{} none
 get GET /{} data
 list GET  data
 revert POST /{}/revert data body
 update PATCH /{} data body
 versions GET /{}/versions data
forms.submissions
 get GET /{} data
 list GET  page query
 restore POST /{}/restore data
 spam POST /{}/spam data
imports
 cancel POST /{}/cancel data
 get GET /{} data
 list GET  page query
 revert POST /{}/revert data
imports.rows /imports/{}/rows
 export GET /export stream
 list GET  page query
notes
 create POST  data body
 delete DELETE /{} none
 get GET /{} data
 list GET  page query
 update PATCH /{} data body
organization.agencies
 accept POST  data body
 list GET  page query
 preview POST /preview data body
 unlink DELETE /{org_id} data query
organization
 get GET  data
 update PATCH  data body
owners
 get GET /{} data
 list GET  data
 reassign POST /{}/reassign data body
personas
 activate POST /{}/activate data
 archive POST /{}/archive data
 create POST  data body
 get GET /{} data
 list GET  page query
 restore POST /{}/restore data
 update PATCH /{} data body
sandboxes /organization/sandboxes
 create POST  data body
 delete DELETE /{org_id} none
 get GET /{org_id} data
 list GET  page query
segments
 create POST  data body
 delete DELETE /{} none
 get GET /{} data
 list GET  data query
 update PATCH /{} data body
signatures.mailboxes
 create POST  data body
 delete DELETE /{mailbox_id} none
 get GET /{mailbox_id} data
 list GET  page query
 preview GET /{mailbox_id}/preview data
 push POST /{mailbox_id}/push data body
 update PATCH /{mailbox_id} data body
signatures.mailboxes.sandbox /signatures/mailboxes/{mailbox_id}/sandbox
 get GET  data
signatures.pushes
 get GET /{push_id} data
 list GET  page query
signatures.rollouts /signatures/rollouts/{}
 get GET  data
signatures.settings
 get GET  data
 update PATCH  data body
signatures.templates
 create POST  data body
 delete DELETE /{} none
 get GET /{} data
 list GET  page query
 preview POST /preview data body
 push POST /{}/push data body
 update PATCH /{} data body
tasks
 complete POST /{}/complete data
 create POST  data body
 delete DELETE /{} none
 get GET /{} data
 list GET  page query
 reopen POST /{}/reopen data
 update PATCH /{} data body
tracking.events
 list GET  data query
tracking.identitySecret
 delete DELETE  none
 get GET  data
 rotate POST /rotate data body
tracking.reports
 campaigns GET /campaigns data query
 events GET /events data query
 forms GET /forms data query
 funnel POST /funnel data body
 overview GET /overview data query
 pages GET /pages data query
 referrers GET /referrers data query
 sources GET /sources data query
tracking.settings
 get GET  data
 update PATCH  data body
tracking.snippet
 get GET  data query
tracking.usage
 get GET  data query
usage
 get GET  data query
visitors.claims /visitors/{}/claims/accept
 accept POST  data body query
visitors
 erase POST /{}/erase data
 get GET /{} data query
 list GET  data query
visitors.events /visitors/{}/events
 list GET  data query
visitors.links /visitors/{}/links/{}/undo
 undo POST  data query
visitors.sessions /visitors/{}/sessions
 list GET  data query
voice.calls
 cancel POST /{}/cancel data
 get GET /{} data
 list GET  page query
 place POST  bare body
voice.numbers
 create POST  data body
 delete DELETE /{} none
 list GET  page query
voice.settings
 get GET  data
 update PATCH  data body
voice.suppressions
 create POST  data body
 delete DELETE /{} none
 export GET /export stream
 get GET /{} data
 import POST /import data body
 list GET  page query
voice.usage
 get GET  data
webhooks.attempts /webhooks/endpoints/{}/attempts
 list GET  page query
webhooks.endpoints
 create POST  data body
 delete DELETE /{} none
 disable POST /{}/disable data
 enable POST /{}/enable data body
 get GET /{} data
 list GET  page query
 rotateSecret POST /{}/rotate-secret data body
 test POST /{}/test data body
 update PATCH /{} data body
webhooks.eventTypes
 list GET  data
webhooks.replays /webhooks
 cancel POST /replays/{}/cancel data
 create POST /endpoints/{}/replay data body
 get GET /replays/{} data
 list GET /endpoints/{}/replays page query
webhooks.resend /webhooks/endpoints/{}/events/{}/resend
 create POST  data
webhooks.stats /webhooks/endpoints/{}/stats
 get GET  data query
writeKeys
 create POST  data body
 delete DELETE /{} none
 get GET /{} data
 list GET  data
 rotate POST /{}/rotate data body
 update PATCH /{} data body
`
