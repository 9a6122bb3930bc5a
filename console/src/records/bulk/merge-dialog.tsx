import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../../../sdk/src/errors.ts'
import { problemOf } from '../../api/problem.ts'
import { Checkbox, Select } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Note } from '../../parts/note.tsx'
import { count } from '../../parts/numbers.ts'
import { showToast } from '../../parts/toast.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useScope } from '../../shell/scope.tsx'
import { fieldValue, idOf, type RecordKind, type ShownRecord } from '../kinds.ts'
import { isSame } from '../record/use-edit.ts'
import { isEmpty, Value } from '../record/value.tsx'
import type { RecordField, ValueType } from '../record-field.ts'
import { reloadLists } from '../record-queries.ts'
import { undoMerge } from '../undo-merge.ts'
import { valueWords } from '../value-words.ts'
import styles from './merge-dialog.module.css'
import { mergeRecords } from './merge-records.ts'

/**
 * Merges the selected records. The server says first what the result would be; the person chooses the survivor, and
 * whose value each field takes.
 */
export function MergeDialog({
  kind,
  fields,
  ids,
  onClose,
  onDone,
}: {
  kind: RecordKind
  fields: readonly RecordField[]
  ids: readonly string[]
  onClose: () => void
  onDone: () => void
}) {
  const { orgId, api } = useScope()
  const queries = useQueryClient()
  const [survivorId, setSurvivorId] = useState(ids[0] ?? '')
  const [choices, setChoices] = useState<Readonly<Record<string, string>>>({})
  const [force, setForce] = useState(false)
  const body = {
    entity_type: kind.entity,
    survivor_id: survivorId,
    loser_ids: ids.filter((id) => id !== survivorId),
    field_choices: choices,
    force,
  }
  const records = useQuery({
    queryKey: ['merge-records', orgId, ids],
    queryFn: async ({ signal }) =>
      (await kind.apiOf(api).batchRead({ ids: [...ids] }, { signal })).flatMap(({ record }) => record ?? []),
  })
  const preview = useQuery({
    queryKey: ['merge-preview', orgId, body],
    queryFn: async ({ signal }) => api.duplicates.merges.create({ ...body, dry_run: true }, { signal }),
    placeholderData: (before) => before,
  })
  const areDifferent = preview.error instanceof ApiError && preview.error.code === 'verdict_different'
  /** Undoes the merges one by one, the latest first. After a failure, the person can try again: only the remaining ones are undone then. */
  const undo = async (left: string[], all = left.length): Promise<void> => {
    try {
      for (let last = left.at(-1); last !== undefined; last = left.at(-1)) {
        await undoMerge(api, last)
        left.pop()
      }
      showToast('The merge is undone. All records are back.')
    } catch (error) {
      const words = left.length < all ? 'not undone completely' : 'not undone'
      showToast(`The merge is ${words}: ${problemOf(error).text}`, 'bad', {
        name: 'Undo',
        run: () => void undo(left, all),
      })
    }
    void queries.invalidateQueries({ queryKey: ['record', orgId] })
    void reloadLists(kind, orgId)
  }
  const form = useSubmit(() => mergeRecords(api, body), {
    onDone: ({ mergeIds, record }) => {
      const other =
        record && preview.data ? otherValues(fields, preview.data.record as ShownRecord, record) : ''
      const changed = other && ` Somebody changed one of them meanwhile. Not as you saw it: ${other}.`
      showToast(`${count(ids.length)} ${kind.many} are merged.${changed}`, changed ? 'bad' : 'ok', {
        name: 'Undo',
        run: () => void undo(mergeIds),
      })
      onDone()
    },
  })
  const late = lateWords(form.error)
  const latePreview = lateWords(preview.error)
  return (
    <FormDialog
      title={`Merge ${count(ids.length)} ${kind.many}`}
      act={`Merge ${count(ids.length)} ${kind.many}`}
      icon="merge"
      form={late ? { ...form, rest: late } : form}
      isDraft={false}
      isBlocked={!preview.isSuccess || preview.isPlaceholderData || preview.isError}
      wide
      onClose={onClose}
    >
      <p className="two">
        The survivor keeps its id. The ids of the others lead to it. A merge can be undone.
      </p>
      <Loaded query={records}>
        {(found) => (
          <>
            <fieldset className={styles.survivors}>
              <legend>Survivor</legend>
              {found.map((record) => (
                <label key={idOf(kind, record)}>
                  <input
                    type="radio"
                    name="survivor"
                    checked={idOf(kind, record) === survivorId}
                    onChange={() => {
                      setSurvivorId(idOf(kind, record))
                      setChoices({})
                    }}
                  />
                  <span>{kind.nameOf(record)}</span>
                  <span className="three cut">{kind.secondLine(record)}</span>
                </label>
              ))}
            </fieldset>
            {areDifferent ? (
              <Note kind="warn">Somebody said that two of these are different, or undid their merge.</Note>
            ) : latePreview ? (
              <Note kind="warn">{latePreview}</Note>
            ) : (
              <Loaded query={preview}>
                {({ record }) => (
                  <Result
                    {...{ kind, fields, choices }}
                    records={found}
                    result={record as ShownRecord}
                    onChoose={(name, id) => setChoices({ ...choices, [name]: id })}
                  />
                )}
              </Loaded>
            )}
          </>
        )}
      </Loaded>
      {(force || areDifferent) && (
        <Checkbox checked={force} onChange={setForce}>
          Merge although somebody said that these are different
        </Checkbox>
      )}
    </FormDialog>
  )
}

