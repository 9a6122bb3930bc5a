import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { problemElsewhere } from '../api/problem.ts'
import choiceStyles from '../parts/choices.module.css'
import { FieldError, Segments } from '../parts/field.tsx'
import { TextFilter } from '../parts/filters.tsx'
import { type EntityType, type FoundRecord, readPermissions, searchRecords } from '../shell/record-search.ts'
import { useScope } from '../shell/scope.tsx'
import styles from './record-field.module.css'

export type PickedRecord = { entity_type: EntityType; record_id: string }

const types = [
  ['contact', 'Person'],
  ['company', 'Company'],
  ['deal', 'Deal'],
] as const

const resultsMax = 6

/** Finds the record that a task is about: the best matches of the typed words, or the newest records. */
export function RecordField({
  record,
  onChange,
  error,
}: {
  record: PickedRecord | null
  onChange: (record: PickedRecord | null) => void
  error: string | null
}) {
  const scope = useScope()
  const id = useId()
  const offered = types.filter(([type]) => scope.can(readPermissions[type]))
  const [type, setType] = useState<EntityType>(offered[0]?.[0] ?? 'contact')
  const [words, setWords] = useState('')
  const found = useQuery({
    queryKey: ['task-record-search', scope.orgId, type, words],
    queryFn: ({ signal }) => searchRecords(scope, type, { words, limit: resultsMax }, signal),
    enabled: offered.length > 0,
  })
  const [chosen, setChosen] = useState<FoundRecord | null>(null)
  const results = found.data ?? []
  // A person may choose a record before the results of the last typed words come. These may be without it.
  const isLeftOut =
    record !== null &&
    record.record_id === chosen?.record_id &&
    results.every(({ record_id }) => record_id !== chosen.record_id)
  const shown = isLeftOut ? [chosen, ...results] : results
  return (
    <fieldset className="stack g12" aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="sr">About</legend>
      <Segments
        label="About"
        value={type}
        options={offered}
        onChange={(next) => {
          setType(next)
          onChange(null)
        }}
      />
      <TextFilter
        label="Find by name"
        value={words}
        // The chosen record may not be among the next ones.
        onType={(next) => next !== words && onChange(null)}
        onChange={setWords}
      />
      {record === null && <p className="t12 three">Choose the record that the task is about.</p>}
      {found.isError && <FieldError>{problemElsewhere(found.error, [])}</FieldError>}
      {found.data?.length === 0 && (
        <p className="two">No {type === 'contact' ? 'person' : type} has these words.</p>
      )}
      {shown.length > 0 && (
        <div className={styles.results} role="radiogroup" aria-label={`${type} found`}>
          {shown.map((one) => (
            <label key={one.record_id}>
              <input
                type="radio"
                className={choiceStyles.dot}
                name={id}
                checked={record?.record_id === one.record_id}
                onChange={() => {
                  setChosen(one)
                  onChange({ entity_type: type, record_id: one.record_id })
                }}
              />
              <span className="cut">{one.name}</span>
            </label>
          ))}
        </div>
      )}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </fieldset>
  )
}
