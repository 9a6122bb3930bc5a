import { endpoints } from './api.ts'
import { type OpenApiDocument, openApiDocument } from './platform/http/openapi.ts'
import { runUnsliced } from './platform/slices.ts'
import { version } from './platform/version.ts'
import { describedWebhooks, WebhookEvent } from './webhook-document.ts'

const description = (
  address: string,
) => `Crosswalk keeps an organization's contacts, companies and deals. Every request acts on one organization, which follows from its API key. The [guides](${address}/guides) show whole tasks, such as an import or a sync.

## Keys
Send \`Authorization: Bearer <api_key>\`. \`GET /organization\` shows the key and its organization. A key may have only some permissions. Each
operation names the permission that it needs. An agency's key acts on a client with \`X-Target-Org-Id\`.

A test key acts on the organization's real records. Only effects are simulated: calls, CRM pushes and signature installs. To try things without
risk, create a sandbox with \`POST /organization/sandboxes\`.

## Answers
JSON in \`{"data": …, "pagination": …}\`; only API keys, placed calls and CRM jobs have no \`data\`. Times are Unix seconds, ids are UUIDs.
A \`PATCH\` changes only the fields that you send, and \`null\` clears a field. To guard a change, send the \`version\` of the object in \`If-Match\`.

## Lists
Newest first, \`limit\` items a page. For the next page, send \`next_cursor\` as \`cursor\`: no item is skipped or repeated while others write.
\`total\` is exact.

## Errors
\`{"detail": "what to do", "code": "stable_word"}\`. The \`detail\` of a 422 is a list of \`{type, loc, msg, ctx}\`. Unknown parameters and
members are a 422 too, and \`ctx.nearest\` gives a similar known name. Another organization's id gets the same answer as an unknown id.

## Limits
An organization may send 50 requests a second and 1,000 a minute. The headers of each answer show how many requests are left. After a 429, wait for \`Retry-After\` seconds.`

const tags = [
  {
    name: 'Organization',
    description: 'The organization of an API key, or the client that the key acts on.',
  },
  {
    name: 'Sandboxes',
    description: 'Throw-away organizations for trials, in which every effect is simulated.',
  },
  {
    name: 'Agency',
    description: 'An agency manages its client organizations with its own API keys.',
  },
  {
    name: 'API keys',
    description: 'Keys that authenticate programs: create, limit, rotate and delete them.',
  },
  {
    name: 'Connected apps',
    description: 'AI hosts that members connected: list them, take permissions from them, disconnect them.',
  },
  { name: 'Contacts', description: 'People: create, find, change, archive and erase them.' },
  { name: 'Companies', description: 'Organizations that contacts work for.' },
  { name: 'Deals', description: 'Sales in progress and closed sales, with amount, stage and outcome.' },
  { name: 'Activity', description: 'One timeline of a contact or a company, with everything that happened.' },
  { name: 'Close reasons', description: 'The reasons why deals are won or lost.' },
  { name: 'Owners', description: 'The members who own contacts, companies and deals.' },
  { name: 'Bulk changes', description: 'Changes of all records that a filter finds.' },
  { name: 'Fields', description: 'Definitions of the members of `custom`: types, options and an order.' },
  { name: 'Notes', description: 'Texts about contacts, companies and deals.' },
  {
    name: 'Tasks',
    description: 'Things to do about contacts, companies and deals, with an assignee and a due day.',
  },
  { name: 'Segments', description: 'Named filters for lists, searches, exports and pushes.' },
  {
    name: 'Duplicates',
    description: 'Records of the same person, company or deal: find, merge, and undo merges in any order.',
  },
  { name: 'Personas', description: 'AI agents: role, instructions, voice and greeting.' },
  {
    name: 'Voice',
    description: 'Calls by AI agents, their numbers and their settings.',
  },
  {
    name: 'E-mail signatures',
    description: 'Templates, the mailboxes that use them, and pushes that install signatures.',
  },
  {
    name: 'CRM sync',
    description: 'Pushes of people to another CRM as Leads or Contacts. Each person exists there once.',
  },
  {
    name: 'Imports',
    description: 'Imports of records from a CSV file. An import can be canceled and reverted.',
  },
  {
    name: 'Tracking',
    description: 'Write keys, with which web pages send events, and the visitors of these pages.',
  },
  { name: 'Forms', description: 'Forms of web pages, and what people sent with them.' },
  { name: 'Call-back requests', description: 'Requests for a call that visitors of web pages send.' },
  { name: 'Events', description: 'The audit log: what changed, when, and by whose key.' },
  { name: 'Webhooks', description: 'Webhook endpoints, and the outcome of each request.' },
]

/** The API in OpenAPI 3.1, all at once. The parameters are those of `apiDocumentSteps`. */
export const apiDocument = (...parameters: Parameters<typeof apiDocumentSteps>): OpenApiDocument =>
  runUnsliced(apiDocumentSteps(...parameters))

/**
 * The API in OpenAPI 3.1, in steps: all at once would block the thread for 0.4 s.
 * @param publicUrl null: the address of the document itself
 * @param sampleAddress the complete address in the samples
 */
export function apiDocumentSteps(
  publicUrl: string | null,
  sampleAddress: string = publicUrl ?? 'http://127.0.0.1:8080',
): Generator<undefined, OpenApiDocument> {
  return openApiDocument({
    endpoints,
    info: {
      title: 'Crosswalk Developer API',
      version,
      description: description(publicUrl ?? ''),
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    tags,
    ...{ webhooks: describedWebhooks(), webhookEvent: WebhookEvent },
    servers: [`${publicUrl ?? ''}/api/v1`],
    sampleAddress,
  })
}
