import { useState } from 'react'
import { ApiError } from '../../../../../sdk/src/errors.ts'
import type { Field, FieldEntity, FieldType } from '../../../../../sdk/src/generated/types.ts'
import { Checkbox, Select, TextField } from '../../../parts/field.tsx'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { Note } from '../../../parts/note.tsx'
import { count } from '../../../parts/numbers.ts'
import { useChanges } from '../../../parts/use-changes.ts'
import { useSubmit } from '../../../parts/use-submit.ts'
import { useScope } from '../../../shell/scope.tsx'
import { OfferingForms } from './offering-forms.tsx'
import { OptionsField, withTyped } from './options-field.tsx'
import { type ExistingValues, RecordLinks, UnfitValues } from './unfit-values.tsx'
import { entityNames, hasOptions, keyOfLabel, typeNames } from './words.ts'

const names = {
  label: 'the name',
  description: 'the help text',
  type: 'the type',
  options: 'the options',
  filterable: 'the index',
}

const settingsOf = ({ label, description, type, options, filterable }: Field) => ({
  ...{ label, description: description ?? '', type, options, filterable },
})

/** Defines a field, or changes it. If records have values that do not fit, it shows how many, and links to some. */
export function FieldDialog({
  field,
  entity: firstEntity,
  onClose,
  onDone,
}: {
  /** null: a new field. */
  field: Field | null
  entity: FieldEntity
  onClose: () => void
  onDone: () => void
}) {
  const { api } = useScope()
  const [entity, setEntity] = useState(firstEntity)
  const [label, setLabel] = useState(field?.label ?? '')
  const [typedKey, setTypedKey] = useState<string | null>(null)
  const [description, setDescription] = useState(field?.description ?? '')
  const [type, setType] = useState<FieldType>(field?.type ?? 'text')
  const [options, setOptions] = useState<readonly string[]>(field?.options ?? [])
  const [typedOption, setTypedOption] = useState('')
  const [filterable, setFilterable] = useState(field?.filterable ?? false)
  const [unfit, setUnfit] = useState<ExistingValues>('refuse')
  const key = typedKey ?? keyOfLabel(label)
  const existing = unfit === 'refuse' ? {} : { existing: unfit }
  const allOptions = hasOptions(type) ? withTyped(options, typedOption) : []
  const changes = useChanges(field, {
    settingsOf,
    names,
    others: 'the position',
    read: async ({ field_id }) => api.fields.get(field_id),
    update: async ({ field_id }, changed, version) =>
      api.fields.update(field_id, { ...changed, ...existing }, { ifMatch: version }),
  })
  const work = async (): Promise<boolean> => {
    const settings = { label, description, type, options: allOptions, filterable }
    if (field) return changes.save(settings)
    await api.fields.create({
      ...{ entity, key, label, type, filterable },
      ...(description.trim() === '' ? {} : { description }),
      ...(hasOptions(type) ? { options: allOptions } : {}),
      ...existing,
    })
    return true
  }
  const form = useSubmit(work, {
    places: ['label', 'key', 'description', 'type', 'options'],
    onDone: (isSaved) => isSaved && onDone(),
  })
  const code = form.error instanceof ApiError ? form.error.code : null
  const isUnfit = code === 'field_values_unfit'
  const isTaken = code === 'field_exists'
  return (
    <FormDialog
      title={field ? `Change ${field.label}` : 'New field'}
      act={field ? 'Save' : 'Define field'}
      form={isUnfit || isTaken ? { ...form, rest: null } : form}
      onClose={onClose}
    >
      {!field && <Select label="Records" value={entity} options={entityNames} onChange={setEntity} />}
      <TextField label="Name" value={label} onChange={setLabel} error={form.errorAt('label')} autoFocus />
      <TextField
        label="Key"
        value={field?.key ?? key}
        disabled={field !== null}
        spellCheck={false}
        hint={
          field ? 'The key never changes.' : 'The name in programs and in files. You cannot change it later.'
        }
        error={isTaken ? form.rest : form.errorAt('key')}
        onChange={setTypedKey}
      />
      <Select label="Type" value={type} options={typeNames} error={form.errorAt('type')} onChange={setType} />
      {hasOptions(type) && (
        <OptionsField
          options={options}
          typed={typedOption}
          error={form.errorAt('options')}
          onChange={setOptions}
          onType={setTypedOption}
        />
      )}
      {field && (
        <OfferingForms field={field} lost={field.options.filter((each) => !allOptions.includes(each))} />
      )}
      <TextField
        label="Help text"
        value={description}
        hint="Shown beside the field. Empty: none."
        error={form.errorAt('description')}
        onChange={setDescription}
      />
      <Checkbox checked={filterable} onChange={setFilterable}>
        Make filters by this field fast. At most 20 fields of each type of record have an index.
      </Checkbox>
      {field?.conversion && field.conversion.unfit > 0 && (
        <Note>
          When the values were converted, {count(field.conversion.unfit)} did not fit. Change them in{' '}
          <RecordLinks entity={entity} ids={field.conversion.unfit_ids} word="record" />.
        </Note>
      )}
      {changes.theirs.length > 0 && (
        <Note kind="warn">
          Somebody else changed {changes.theirs.join(' and ')} meanwhile. Save again to keep their change and
          yours, where they differ.
        </Note>
      )}
      {isUnfit && form.error instanceof ApiError && (
        <UnfitValues detail={form.error.detail} {...{ entity }} existing={unfit} onChoose={setUnfit} />
      )}
    </FormDialog>
  )
}
