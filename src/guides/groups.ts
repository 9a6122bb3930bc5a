type Group = {
  title: string
  /** The folder of the files below `docs/`: `guides` by default. */
  folder?: string
  /** The purpose of each guide, by its file in the folder. */
  guides: Readonly<Record<string, string>>
}

/** The guides in the order in which they are listed. */
export const groups: readonly Group[] = [
  {
    title: 'Start',
    guides: {
      quickstart: 'From a key to a contact, an import and a first automation.',
      'command-line': 'The command `crosswalk`: find, change and import records, and develop against events.',
      sdk: 'Typed methods, lists, files, errors and retries in TypeScript.',
      keys: 'Create a key for each program, limit it, rotate it, and try things in a sandbox.',
      'errors-and-retries': 'A client that repeats lost requests and never writes twice.',
      agencies: 'Invite clients, and act on each of them with one key.',
      'agency-loop': 'A program that works through all clients, even if one of them fails.',
    },
  },
  {
    title: 'Sync',
    guides: {
      'receive-webhooks':
        'Create an endpoint, verify requests with node:http, Express, Fastify or Hono, and react.',
      sync: 'A program that keeps an exact copy of all contacts in another system.',
      'mirror-contacts': 'Copy all contacts into a table with the SDK. Later runs copy only changes.',
      'merges-for-integrators': 'How a system that stores ids follows merges of records.',
    },
  },
  {
    title: 'Import',
    guides: {
      'import-contacts': 'Inspect a CSV file or a spreadsheet, try the import, and import it.',
      'nightly-import': 'A program that imports a file every night, and reports what was refused.',
    },
  },
  {
    title: 'Fields and segments',
    guides: {
      'own-fields': 'Define fields of your own, import them, filter by them and push them.',
      'work-with-a-segment': 'Name a filter, read and count its people, and get their events.',
    },
  },
  {
    title: 'Duplicates',
    guides: {
      duplicates: 'Merge records, undo a merge, answer proposals, and merge automatically.',
      'review-duplicates': 'Scan contacts, and apply or dismiss each proposal in a program.',
      'preview-duplicates': 'Find the duplicates of a file on your machine, without a database.',
    },
  },
  {
    title: 'AI hosts',
    guides: {
      'connect-ai-hosts': 'Connect Claude, ChatGPT, Cursor, VS Code or Codex, and approve what they do.',
    },
  },
  {
    title: 'Calls',
    guides: {
      'call-people': 'Place a call, keep numbers from being called, and connect a provider.',
    },
  },
  {
    title: 'CRM',
    guides: {
      'crm-sync': 'Push contacts to the sandbox or to another CRM, each person once.',
      'push-leads': 'Preview and push contacts with a tag in a program.',
      'connect-hubspot': 'Scopes, the property for the Crosswalk id, and what to know about HubSpot.',
      'connect-salesforce':
        'The app, the user, the field for the Crosswalk id, and what to know about Salesforce.',
      'connect-espocrm':
        'The role, the API user, the field for the Crosswalk id, and what to know about EspoCRM.',
    },
  },
  {
    title: 'Website',
    guides: {
      forms: 'A form with a page of its own, on your site, and what people sent.',
      'call-back': 'Visitors ask to be called, and you decide who is called.',
      'track-your-website': 'The script for pages: events, people, consent, and your own address.',
      'website-reports': 'How many people visited, what they viewed, where they came from, and funnels.',
      timeline: 'Everything that happened to a person or a company, in one list.',
      'identify-users': 'Prove who a visitor is, so that pages cannot pose as somebody else.',
      'migrate-from-segment': 'Keep the client and the calls of Segment, and change one address.',
    },
  },
  {
    title: 'E-mail signatures',
    guides: {
      signatures: 'Create a template, add mailboxes, and install signatures.',
    },
  },
  {
    title: 'Organizations',
    guides: {
      organizations: 'Create organizations, agencies and keys on the command line.',
      'record-access': 'Limit members to their own records, or those of their teams.',
    },
  },
  {
    title: 'Operating',
    folder: 'operating',
    guides: {
      install: 'Run Crosswalk in production on your own PostgreSQL.',
      secure: 'What to set before others reach the server, and how to check it.',
      proxy: 'Put a proxy with TLS in front.',
      scale: 'Serve with all cores of a machine, and with many machines on one database.',
      cost: 'How much CPU, memory and disk a load needs.',
      poolers: 'PgBouncer between Crosswalk and PostgreSQL.',
      failover: 'Two database servers, and what happens when one is lost.',
      patroni: 'PostgreSQL on two machines with Patroni, etcd and HAProxy.',
      kubernetes: 'Manifests for Kubernetes, a unit for systemd, alerts and a dashboard.',
      upgrade: 'Start a new version while the old one still runs.',
      'back-up': 'Back up the database and restore it.',
      'encryption-key': 'Change the key that seals stored credentials.',
      watch: 'Health, metrics, alerts and the log.',
      traces: 'Follow a request through its transactions, jobs and webhooks with OpenTelemetry.',
      mend: 'Metrics to look at first, and what to do about each symptom.',
    },
  },
]
