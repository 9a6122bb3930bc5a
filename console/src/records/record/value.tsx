import { type ReactNode, useMemo } from 'react'
import { phoneWords } from '../../parts/phone-number.ts'
import { Tags } from '../../parts/tag.tsx'
import { Time } from '../../parts/time.tsx'
import { Link } from '../../routing/link.tsx'
import { useScope } from '../../shell/scope.tsx'
import { companies, fieldValue, people, type RecordKind, type ShownRecord } from '../kinds.ts'
import type { RecordField } from '../record-field.ts'
import { useRecordNames } from '../use-record-names.ts'
import { valueWords } from '../value-words.ts'
import styles from './value.module.css'

export const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** A value as the page of a record shows it: links can be followed, and lists have a line for each value. */
export function Value({ field, record }: { field: RecordField; record: ShownRecord }): ReactNode {
  const value = fieldValue(record, field.name)
  const { type, name } = field
  if (isEmpty(value)) return <span className="three">–</span>
  if (type === 'time' && typeof value === 'number') return <Time at={value} />
  if (type === 'reference' && typeof value === 'string') return <RecordLink kind={companies} id={value} />
  if (type === 'people' && Array.isArray(value))
    return value.map((id) => (
      <div key={String(id)} className={styles.line}>
        <RecordLink kind={people} id={String(id)} />
      </div>
    ))
  if (Array.isArray(value) && (name === 'tags' || type === 'multi_select')) return <Tags values={value} />
  if (Array.isArray(value))
    return value.map((one) => (
      <div key={String(one)} className={styles.line}>
        <Linked type={typeOfList[name] ?? type} text={String(one)} />
      </div>
    ))
  return (
    <Linked
      type={type}
      text={typeof value === 'string' && type === 'phone' ? value : valueWords(field, value, record)}
    />
  )
}

const typeOfList: Record<string, RecordField['type']> = { emails: 'email', phones: 'phone' }

function Linked({ type, text }: { type: RecordField['type']; text: string }) {
  const href = hrefOf(type, text)
  if (href === null) return text
  const words = type === 'phone' ? phoneWords(text) : text
  return (
    <a className="link" href={href} target={type === 'url' ? '_blank' : undefined} rel="noreferrer">
      {words}
    </a>
  )
}

function hrefOf(type: RecordField['type'], text: string): string | null {
  if (type === 'email') return `mailto:${text}`
  if (type === 'phone') return `tel:${text}`
  if (type !== 'url') return null
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`
  return URL.canParse(address) ? address : null
}

function RecordLink({ kind, id }: { kind: RecordKind; id: string }) {
  const { orgId, can } = useScope()
  const names = useRecordNames(
    kind,
    useMemo(() => [id], [id]),
  )
  if (!can(`${kind.resource}:read`)) return <span className="mono">{id}</span>
  return (
    <Link
      className="link"
      to={`/o/$orgId${kind.path}/$recordId` as '/o/$orgId/people/$recordId'}
      params={{ orgId, recordId: id }}
    >
      {names.get(id) ?? `A ${kind.one}`}
    </Link>
  )
}
