import { useMemo } from 'react'
import { companies } from '../kinds.ts'
import { RecordPicker } from '../record-picker.tsx'
import { useRecordNames } from '../use-record-names.ts'

/**
 * Chooses the company of a filter.
 * @param companyId the empty text: none is chosen
 */
export function CompanyOperand({
  companyId,
  onChange,
}: {
  companyId: string
  onChange: (companyId: string) => void
}) {
  const names = useRecordNames(
    companies,
    useMemo(() => (companyId === '' ? [] : [companyId]), [companyId]),
  )
  const name = names.get(companyId)
  return (
    <div className="stack g4">
      <RecordPicker
        kind={companies}
        label="Company"
        placeholder="Find by name or domain"
        recordId={companyId || null}
        offersNew={false}
        onChange={(chosen) => onChange(chosen ?? '')}
      />
      {name !== undefined && <p className="t12 two">Chosen: {name}</p>}
    </div>
  )
}
