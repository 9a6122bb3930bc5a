import { useId, useMemo, useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { clockOf } from '../../parts/times.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import { companies, fieldValue } from '../kinds.ts'
import type { RecordField } from '../record-field.ts'
import { useRecordNames } from '../use-record-names.ts'
import { valueWords } from '../value-words.ts'
import styles from './conflict-dialog.module.css'
import type { Conflict } from './use-edit.ts'

/** Shows what two people wrote into the same field, and what was there before. The person chooses one of the two. */
export function ConflictDialog({
  field,
  conflict: { by, before, theirs, changed },
  mine,
  work,
  onDiscard,
  onClose,
}: {
  field: RecordField
  conflict: Conflict
  mine: unknown
  work: (value: unknown) => Promise<unknown>
  onDiscard: () => void
  onClose: () => void
}) {
  const [isMine, setMine] = useState(true)
  const name = useId()
  const others = changed.filter((one) => one.name !== field.name)
  const their = fieldValue(theirs, field.name)
  const form = useSubmit(() => work(isMine ? mine : their))
  const names = useRecordNames(
    companies,
    useMemo(
      () =>
        [
          ...(field.type === 'reference' ? [mine] : []),
          ...changed
            .filter(({ type }) => type === 'reference')
            .flatMap(({ name }) => [fieldValue(before, name), fieldValue(theirs, name)]),
        ].filter((value) => typeof value === 'string'),
      [field, changed, before, theirs, mine],
    ),
  )
  const words = (one: RecordField, value: unknown, record = theirs) =>
    one.type === 'reference' && typeof value === 'string'
      ? (names.get(value) ?? 'A company')
      : valueWords(one, value, record) || '–'
  return (
    <FormDialog
      title={`${by} changed this while you were typing`}
      act="Save as chosen"
      form={form}
      isDraft={false}
      wide
      cancel="Back"
      onClose={onClose}
    >
      <p className="two">
        Both of you changed <b className="strong">{field.label}</b>. Nothing of yours is lost.
        {others.length > 0 && ` What they changed in ${others.map(({ label }) => label).join(', ')} is kept.`}
      </p>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Before</th>
            <th scope="col">
              {by}, {clockOf(theirs.updated_at)}
            </th>
            <th scope="col">You</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">{field.label}</th>
            <td>
              <s>{words(field, fieldValue(before, field.name), before)}</s>
            </td>
            <td>
              <label>
                <input type="radio" name={name} checked={!isMine} onChange={() => setMine(false)} />
                <span>{words(field, their)}</span>
              </label>
            </td>
            <td>
              <label>
                <input
                  type="radio"
                  name={name}
                  checked={isMine}
                  onChange={() => setMine(true)}
                  data-autofocus
                />
                <mark>{words(field, mine)}</mark>
              </label>
            </td>
          </tr>
          {others.map((one) => (
            <tr key={one.name}>
              <th scope="row">{one.label}</th>
              <td>
                <s>{words(one, fieldValue(before, one.name), before)}</s>
              </td>
              <td>{words(one, fieldValue(theirs, one.name))}</td>
              <td className="three">not touched</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className={styles.discard}>
        <Button kind="quiet" danger onClick={onDiscard}>
          Discard my changes
        </Button>
      </div>
    </FormDialog>
  )
}
