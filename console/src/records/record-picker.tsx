import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { problemElsewhere } from '../api/problem.ts'
import { Button } from '../parts/button.tsx'
import choices from '../parts/choices.module.css'
import { FieldError } from '../parts/field.tsx'
import { TextFilter } from '../parts/filters.tsx'
import { useHeldSubmit, useRefusedSubmit } from '../parts/use-held-submit.ts'
import { useSubmit } from '../parts/use-submit.ts'
import { useScope } from '../shell/scope.tsx'
import { idOf, type RecordKind, type ShownRecord } from './kinds.ts'
import styles from './record-picker.module.css'

const resultsMax = 5

/**
 * Finds a record by words, such as the company of a person. The person can create one that does not exist, if the API
 * needs only its name.
 */
export function RecordPicker({
  kind,
  label,
  isLabelHidden = false,
  placeholder = 'Find by name',
  recordId,
  autoFocus = false,
  firstWords = '',
  without = [],
  offersNew = true,
  ifUnchosen,
  onWords,
  onChange,
}: {
  kind: RecordKind
  label: string
  isLabelHidden?: boolean
  placeholder?: string
  /** null: none is chosen. */
  recordId: string | null
  autoFocus?: boolean
  /** The words to begin with. */
  firstWords?: string
  /** The ids of records that are not offered. */
  without?: readonly string[]
  /** Whether the person can create a company that does not exist. */
  offersNew?: boolean
  /**
   * The hint while the person has typed words and chosen no record, in a form that can use the words. Without this text,
   * the form refuses such words.
   */
  ifUnchosen?: string
  /** Called at once with the typed words, for a form that can use them if no record is chosen. */
  onWords?: (words: string) => void
  /** Called with the chosen record; null: none. */
  onChange: (recordId: string | null, record: ShownRecord | null) => void
}) {
  const { orgId, api, can } = useScope()
  const id = useId()
  const [typed, setTyped] = useState(firstWords.trim())
  /** The typed words, after a pause: they are searched. */
  const [words, setWords] = useState(firstWords.trim())
  /** The record that was chosen or created last. */
  const [chosen, setChosen] = useState<ShownRecord | null>(null)
  const [isRefused, setRefused] = useState(false)
  const found = useQuery({
    queryKey: ['record-search', orgId, kind.entity, words],
    queryFn: async ({ signal }) =>
      (await kind.apiOf(api).search({ q: words, limit: resultsMax + without.length }, { signal })).data,
    enabled: words !== '',
    placeholderData: (before) => before,
  })
  const create = useSubmit(async () => kind.apiOf(api).create({ name: words, source: 'console' }), {
    onDone: (record) => choose(record),
  })
  const choose = (record: ShownRecord) => {
    setChosen(record)
    onChange(idOf(kind, record), record)
  }
  const part = useRef<HTMLDivElement>(null)
  useHeldSubmit(part, create.isBusy, create.error !== null)
  const isChosen = (one: ShownRecord) => idOf(kind, one) === recordId
  const matches =
    words === ''
      ? []
      : (found.data ?? []).filter((one) => !without.includes(idOf(kind, one))).slice(0, resultsMax)
  // A person may choose a record before the results of the last typed words come. These may be without it.
  const results = chosen && isChosen(chosen) && !matches.some(isChosen) ? [chosen, ...matches] : matches
  const isUnchosen = typed !== '' && !create.isBusy && !results.some(isChosen)
  useRefusedSubmit(part, isUnchosen && ifUnchosen === undefined, () => setRefused(true))
  const isNameKnown = results.some((one) => kind.nameOf(one).toLowerCase() === words.toLowerCase())
  const mayCreate = offersNew && kind.entity === 'company' && can('companies:write')
  const isSearching = typed !== words || (words !== '' && (found.isPending || found.isPlaceholderData))
  /**
   * Enter chooses the first record that was found, and the next Enter submits the form. Until the search ends, Enter does
   * nothing.
   */
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    const [first] = results
    const choosable = results.some(isChosen) ? undefined : first
    if (!choosable && !isSearching) return
    event.preventDefault()
    event.stopPropagation()
    if (choosable && !isSearching) choose(choosable)
  }
  return (
    <div className="stack g4" ref={part}>
      <TextFilter
        label={label}
        isLabelHidden={isLabelHidden}
        placeholder={placeholder}
        value={words}
        autoFocus={autoFocus}
        error={isRefused && isUnchosen ? `Choose a ${kind.one}, or empty this field.` : null}
        onKeyDown={onKeyDown}
        onType={(next) => {
          if (next === typed) return
          setTyped(next)
          setRefused(false)
          onWords?.(next)
          onChange(null, null)
        }}
        onChange={setWords}
      />
      {words !== '' && found.data && results.length === 0 && (
        <p className="t12 two">{kind.none} has these words.</p>
      )}
      {results.length > 0 && (
        <div className={styles.results} role="radiogroup" aria-label={`${label}: found`}>
          {results.map((one) => (
            <label key={idOf(kind, one)}>
              <input
                type="radio"
                className={choices.dot}
                name={id}
                checked={isChosen(one)}
                onChange={() => choose(one)}
              />
              <span className="cut">{kind.nameOf(one)}</span>
              <span className="end three t12 cut">{kind.secondLine(one)}</span>
            </label>
          ))}
        </div>
      )}
      {mayCreate && words !== '' && !isNameKnown && !found.isFetching && !found.isError && (
        <span>
          <Button kind="quiet" icon="plus" isBusy={create.isBusy} onClick={() => create.submit()}>
            Create “{words}”
          </Button>
        </span>
      )}
      {create.isBusy && (
        <p className="t12 two" role="status">
          “{words}” is being created.
        </p>
      )}
      {isUnchosen && ifUnchosen && <p className="t12 two">{ifUnchosen}</p>}
      {found.isError && <FieldError>{problemElsewhere(found.error, [])}</FieldError>}
      {create.rest && <FieldError>{create.rest}</FieldError>}
    </div>
  )
}
