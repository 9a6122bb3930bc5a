import type { Import } from '../../../../sdk/src/generated/types.ts'
import { companies, people, type RecordKind } from '../../records/kinds.ts'

/** A type of record that files can have. */
export type ImportedKind = RecordKind & { entity: 'contact' | 'company'; resource: 'contacts' | 'companies' }

export const kinds = [people, companies] as readonly ImportedKind[]

export const kindOf = ({ entity_type }: Pick<Import, 'entity_type'>): ImportedKind =>
  (entity_type === 'company' ? companies : people) as ImportedKind

export const nameOf = ({ file_name }: Pick<Import, 'file_name'>): string =>
  file_name ?? 'A file without a name'

/** The values of such records that an import may be unable to read. */
export const addressesOf = ({ entity }: Pick<RecordKind, 'entity'>): string =>
  entity === 'contact' ? 'an e-mail address or a phone number' : 'a phone number'

const movingStatuses: readonly string[] = ['uploading', 'queued', 'running', 'reverting']

const keyWords: Readonly<Record<string, string>> = {
  email: 'e-mail address',
  phone: 'phone number',
  external_id: 'id in another system',
  contact_id: 'Crosswalk id',
  company_id: 'Crosswalk id',
}

/** The match key of an import in words. */
export const matchWords = (matchOn: string): string =>
  keyWords[matchOn] ?? matchOn.replace(/^custom\./, '').replaceAll('_', ' ')

/** Returns whether the import still runs, or is being reverted. */
export const isUnfinished = ({ status }: Pick<Import, 'status'>): boolean => movingStatuses.includes(status)

/** Returns whether the import can be canceled. */
export const isCancelable = ({ status }: Pick<Import, 'status'>): boolean =>
  status === 'queued' || status === 'running'

/** Returns whether the import wrote records that a revert would take back. */
export const isRevertible = ({ status, dry_run, counts }: Import): boolean =>
  !dry_run &&
  (status === 'succeeded' || status === 'failed' || status === 'canceled') &&
  counts.created + counts.updated > counts.reverted

/** The status as a shape and a word. */
export function statusWords({ status, counts }: Import): {
  kind: 'ok' | 'warn' | 'bad' | 'run' | 'off'
  text: string
} {
  if (status === 'succeeded')
    return counts.refused > 0 ? { kind: 'warn', text: 'Rows refused' } : { kind: 'ok', text: 'Imported' }
  if (status === 'failed') return { kind: 'bad', text: 'Failed' }
  if (status === 'canceled') return { kind: 'off', text: 'Canceled' }
  if (status === 'reverted') return { kind: 'off', text: 'Reverted' }
  if (status === 'reverting') return { kind: 'run', text: 'Reverting' }
  return status === 'running' ? { kind: 'run', text: 'Running' } : { kind: 'off', text: 'Waiting' }
}
