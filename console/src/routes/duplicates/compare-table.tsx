import { useId } from 'react'
import choiceStyles from '../../parts/choices.module.css'
import { Tags } from '../../parts/tag.tsx'
import { dateOf } from '../../parts/times.ts'
import { amountOf } from '../../records/deals/kind.ts'
import { countOf, fieldValue, idOf, people, type RecordKind, type ShownRecord } from '../../records/kinds.ts'
import { isSame } from '../../records/record/use-edit.ts'
import { isEmpty } from '../../records/record/value.tsx'
import type { RecordField } from '../../records/record-field.ts'
import { valueWords } from '../../records/value-words.ts'
import styles from './compare-table.module.css'

export type Choices = Readonly<Record<string, string>>

/**
 * Two records side by side, and the record after their merge. Where they differ, the person chooses whose value the
 * result takes.
 */
export function CompareTable({
  type,
  fields,
  keep,
  loser,
  result,
  choices,
  namesOfCompanies,
  onChoose,
}: {
  type: RecordKind
  fields: readonly RecordField[]
  /** The record that stays, and the one that is merged into it. */
  keep: ShownRecord
  loser: ShownRecord
  /** From the server's dry run; undefined: not known, or the person may not merge. */
  result: ShownRecord | undefined
  choices: Choices
  namesOfCompanies: ReadonlyMap<string, string>
  onChoose: ((name: string, id: string) => void) | null
}) {
  const group = useId()
  const words = (field: RecordField, record: ShownRecord) => {
    const value = fieldValue(record, field.name)
    if (isEmpty(value)) return ''
    if (field.type === 'reference') return namesOfCompanies.get(String(value)) ?? 'A company'
    if (field.type === 'money') return amountOf(record)
    if (field.type === 'people') return countOf(people, (value as unknown[]).length)
    return valueWords(field, value)
  }
  return (
    <table className={styles.table}>
      <caption className="sr">Both records, field by field, and the result</caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="sr">Field</span>
          </th>
          <Head title="Keep" type={type} record={keep} />
          <Head title="Merge in" type={type} record={loser} />
          <th scope="col" className={styles.result}>
            <span className={styles.title}>Result</span>
            <span className="three t12">nothing is changed yet</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {comparedFields(fields, [keep, loser]).map((field) => {
          const { name, label, mergedAs: choice = name } = field
          const [one, other] = [fieldValue(keep, name), fieldValue(loser, name)]
          const canChoose = onChoose !== null && isChoosable(field) && !isSame(one, other)
          const merged = result && fieldValue(result, name)
          // Before the result is known, no value is chosen: an empty value would look like the result.
          const kept = result && [keep, loser].find((record) => isSame(fieldValue(record, name), merged))
          const chosen = choices[choice] ?? (kept && idOf(type, kept))
          const cell = (record: ShownRecord, against: ShownRecord, title: string) => {
            const id = idOf(type, record)
            const shown = (
              <Shown
                field={field}
                record={record}
                text={words(field, record)}
                other={words(field, against)}
              />
            )
            if (!canChoose) return <span className={styles.plain}>{shown}</span>
            return (
              <label className={styles.choice}>
                <input
                  type="radio"
                  className={choiceStyles.dot}
                  name={`${group}-${name}`}
                  aria-label={`${label}: ${title}, ${words(field, record) || 'empty'}`}
                  checked={chosen === id}
                  onChange={() => onChoose(choice, id)}
                />
                {shown}
              </label>
            )
          }
          return (
            <tr key={name} data-same={(isSame(one, other) && (!result || isSame(one, merged))) || undefined}>
              <th scope="row">{label}</th>
              <td>{cell(keep, loser, 'keep')}</td>
              <td>{cell(loser, keep, 'merge in')}</td>
              <td className={styles.result}>
                {result && (
                  <Result field={field} record={result} text={words(field, result)} isFilled={isEmpty(one)} />
                )}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

const Head = ({ title, type, record }: { title: string; type: RecordKind; record: ShownRecord }) => (
  <th scope="col">
    <span className={styles.title}>{title}</span>
    <span className="three t12">
      {type.one} since {dateOf(record.created_at)}
    </span>
  </th>
)

/**
 * The fields that one of two records has. A list is shown with its first value, and a currency with its amount, not by
 * itself.
 */
function comparedFields(fields: readonly RecordField[], records: readonly ShownRecord[]): RecordField[] {
  const shownWithFirst = new Set(fields.flatMap(({ listField }) => listField ?? []))
  return fields.filter(
    ({ name, type }) =>
      type !== 'time' &&
      name !== 'currency' &&
      !shownWithFirst.has(name) &&
      records.some((record) => !isEmpty(fieldValue(record, name))),
  )
}

/**
 * The result has the lists of both records, and all members of `custom`. The reason why a deal is closed comes with its
 * status.
 */
const isChoosable = ({ name, type, isReadOnly, isRuled }: RecordField) =>
  !isReadOnly &&
  !isRuled &&
  !['list', 'people'].includes(type) &&
  name !== 'close_reason_id' &&
  !name.startsWith('custom.')

/** A value. The part that differs from the other record is marked. */
function Shown({
  field,
  record,
  text,
  other,
}: {
  field: RecordField
  record: ShownRecord
  text: string
  other: string
}) {
  if (text === '') return <span className="three">empty</span>
  if (field.type === 'list') return <Tags values={fieldValue(record, field.name)} />
  const [start, middle, end] = differing(text, other)
  return (
    <span className={styles.value}>
      {start}
      {middle && <mark>{middle}</mark>}
      {end}
    </span>
  )
}

function Result({
  field,
  record,
  text,
  isFilled,
}: {
  field: RecordField
  record: ShownRecord
  text: string
  isFilled: boolean
}) {
  if (text === '') return <span className="three">empty</span>
  if (field.type === 'list') return <Tags values={fieldValue(record, field.name)} />
  const list = field.listField === undefined ? [] : fieldValue(record, field.listField)
  const others = Array.isArray(list) ? list.length - 1 : 0
  return (
    <span className={styles.value}>
      {isFilled && (
        <span className={styles.filled}>
          + <span className="sr">filled</span>
        </span>
      )}
      {text}
      {others > 0 && <span className="three"> +{others}</span>}
    </span>
  )
}

/** The text in three parts: the middle differs from the other text. */
function differing(text: string, other: string): [start: string, middle: string, end: string] {
  if (text === other || other === '') return [text, '', '']
  const shorter = Math.min(text.length, other.length)
  let start = 0
  while (start < shorter && text[start] === other[start]) start++
  let end = 0
  while (end < shorter - start && text.at(-1 - end) === other.at(-1 - end)) end++
  return [text.slice(0, start), text.slice(start, text.length - end), text.slice(text.length - end)]
}
