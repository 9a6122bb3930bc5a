import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { Button, KeyboardKey } from '../../parts/button.tsx'
import { FieldError } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Note } from '../../parts/note.tsx'
import { twoMeanings } from '../../parts/numbers.ts'
import { useUnsaved } from '../../parts/unsaved.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { fieldValue, type RecordKind, type ShownRecord } from '../kinds.ts'
import { isWhole, type RecordField } from '../record-field.ts'
import { ConflictDialog } from './conflict-dialog.tsx'
import { amountIn } from './currency-change.ts'
import styles from './editable-value.module.css'
import { Editor, readTyped, typedText } from './editor.tsx'
import { isSame, useEdit } from './use-edit.ts'
import { isEmpty, Value } from './value.tsx'

type Props = { kind: RecordKind; fields: readonly RecordField[]; field: RecordField; record: ShownRecord }

/**
 * A value that a person changes where it stands: Enter saves it, and Escape restores it.
 * @param canEdit false: nobody can begin. What a person types already stays until they save or cancel it.
 */
export function EditableValue({ canEdit, ...props }: Props & { canEdit: boolean }) {
  const [isEditing, setEditing] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const isClosed = useRef(false)
  const { field, record } = props
  useEffect(() => {
    // The focus returns when the button is back.
    if (!isEditing && isClosed.current) button.current?.focus()
    isClosed.current = false
  }, [isEditing])
  const isBlank = isEmpty(fieldValue(record, field.name))
  if (isEditing)
    return (
      <ValueForm
        {...props}
        onClose={() => {
          isClosed.current = !isElsewhere(field)
          setEditing(false)
        }}
      />
    )
  if (!canEdit) return <Value field={field} record={record} />
  return (
    <div className={styles.value}>
      {isBlank ? (
        <button ref={button} type="button" className={styles.add} onClick={() => setEditing(true)}>
          Add<span className="sr"> {field.label}</span>
        </button>
      ) : (
        <>
          <div className="grow">
            <Value field={field} record={record} />
          </div>
          <button
            ref={button}
            type="button"
            className={styles.edit}
            aria-label={`Edit ${field.label}`}
            onClick={() => setEditing(true)}
          >
            <Icon name="pencil" size={14} />
          </button>
        </>
      )}
    </div>
  )
}

function ValueForm({ kind, fields, field, record, onClose }: Props & { onClose: () => void }) {
  const before = useRef(typedText(field, record))
  const [text, setText] = useState(before.current)
  /** The text that was not saved because of `advice`. */
  const [advised, setAdvised] = useState('')
  const latest = useRef(text)
  const { save, conflict, forget } = useEdit(kind, fields, record)
  const id = useId()
  const { form: unsaved, noteSubmitted, question } = useUnsaved()
  const place = field.name
  const work = async (value: unknown) => ((await save(field, value)) === 'saved' ? onClose() : undefined)
  const saveTyped = async () => {
    if ((await save(field, readTyped(field, text, record))) !== 'saved') return
    // What the person typed meanwhile stays. A choice is a whole value: it was made before, or is made again.
    if (latest.current === text || field.type === 'reference') return onClose()
    before.current = text
    noteSubmitted()
  }
  const form = useSubmit(saveTyped, { places: [place] })
  const isCollision = conflict?.changed.some(({ name }) => name === field.name) ?? false
  // Somebody archived it meanwhile. The note says what to do.
  const isArchived = record.archived_at !== null
  const advice = adviceOf(field, text, record)
  const submit = () => {
    if (text === before.current && !conflict) onClose()
    else if (advice !== null) setAdvised(text)
    else if (!isArchived) form.submit()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key === 'Escape') {
      // The Escape of the editor must not also close the peek.
      event.preventDefault()
      event.stopPropagation()
      onClose()
    } else if (event.key === 'Enter' && !event.shiftKey && !(event.target instanceof HTMLButtonElement)) {
      event.preventDefault()
      event.currentTarget.requestSubmit()
    }
  }
  const refused = form.errorAt(place)
  const isNoAmount = field.type === 'money' && typeof readTyped(field, text, record) === 'string'
  const error =
    advised === text && advice !== null
      ? advice
      : refused && isNoAmount
        ? 'Type a number, such as 12,500 or 99.50.'
        : refused
  return (
    <>
      <Form
        isBusy={form.isBusy}
        ref={unsaved}
        className={styles.form}
        data-field={field.name}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
        onKeyDown={onKeyDown}
      >
        <Editor
          field={field}
          text={text}
          error={error !== null}
          describedBy={`${id}-hint`}
          onChange={(next) => {
            latest.current = next
            setText(next)
          }}
        />
        <p className={styles.hint} id={`${id}-hint`}>
          {field.type === 'list' && <span>One on each line. Shift+Enter begins a line.</span>}
          <Button kind="quiet" type="submit" isBusy={form.isBusy} disabled={isArchived}>
            {conflict && !isCollision ? 'Save again' : 'Save'}
          </Button>
          <KeyboardKey>↵</KeyboardKey>
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
          <KeyboardKey>Esc</KeyboardKey>
        </p>
        {error && <FieldError>{error}</FieldError>}
        {form.rest && <Note kind="bad">{form.rest}</Note>}
        {isArchived && (
          <Note kind="warn">
            This {kind.one} was archived meanwhile. Restore it to save what you typed, or cancel.
          </Note>
        )}
        {conflict && !isCollision && !isArchived && (
          <Note kind="warn">
            {conflict.by} changed {namesOf(conflict.changed)} meanwhile. Your change is not saved yet.
          </Note>
        )}
      </Form>
      {conflict && isCollision && (
        <ConflictDialog
          {...{ field, conflict }}
          mine={readTyped(field, text, record)}
          work={(value) =>
            isSame(value, fieldValue(conflict.theirs, field.name)) ? Promise.resolve(onClose()) : work(value)
          }
          onDiscard={onClose}
          onClose={forget}
        />
      )}
      {question}
    </>
  )
}

/** Whether the person went on to something else of the page while the value of this field was saved. */
function isElsewhere({ name }: RecordField): boolean {
  const active = document.activeElement
  return active !== null && !active.matches(`body, main, dialog *, form[data-field="${CSS.escape(name)}"] *`)
}

/** Why a typed text must not be sent; null: it can be. */
function adviceOf({ type, name }: RecordField, text: string, record: ShownRecord): string | null {
  const typed = text.trim()
  if (name === 'currency' && amountIn(record, typed) === null)
    return `The amount has more decimals than ${typed.toUpperCase()}. Change the amount first.`
  // As text, the API would take it for a number with decimals.
  return type === 'number' && !isWhole(name) ? twoMeanings(text) : null
}

const namesOf = (fields: readonly RecordField[]): string =>
  fields.length === 0 ? 'another value' : fields.map(({ label }) => label).join(', ')
