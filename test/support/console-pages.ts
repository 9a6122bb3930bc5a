import { readFileSync } from 'node:fs'

/** A page below /console with the text that it shows with data, and without (null: it always has data). */
export type NamedPage = {
  path: string
  text: string
  empty: string | null
  /** Whether the page shows its content without a request. */
  readsNothing?: boolean
}

/** Pages for people who are not signed in, with their headings. */
export const signedOutPages: { path: string; text: string }[] = [
  { path: '/sign-in', text: 'Sign in' },
  { path: '/confirmed', text: 'You are confirmed' },
  { path: '/connect/UID', text: 'Sign in' },
  ...['/set-up', '/invite', '/recovery'].map((path) => ({
    path: `${path}#AAAAAAAAAAAAAAAAAAAAAAAAAAA`,
    text: 'This link does not work',
  })),
  { path: '/invite#svc_invite_AAAAAAAA', text: 'Invitation of an agency' },
]

/**
 * Pages of an organization (ORG) that has keys, a client, an invitation, a sandbox, a webhook endpoint (ENDPOINT) with one event, a write key
 * (WRITE_KEY) with one event, a CRM connection (CONNECTION) with a push (JOB), a persona (PERSONA) that called somebody (CALL),
 * a call-back request, a visitor (VISITOR), a person (PERSON), a company (COMPANY), a deal (DEAL), a signature template (SIGNATURE) and an import
 * (IMPORT).
 */
export const pages: NamedPage[] = [
  { path: '/o/ORG', text: 'expires in 3 days', empty: 'Nothing waits for you' },
  { path: '/o/ORG/people', text: 'ada@example.com', empty: 'Nobody here yet' },
  { path: '/o/ORG/people?q=nobody', text: 'Nobody matches these filters', empty: null },
  { path: '/o/ORG/people/PERSON', text: 'There are no older changes', empty: null },
  { path: '/o/ORG/companies/COMPANY', text: 'There are no older changes', empty: null },
  { path: '/o/ORG/companies', text: 'Acme', empty: 'No company here yet' },
  { path: '/o/ORG/deals', text: 'Website for Acme', empty: 'No deal here yet' },
  { path: '/o/ORG/deals?view=list', text: 'Website for Acme', empty: null },
  { path: '/o/ORG/deals?view=summary', text: 'Close reasons', empty: 'There are no figures yet' },
  { path: '/o/ORG/deals/DEAL', text: 'There are no older changes', empty: null },
  { path: '/o/ORG/web-events', text: 'Signed Up', empty: 'No event arrived yet' },
  { path: '/o/ORG/visitors/VISITOR', text: 'There are no older events', empty: null },
  { path: '/o/ORG/visitors', text: 'There are no more visitors', empty: 'Nobody visited yet' },
  { path: '/o/ORG/events', text: 'API key created', empty: 'Nothing has happened yet' },
  { path: '/o/ORG/events?actor=operator', text: 'operator', empty: null },
  { path: '/o/ORG/events?actor=system', text: 'Contact created', empty: 'No event matches these filters' },
  {
    path: '/o/ORG/approvals',
    text: 'Install the signature in the mailbox ada@acme.example?',
    empty: 'Nothing waits for you',
  },
  { path: '/o/ORG/tasks', text: 'Send the offer', empty: 'You have no open task' },
  { path: '/o/ORG/crm', text: 'Trade shows', empty: 'No CRM is connected' },
  { path: '/o/ORG/crm/push', text: 'as Trade shows gets', empty: 'No CRM is connected' },
  { path: '/o/ORG/crm/connections/CONNECTION', text: 'Field of a Contact', empty: null },
  { path: '/o/ORG/crm/jobs/JOB', text: 'There are no more people', empty: null },
  { path: '/o/ORG/signatures/SIGNATURE', text: 'this version in 0 of 1', empty: null },
  { path: '/o/ORG/signatures', text: 'Sales team', empty: 'There is no signature template yet' },
  { path: '/o/ORG/forms', text: 'Demo requests', empty: 'There is no form yet' },
  { path: '/o/ORG/forms/FORM', text: 'There are no older submissions', empty: null },
  { path: '/o/ORG/calls', text: 'There are no older calls', empty: 'Nobody was called yet' },
  { path: '/o/ORG/calls/suppressions', text: 'There are no more numbers', empty: 'No number is on the list' },
  { path: '/o/ORG/calls/requests', text: 'There are no older requests', empty: 'Nobody waits for a call' },
  { path: '/o/ORG/calls/CALL', text: 'Confirm the appointment.', empty: null },
  { path: '/o/ORG/personas', text: 'There are no more personas', empty: 'There is no persona yet' },
  { path: '/o/ORG/personas/PERSONA', text: 'Hello, this is Mia.', empty: null },
  { path: '/o/ORG/imports', text: 'fair.csv', empty: 'No file was imported yet' },
  { path: '/o/ORG/imports/new', text: 'Choose a file', empty: null, readsNothing: true },
  { path: '/o/ORG/imports/IMPORT', text: '1 row was refused', empty: null },
  { path: '/o/ORG/duplicates', text: 'A merge can be undone', empty: 'No proposal waits for you' },
  { path: '/o/ORG/duplicates?show=merged', text: 'Nothing is merged yet', empty: null },
  { path: '/o/ORG/reports', text: 'Referring sites', empty: 'No page was viewed in the last 7 days' },
  { path: '/o/ORG/clients', text: 'There are no more clients', empty: 'This organization has no clients' },
  { path: '/o/ORG/clients?view=invitations', text: 'There are no older invitations', empty: null },
  { path: '/o/ORG/usage', text: 'Call minutes', empty: 'Call minutes' },
  { path: '/o/ORG/settings/fields', text: 'Sites', empty: 'People have no fields of your own yet' },
  { path: '/o/ORG/settings/deals', text: 'Show archived reasons', empty: null },
  { path: '/o/ORG/settings/voice', text: 'Most calls at once', empty: 'There is no number yet' },
  {
    path: '/o/ORG/settings/duplicates',
    text: 'Proposed to a person',
    empty: 'Last week had no likely duplicates',
  },
  { path: '/o/ORG/settings/organization', text: 'Country of phone numbers', empty: null },
  { path: '/o/ORG/settings/tracking/WRITE_KEY', text: 'Events arrive', empty: 'Waiting for the first event' },
  { path: '/o/ORG/settings/tracking', text: 'www.example.com', empty: 'No page sends events yet' },
  { path: '/o/ORG/settings/webhooks/ENDPOINT', text: 'delivered', empty: 'Nothing was sent yet' },
  { path: '/o/ORG/settings/webhooks', text: 'contact.*', empty: 'No program gets events yet' },
  { path: '/o/ORG/settings/apps', text: 'claude.ai', empty: 'No app is connected' },
  { path: '/o/ORG/settings/sandboxes', text: 'Trial', empty: 'There is no sandbox yet' },
  { path: '/o/ORG/settings/members', text: 'There is no open link', empty: null },
  { path: '/o/ORG/settings/security', text: 'this browser', empty: 'You have no passkey' },
  { path: '/o/ORG/settings/api', text: 'Website forms', empty: 'There is no API key yet' },
]

