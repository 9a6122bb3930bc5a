import type { Endpoint } from '../../src/platform/http/endpoint.ts'

/** The kind of organization for `{org_id}` in a path. */
const orgIn: Record<string, string> = {
  '/agency/clients/{org_id}': 'client_org_id',
  '/organization/agencies/{org_id}': 'agency_org_id',
  '/organization/sandboxes/{org_id}': 'sandbox_org_id',
}

/** The kind of object for other parameters. */
const idIn: Record<string, string> = {
  '/duplicates/undo-merge/{id}': 'merge_id',
  '/duplicates/redo-merge/{id}': 'undone_merge_id',
  '/duplicates/shadow/{id}/apply': 'shadow_merge_id',
  '/duplicates/shadow/{id}/dismiss': 'shadow_merge_id',
  '/duplicates/shadow/{id}/reopen': 'dismissed_merge_id',
}

/** The kind for endpoints that need more than the usual object. */
const kindsInstead: Record<string, string> = {
  push_signature_template: 'used_template_id',
  get_sandbox_signature: 'installed_mailbox_id',
  retry_crm_job: 'failed_job_id',
  cancel_crm_job: 'running_job_id',
  cancel_import: 'canceled_import_id',
  cancel_bulk_change: 'canceled_bulk_change_id',
}

export const parameterKindsOf = ({ path, name: endpoint }: Endpoint): [name: string, kind: string][] =>
  parameterNamesOf(path).map((name) => [name, kindsInstead[endpoint] ?? parameterKindOf(path, name)])

export const parameterKindOf = (path: string, name: string): string =>
  name === 'id' ? (idIn[path] ?? path) : name === 'org_id' ? (orgIn[path] ?? path) : name

export const parameterNamesOf = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
