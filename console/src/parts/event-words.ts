import type { Event } from '../../../sdk/src/generated/types.ts'
import type { IconName } from './icon.tsx'

const icons: Record<string, IconName> = {
  contact: 'people',
  company: 'people',
  deal: 'deals',
  deal_stages: 'deals',
  close_reason: 'deals',
  merge: 'merge',
  duplicate_settings: 'pairs',
  import: 'import',
  call: 'phone',
  voice_number: 'phone',
  crm_job: 'push',
  api_key: 'key',
  write_key: 'key',
  form: 'columns',
  form_submission: 'columns',
  tracking_settings: 'activity',
  visitor: 'people',
  webhook_endpoint: 'push',
  member: 'people',
  task: 'check',
}

/** For example “API key created” for `api_key.created`. */
export const eventWords = (type: string): string =>
  type
    .replaceAll(/[_.]/g, ' ')
    .replace(/^org\b/, 'organization')
    .replace(/^api\b/, 'API')
    .replace(/^crm\b/, 'CRM')
    .replace(/^sso\b/, 'single sign-on')

/** For example “api_key” for `api_key.created`. */
export const objectOf = (type: string): string => type.slice(0, type.indexOf('.'))

/** For example “API key” for `api_key`. */
export function objectWords(object: string): string {
  const words = eventWords(object)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const eventIcon = (type: string): IconName => icons[objectOf(type)] ?? 'events'

/** The name of the actor that caused an event, or else the kind of actor. */
export function actorWords({ kind, name }: Event['actor']): string {
  if (name) return name
  if (kind === 'api_key') return 'A deleted API key'
  if (kind === 'member') return 'A former member'
  return kind === 'operator' ? 'The operator' : 'Crosswalk'
}