/** The paths in the console's router, without /o/$orgId. Two of them are redirects. */
export function routesOfConsole(): string[] {
  const router = ['root-routes.tsx', 'pages.tsx', 'reach-routes.ts', 'settings-routes.ts']
    .map((name) => readFileSync(`console/src/${name}`, 'utf8'))
    .join('\n')
  const keys = [...router.matchAll(/^ {2}'(\/[^']*)': (?:page\(|\{)/gm)].map(([, path]) => path ?? '')
  // The page /settings leads to another one.
  const paths = keys.filter((path) => path !== '/o/$orgId/settings')
  return [...new Set(paths.map((path) => path.replace('/o/$orgId', '') || '/'))].map((path) =>
    path
      .replace('/people/$recordId', '/people/PERSON')
      .replace('/companies/$recordId', '/companies/COMPANY')
      .replace('$connectionId', 'CONNECTION')
      .replace('$jobId', 'JOB')
      .replace('/deals/$recordId', '/deals/DEAL')
      .replace('$callId', 'CALL')
      .replace('$personaId', 'PERSONA')
      .replace('$endpointId', 'ENDPOINT')
      .replace('$writeKeyId', 'WRITE_KEY')
      .replace('$formId', 'FORM')
      .replace('$visitorId', 'VISITOR')
      .replace('$templateId', 'SIGNATURE')
      .replace('$importId', 'IMPORT')
      .replace('$uid', 'UID'),
  )
}
