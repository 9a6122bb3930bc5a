import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import choices from '../../parts/choices.module.css'
import { TextFilter } from '../../parts/filters.tsx'
import { companies, idOf } from '../../records/kinds.ts'
import { useScope } from '../../shell/scope.tsx'
import styles from './move-dialog.module.css'

const resultsMax = 5

/** Finds the company that a deal is about, by its name or domain. */
export function CompanyField({
  companyId,
  onChange,
}: {
  companyId: string | null
  onChange: (companyId: string | null) => void
}) {
  const { orgId, api } = useScope()
  const id = useId()
  const [words, setWords] = useState('')
  const found = useQuery({
    queryKey: ['company-search', orgId, words],
    queryFn: async ({ signal }) =>
      (await companies.apiOf(api).search({ q: words, limit: resultsMax }, { signal })).data,
    enabled: words !== '',
    placeholderData: (before) => before,
  })
  const results = words === '' ? [] : (found.data ?? [])
  return (
    <div className="stack g4">
      <TextFilter
        label="Company"
        placeholder="Find by name or domain"
        value={words}
        onChange={(next) => {
          setWords(next)
          onChange(null)
        }}
      />
      {words !== '' && found.data?.length === 0 && (
        <p className="t12 two">No company has these words. The deal can do without one.</p>
      )}
      {results.length > 0 && (
        <div className={styles.targets} role="radiogroup" aria-label="Companies found">
          {results.map((company) => (
            <label key={idOf(companies, company)}>
              <input
                type="radio"
                className={choices.dot}
                name={id}
                checked={companyId === idOf(companies, company)}
                onChange={() => onChange(idOf(companies, company))}
              />
              <span className="cut">{companies.nameOf(company)}</span>
              <span className="end three t12 cut">{companies.secondLine(company)}</span>
            </label>
          ))}
        </div>
      )}
    </div>
  )
}
