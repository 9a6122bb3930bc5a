import { Button } from '../../parts/button.tsx'
import { Checkbox, Select, TextArea, TextField } from '../../parts/field.tsx'
import { withChosen } from '../../parts/with-chosen.ts'
import type { DraftField } from './draft.ts'
import styles from './field-editor.module.css'
import { answerTypes } from './words.ts'

const contactFields: readonly (readonly [string, string])[] = [
  ['', 'Nothing'],
  ['email', 'E-mail'],
  ['phone', 'Phone'],
  ['first_name', 'First name'],
  ['last_name', 'Last name'],
  ['company_name', 'Company'],
  ['job_title', 'Job title'],
  ['linkedin_url', 'LinkedIn'],
  ['city', 'City'],
  ['region', 'Region'],
  ['country', 'Country'],
]

/** Edits one field of a form. `defined` are the fields of contacts that the organization defined; null: not known yet. */
export function FieldEditor({
  field,
  index,
  defined,
  errorAt,
  onChange,
  onMove,
  onRemove,
}: {
  field: DraftField
  index: number
  defined: readonly { key: string; label: string; unique: boolean }[] | null
  errorAt: (member: string) => string | null
  onChange: (part: Partial<DraftField>) => void
  /** null: the field is the first. */
  onMove: (() => void) | null
  onRemove: () => void
}) {
  // A form never fills a unique field. One that became unique later has its name.
  const custom = (defined ?? [])
    .filter(({ key, unique }) => !unique || field.maps_to === `custom.${key}`)
    .map(({ key, label }) => [`custom.${key}`, label] as const)
  const chosen = defined ? `${field.maps_to.replace('custom.', '')} (deleted)` : field.maps_to
  const hasOptions = field.type === 'select' || field.type === 'multi_select'
  return (
    <fieldset className="stack g8 rule" style={{ paddingTop: 8 }}>
      <legend className="t12 two" style={{ paddingRight: 8 }}>
        Field {index + 1}
      </legend>
      <TextField
        label="Question"
        value={field.label}
        onChange={(label) => onChange({ label })}
        // A field that was just added: what a person types next belongs there.
        autoFocus={field.label === ''}
        error={errorAt('label') ?? errorAt('key')}
        required
      />
      <div className={styles.pair}>
        <Select
          label="Answer"
          value={field.type}
          options={answerTypes}
          onChange={(type) => onChange({ type })}
          error={errorAt('type')}
        />
        <Select
          label="Fills this field of the contact"
          value={field.maps_to}
          options={withChosen([...contactFields, ...custom], field.maps_to, chosen)}
          onChange={(maps_to) => onChange({ maps_to })}
          error={errorAt('maps_to')}
        />
      </div>
      {hasOptions && (
        <TextArea
          label="Options"
          value={field.options}
          onChange={(options) => onChange({ options })}
          error={errorAt('options')}
          hint="One per line."
          rows={3}
        />
      )}
      <TextField
        label="Help"
        value={field.hint}
        onChange={(hint) => onChange({ hint })}
        error={errorAt('hint')}
        hint="A short text below the field."
      />
      <div className="rail wrap">
        <Checkbox checked={field.required} onChange={(required) => onChange({ required })}>
          Needs an answer
        </Checkbox>
        {onMove && (
          <Button kind="quiet" aria-label={`Move up field ${index + 1}`} onClick={onMove}>
            Move up
          </Button>
        )}
        <Button kind="quiet" danger aria-label={`Remove field ${index + 1}`} onClick={onRemove}>
          Remove
        </Button>
      </div>
    </fieldset>
  )
}
