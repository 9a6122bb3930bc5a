import type { ReactNode } from 'react'
import { Tag } from '../parts/tag.tsx'
import { Time } from '../parts/time.tsx'
import { fieldValue, type ShownRecord } from './kinds.ts'
import type { RecordField } from './record-field.ts'
import { valueWords } from './value-words.ts'

const tagsShown = 2

/** The value of a field in a list. */
export function cellOf(
  field: RecordField,
  record: ShownRecord,
  names: ReadonlyMap<string, string>,
): ReactNode {
  const value = fieldValue(record, field.name)
  if (field.type === 'time' && typeof value === 'number') return <Time at={value} />
  if (field.name === 'tags' && Array.isArray(value) && value.length > 0)
    return (
      <span className="rail g4">
        {value.slice(0, tagsShown).map((tag) => (
          <Tag key={tag}>{tag}</Tag>
        ))}
        {value.length > tagsShown && <span className="three">+{value.length - tagsShown}</span>}
      </span>
    )
  if (field.type === 'reference' && typeof value === 'string') return names.get(value) ?? '…'
  return valueWords(field, value, record) || <span className="three">–</span>
}
