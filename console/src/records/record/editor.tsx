import { type KeyboardEvent, Suspense, useState } from 'react'
import { localTimeText, utcText } from '../../parts/days.ts'
import fieldStyles from '../../parts/field.module.css'
import { decimalOf, minorOf, wholeOf } from '../../parts/numbers.ts'
import { lazyPart } from '../../routing/lazy-part.ts'
import { fieldValue, type ShownRecord } from '../kinds.ts'
import { useGivenOwners } from '../owners.ts'
import { isWhole, type RecordField, yesOrNo } from '../record-field.ts'
import styles from './editor.module.css'

const CompanyEditor = lazyPart(() => import('./company-editor.tsx'), 'CompanyEditor')

/**
 * The value of a field as typed text. Lists have a line for each value, amounts are decimal numbers, and times are in the
 * time zone of this computer.
 */
export function typedText({ type, name }: RecordField, record: ShownRecord): string {
  const value = fieldValue(record, name)
  const time = type === 'datetime' ? new Date(String(value)) : null
  if (time && !Number.isNaN(time.getTime())) return localTimeText(time)
  return type === 'money' && typeof value === 'number' ? decimalOf(value, currencyOf(record)) : textOf(value)
}

const currencyOf = ({ currency }: ShownRecord) => (typeof currency === 'string' ? currency : 'EUR')

const textOf = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(String).join('\n')
    : value === null || value === undefined
      ? ''
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value)

/**
 * The value that the API gets: it reads numbers and dates of defined fields from text. null: no value. Something that is
 * no amount remains a text, which the API refuses.
 */
export function readTyped({ type, name }: RecordField, text: string, record: ShownRecord): unknown {
  if (type === 'list' || type === 'multi_select')
    return text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
  const typed = text.trim()
  if (typed === '') return null
  if (type === 'money') return minorOf(typed, currencyOf(record)) ?? typed
  if (type === 'datetime') {
    const time = new Date(typed)
    return Number.isNaN(time.getTime()) ? typed : utcText(time)
  }
  return isWhole(name) ? (wholeOf(typed) ?? typed) : typed
}

/** The control for a value, as its type needs it. */
export function Editor({
  field,
  text,
  error,
  describedBy,
  onChange,
}: {
  field: RecordField
  text: string
  error: boolean
  describedBy: string
  onChange: (text: string) => void
}) {
  const { type, label, name, options = [] } = field
  const given = useGivenOwners()
  const [early, setEarly] = useState('')
  const common = {
    'aria-label': label,
    'aria-describedby': describedBy,
    'aria-invalid': error || undefined,
    className: styles.input,
    // The person asked for this field.
    autoFocus: true,
  }
  if (type === 'multi_select') return <Options {...{ label, options, text, onChange }} />
  if (type === 'select' || type === 'boolean' || type === 'choice') {
    const isOwner = name === 'owner_id'
    const choices =
      (isOwner ? given.owners : field.choices) ??
      (type === 'boolean' ? yesOrNo : options.map((one) => [one, one] as const))
    return (
      <select {...common} value={text} onChange={(event) => onChange(event.target.value)}>
        {(!isOwner || given.mayBeNobody || text === '') && <option value="">–</option>}
        {text !== '' && !choices.some(([value]) => value === text) && (
          <option value={text}>{field.choices?.find(([value]) => value === text)?.[1] ?? text}</option>
        )}
        {choices.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    )
  }
  if (type === 'reference')
    return (
      // Until the editor is there, this field takes what the person types.
      <Suspense
        fallback={
          <input
            {...common}
            type="search"
            value={early}
            onChange={(event) => setEarly(event.target.value)}
            onKeyDown={holdEnter}
          />
        }
      >
        <CompanyEditor {...{ label, text, early, onChange }} />
      </Suspense>
    )
  if (type === 'list')
    return (
      <textarea
        {...common}
        rows={Math.min(8, text.split('\n').length + 1)}
        value={text}
        onChange={(event) => onChange(event.target.value)}
      />
    )
  return (
    <input
      {...common}
      type={type === 'date' ? 'date' : type === 'datetime' ? 'datetime-local' : 'text'}
      inputMode={
        type === 'number' || type === 'money'
          ? 'decimal'
          : type === 'phone'
            ? 'tel'
            : type === 'email'
              ? 'email'
              : undefined
      }
      autoComplete="off"
      value={text}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

function Options({
  label,
  options,
  text,
  onChange,
}: {
  label: string
  options: readonly string[]
  text: string
  onChange: (text: string) => void
}) {
  const chosen = text.split('\n').filter(Boolean)
  return (
    <fieldset className={styles.options} aria-label={label}>
      {options.map((one, index) => (
        <label key={one}>
          <input
            type="checkbox"
            className={fieldStyles.tick}
            // biome-ignore lint/a11y/noAutofocus: the person asked for this field
            autoFocus={index === 0}
            checked={chosen.includes(one)}
            onChange={(event) =>
              onChange(
                options
                  .filter((each) => (each === one ? event.target.checked : chosen.includes(each)))
                  .join('\n'),
              )
            }
          />
          {one}
        </label>
      ))}
    </fieldset>
  )
}

/** The form would close: nothing is chosen yet. */
function holdEnter(event: KeyboardEvent): void {
  if (event.key !== 'Enter') return
  event.preventDefault()
  event.stopPropagation()
}