/** What to do if one of the records was merged or erased meanwhile; null: none was. */
function lateWords(error: unknown): string | null {
  if (!(error instanceof ApiError)) return null
  if (error.code === 'record_merged')
    return 'One of these was merged into another record meanwhile. Close this, and select the records again.'
  return error.status === 404
    ? 'One of these does not exist any more. Close this, and select the others again.'
    : null
}

/** The values that a person decides about. The others have rules of their own. */
const isDecided = ({ isReadOnly, listField }: RecordField) => !isReadOnly && listField === undefined

/** The labels of the fields in which two results differ. */
const otherValues = (fields: readonly RecordField[], seen: ShownRecord, record: ShownRecord): string =>
  fields
    .filter(
      (field) => isDecided(field) && !isSame(fieldValue(seen, field.name), fieldValue(record, field.name)),
    )
    .map(({ label }) => label)
    .join(', ')

/** Types of fields whose values a merge joins or takes by rules of its own. */
const unchosen: readonly ValueType[] = ['list', 'reference', 'people']

const wordsOf = (field: RecordField, record: ShownRecord) =>
  valueWords(field, fieldValue(record, field.name), record)

/** The record after the merge. Where the records differ, the person chooses whose value stays. */
function Result({
  kind,
  fields,
  records,
  result,
  choices,
  onChoose,
}: {
  kind: RecordKind
  fields: readonly RecordField[]
  records: readonly ShownRecord[]
  result: ShownRecord
  choices: Readonly<Record<string, string>>
  onChoose: (name: string, id: string) => void
}) {
  const decided = fields.filter((field) => isDecided(field) && !isEmpty(fieldValue(result, field.name)))
  return (
    <div className={styles.result}>
      <h3>Result</h3>
      <dl>
        {decided.map((field) => {
          const { name, label, type, isRuled } = field
          const differing = records.filter((record) => !isEmpty(fieldValue(record, name)))
          const values = Map.groupBy(differing, (record) => wordsOf(field, record))
          const choice = field.mergedAs ?? name
          const isPart = choice !== name && fields.some((other) => other.name === choice)
          const canChoose =
            values.size > 1 && !isPart && !isRuled && !unchosen.includes(type) && !name.startsWith('custom.')
          const options = [...values].map(
            ([words, [first]]) => [first ? idOf(kind, first) : '', words] as const,
          )
          const shown = wordsOf(field, result)
          const current = choices[choice] ?? options.find(([, words]) => words === shown)?.[0] ?? ''
          return (
            <div key={name}>
              <dt>{label}</dt>
              <dd>
                {canChoose ? (
                  <Select
                    label={label}
                    isLabelHidden
                    value={current}
                    options={options}
                    onChange={(id) => onChoose(choice, id)}
                  />
                ) : type === 'reference' || type === 'people' ? (
                  <Value field={field} record={result} />
                ) : (
                  shown
                )}
              </dd>
            </div>
          )
        })}
      </dl>
    </div>
  )
}
