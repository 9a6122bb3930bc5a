import { useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { companies } from '../kinds.ts'
import { RecordPicker } from '../record-picker.tsx'

/** Chooses the company of a record: one that exists, a new one, or none. */
export function CompanyEditor({
  label,
  text,
  early,
  onChange,
}: {
  label: string
  /** The id of the company; the empty text: none. */
  text: string
  /** What the person typed before the editor was there. */
  early: string
  onChange: (companyId: string) => void
}) {
  const [before] = useState(text)
  return (
    <div className="stack g4">
      <RecordPicker
        kind={companies}
        label={label}
        isLabelHidden
        placeholder="Find by name or domain"
        recordId={text || null}
        firstWords={early}
        autoFocus
        // Nothing changes until the person chooses a company.
        onChange={(companyId) => onChange(companyId ?? before)}
      />
      {before !== '' && (
        <span>
          <Button kind="quiet" icon="close" aria-pressed={text === ''} onClick={() => onChange('')}>
            {text === '' ? 'The link will be removed' : 'Remove the link'}
          </Button>
        </span>
      )}
    </div>
  )
}
