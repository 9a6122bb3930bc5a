import { type ReactNode, useId } from 'react'
import { fieldValue, type RecordKind, type ShownRecord } from '../kinds.ts'
import type { RecordField } from '../record-field.ts'
import { EditableValue } from './editable-value.tsx'
import styles from './field-groups.module.css'
import { isEmpty, Value } from './value.tsx'

/**
 * The fields of a record under their headings. A field that has only the first value of a list is left out.
 * @param hidesEmpty leaves out all fields without a value, not only those that few records have
 */
export function FieldGroups({
  kind,
  fields,
  record,
  hidesEmpty = false,
  canEdit,
}: {
  kind: RecordKind
  fields: readonly RecordField[]
  record: ShownRecord
  hidesEmpty?: boolean
  canEdit: boolean
}) {
  const shown = fields.filter(
    ({ name, listField, isRare }) =>
      listField === undefined && !((hidesEmpty || isRare) && isEmpty(fieldValue(record, name))),
  )
  return [...Map.groupBy(shown, ({ group }) => group)].map(([group, members]) => (
    <Group key={group} name={group}>
      {members.map((field) => (
        <div key={field.name} className={styles.field}>
          <dt title={field.hint ?? undefined}>{field.label}</dt>
          <dd>
            {field.isReadOnly ? (
              <Value field={field} record={record} />
            ) : (
              <EditableValue kind={kind} fields={fields} field={field} record={record} canEdit={canEdit} />
            )}
          </dd>
        </div>
      ))}
    </Group>
  ))
}

/** A part of the page of a record: a heading and its facts. */
export function Group({ name, note, children }: { name: string; note?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section className={styles.group} aria-labelledby={id}>
      <h3 id={id}>{name}</h3>
      {note && <div className={styles.note}>{note}</div>}
      <dl>{children}</dl>
    </section>
  )
}
