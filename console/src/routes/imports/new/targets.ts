import type { RecordField } from '../../../records/record-field.ts'
import type { ImportedKind } from '../import-words.ts'

/** Something that a column can become: the `target` of the mapping, and its name. */
export type Target = { target: string; label: string; group: string }

const [about, more, owner, consent] = ['Fields', 'More', 'Owner', 'Consent'] as const

/** What a column can become besides the fields that the pages of records show. */
const extras: Record<
  ImportedKind['entity'],
  readonly (readonly [target: string, label: string, group: string])[]
> = {
  contact: [
    ['full_name', 'Full name', about],
    ['company_domain', 'Domain or website of the company', about],
    ['owner_email', 'Owner: e-mail address', owner],
    ['owner_id', 'Owner: id', owner],
    ...(['email', 'phone'] as const).flatMap((channel) => {
      const name = channel === 'email' ? 'E-mail consent' : 'Phone consent'
      return [
        [`consent_${channel}`, name, consent],
        [`consent_${channel}_kind`, `${name}: kind`, consent],
        [`consent_${channel}_source`, `${name}: source`, consent],
        [`consent_${channel}_at`, `${name}: day`, consent],
      ] as const
    }),
    ['external_ids', 'Ids in other systems, as JSON', more],
    ['custom', 'Extra values, as JSON', more],
  ],
  company: [
    ['owner_email', 'Owner: e-mail address', owner],
    ['owner_id', 'Owner: id', owner],
    ['external_ids', 'Ids in other systems, as JSON', more],
    ['custom', 'Extra values, as JSON', more],
  ],
}

/** The fields, by the groups in which a column's menu shows them. */
export function targetsOf(kind: ImportedKind, fields: readonly RecordField[]): readonly Target[] {
  const shown = fields
    // Beside the address of the owner, the name must say that this is the id.
    .filter(({ name, isReadOnly }) => !isReadOnly && name !== 'owner_id')
    .map(({ name, label, group }) => ({ target: targetOf(name), label, group }))
  const names = new Set(shown.map(({ target }) => target))
  const added = extras[kind.entity]
    .filter(([target]) => !names.has(target))
    .map(([target, label, group]) => ({ target, label, group }))
  const groups = [...new Set([...shown, ...added].map(({ group }) => group))]
  return groups.flatMap((group) => [...shown, ...added].filter((one) => one.group === group))
}

const targetOf = (name: string) => name.replace(/^custom\./, 'custom:').replace(/^consent\./, 'consent_')

export const ignored = 'ignore'

/** A part of a target such as `custom:Shoe size`. */
export function keyOf(target: string, kind: 'custom' | 'external_id'): string | null {
  const start = `${kind}:`
  return target.startsWith(start) ? target.slice(start.length) : null
}

const misfits: Readonly<Record<string, string>> = {
  lifecycle_stage: 'A stage that Crosswalk does not have',
  employee_count: 'A value that is no whole number, such as 51-200,',
  company_domain: 'A value that is no domain of one company',
  custom: 'A value that is no JSON object',
  external_ids: 'A value that is no JSON object of texts',
}

/** The values that a target cannot store, in words; null: it refuses them, or stores any. They become extra values. */
export const misfitOf = (target: string): string | null =>
  Object.hasOwn(misfits, target) ? (misfits[target] ?? null) : null

const plural: readonly string[] = ['email', 'emails', 'phone', 'phones', 'domain', 'domains', 'tags', ignored]

/** Whether several columns can have this target. */
export const isShared = (target: string): boolean => plural.includes(target)

const identifying: Record<ImportedKind['entity'], readonly string[]> = {
  contact: [
    'first_name',
    'last_name',
    'full_name',
    'email',
    'emails',
    'phone',
    'phones',
    'external_ids',
    'contact_id',
  ],
  company: ['name', 'domain', 'domains', 'website', 'phone', 'external_ids', 'company_id'],
}

/** Whether a column with this target is enough to recognize a record. */
export const identifies = ({ entity }: ImportedKind, target: string): boolean =>
  identifying[entity].includes(target) || keyOf(target, 'external_id') !== null

/** What identifies a record, in words. */
export const identityWords = ({ entity }: ImportedKind): string =>
  entity === 'contact'
    ? 'a name, an e-mail address, a phone number or an id in another system'
    : 'a name, a domain, a phone number or an id in another system'
