import { useState } from 'react'
import type { CrmConnection } from '../../../../sdk/src/generated/types.ts'
import { Button } from '../../parts/button.tsx'
import { Select, TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Note } from '../../parts/note.tsx'
import { useChanges } from '../../parts/use-changes.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import { people } from '../../records/kinds.ts'
import { useFields } from '../../records/use-fields.ts'
import { useScope } from '../../shell/scope.tsx'
import styles from './field-map-dialog.module.css'
import { fieldName, pushableFields } from './field-names.ts'

/**
 * A field whose target differs from the default; the empty text: it is not pushed. In a new line, `field` is the empty
 * text until the person chooses a field.
 */
type Line = { id: number; field: string; target: string; isNew: boolean }

const mapOf = (lines: readonly Line[]): Record<string, string | null> =>
  Object.fromEntries(
    lines.filter(({ field }) => field !== '').map(({ field, target }) => [field, target.trim() || null]),
  )

/** Changes to which field of the CRM each field goes. Fields without a line go to the default field. */
export function FieldMapDialog({
  connection: opened,
  onClose,
  onSaved,
}: {
  connection: CrmConnection
  onClose: () => void
  onSaved: () => void
}) {
  const [connection] = useState(opened)
  const { api } = useScope()
  const fields = useFields(people)
  const [lines, setLines] = useState<Line[]>(() =>
    Object.entries(connection.field_map).map(([field, target], id) => ({
      ...{ id, field, target: target ?? '', isNew: false },
    })),
  )
  const change = (id: number, part: Partial<Line>) =>
    setLines(lines.map((line) => (line.id === id ? { ...line, ...part } : line)))
  const add = () =>
    setLines([
      ...lines,
      { id: Math.max(-1, ...lines.map(({ id }) => id)) + 1, field: '', target: '', isNew: true },
    ])
  const { theirs, save } = useChanges(connection, {
    settingsOf: ({ field_map }) => ({ field_map }),
    names: { field_map: 'fields' },
    others: 'settings',
    read: ({ connection_id }) => api.crm.connections.get(connection_id),
    update: ({ connection_id }, changes, ifMatch) =>
      api.crm.connections.update(connection_id, changes, { ifMatch }),
  })
  const form = useSubmit(async () => (await save({ field_map: mapOf(lines) })) && onSaved(), {
    places: lines.map(({ field }) => `field_map.${field}`),
  })
  const offeredTo = (id: number) =>
    pushableFields(fields).filter(([name]) => lines.every((line) => line.id === id || line.field !== name))
  return (
    <FormDialog
      title="Change fields"
      act={theirs.length > 0 ? 'Save again' : 'Save'}
      form={form}
      onClose={onClose}
      wide
    >
      <p className="two">
        Name the field of the CRM for each field that should not go to its default field. An empty name: the
        field is not pushed.
      </p>
      {lines.map(({ id, field, target, isNew }) => (
        <div key={id} className={styles.line}>
          <div className="stack">
            {isNew && (
              <Select
                label="Field"
                value={field}
                options={[['', 'Choose a field'], ...offeredTo(id)]}
                onChange={(next) => change(id, { field: next })}
                // A line that was just added: what a person types next belongs there.
                autoFocus
              />
            )}
            {field !== '' && (
              <TextField
                label={fieldName(fields, field)}
                value={target}
                onChange={(next) => change(id, { target: next })}
                error={form.errorAt(`field_map.${field}`)}
                placeholder="not pushed"
                spellCheck={false}
              />
            )}
          </div>
          <Button
            kind="quiet"
            icon="close"
            aria-label={
              field === '' ? 'Remove the new line' : `Send ${fieldName(fields, field)} to its default field`
            }
            title={field === '' ? 'Remove the new line' : 'Back to the default field'}
            onClick={() => setLines(lines.filter((line) => line.id !== id))}
          />
        </div>
      ))}
      <span>
        <Button icon="plus" onClick={add}>
          Add a field
        </Button>
      </span>
      {theirs.length > 0 && (
        <Note kind="warn">
          Somebody else changed the {theirs.join(', the ')} of this connection while you typed. What you typed
          is still here. “Save again” replaces only the fields.
        </Note>
      )}
    </FormDialog>
  )
}
