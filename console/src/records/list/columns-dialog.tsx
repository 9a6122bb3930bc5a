import { useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Checkbox, TextField } from '../../parts/field.tsx'
import { MoveButtons } from '../../parts/move-buttons.tsx'
import { count } from '../../parts/numbers.ts'
import type { RecordField } from '../record-field.ts'
import styles from './columns-dialog.module.css'

/** With more fields than this, the dialog can find one. */
const unsearchedMax = 30

/** Chooses the columns of a list and their order. Each change applies at once. */
export function ColumnsDialog({
  fields,
  chosen,
  onChange,
  onClose,
}: {
  fields: readonly RecordField[]
  chosen: readonly RecordField[]
  /** null: the columns that Crosswalk chooses. */
  onChange: (names: readonly string[] | null) => void
  onClose: () => void
}) {
  const names = chosen.map(({ name }) => name)
  // The grid shows the name itself.
  const others = fields.filter(({ name }) => name !== 'name' && !names.includes(name))
  const [words, setWords] = useState('')
  const found = others.filter(({ label }) => label.toLowerCase().includes(words.trim().toLowerCase()))
  const [said, setSaid] = useState('')
  const move = (index: number, to: number) => {
    const name = names[index]
    if (name === undefined) return
    onChange(names.toSpliced(index, 1).toSpliced(to, 0, name))
    setSaid(`${chosen[index]?.label} is now column ${to + 1} of ${names.length}`)
  }
  return (
    <Dialog
      title="Columns"
      onClose={onClose}
      foot={
        <>
          <Button kind="quiet" onClick={() => onChange(null)}>
            Reset
          </Button>
          <Button kind="main" onClick={onClose} data-autofocus>
            Done
          </Button>
        </>
      }
    >
      <p className="two">The name is always the first column. This browser remembers your choice.</p>
      <ul className={styles.list} aria-label="Shown columns">
        {chosen.map(({ name, label }, index) => (
          <li key={name}>
            <Checkbox checked onChange={() => onChange(names.toSpliced(index, 1))}>
              {label}
            </Checkbox>
            <span className="rail end g4">
              <MoveButtons
                label={label}
                index={index}
                last={names.length - 1}
                onMove={(by) => move(index, index + by)}
              />
            </span>
          </li>
        ))}
      </ul>
      {fields.length > unsearchedMax && (
        <TextField label="Find a field" value={words} onChange={setWords} autoComplete="off" />
      )}
      {found.length < others.length && (
        <p role="status">
          {count(found.length)} of {count(others.length)} other fields.
        </p>
      )}
      <ul className={styles.list} aria-label="Other columns">
        {found.map(({ name, label }) => (
          <li key={name}>
            <Checkbox checked={false} onChange={() => onChange([...names, name])}>
              {label}
            </Checkbox>
          </li>
        ))}
      </ul>
      <span className="sr" role="status">
        {said}
      </span>
    </Dialog>
  )
}
