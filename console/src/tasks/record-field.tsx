import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import choiceStyles from '../parts/choices.module.css'
import { FieldError, Segments } from '../parts/field.tsx'
import { TextFilter } from '../parts/filters.tsx'
import { type Scope, useScope } from '../shell/scope.tsx'
import styles from './record-field.module.css'

type EntityType = 'contact' | 'company' | 'deal'

export type PickedRecord = { entity_type: EntityType; record_id: string }

const types = [
  ['contact', 'Contact'],
  ['company', 'Company'],
  ['deal', 'Deal'],
] as const

const permissions = { contact: 'contacts:read', company: 'companies:read', deal: 'deals:read' } as const
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
  const offered = types.filter(([type]) => scope.can(permissions[type]))
  const [type, setType] = useState<EntityType>(offered[0]?.[0] ?? 'contact')
  const [words, setWords] = useState('')
  const found = useQuery({
    queryKey: ['record-search', scope.orgId, type, words],
    queryFn: ({ signal }) => search(scope, type, words, signal),
    enabled: offered.length > 0,
  })
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
      <TextFilter label="Find by name" value={words} onChange={setWords} />
      {record === null && <p className="t12 three">Choose the record that the task is about.</p>}
      {found.data?.length === 0 && <p className="two">No {type} has these words.</p>}
      {found.data && found.data.length > 0 && (
        <div className={styles.results} role="radiogroup" aria-label={`${type} found`}>
          {found.data.map(({ record_id, name }) => (
            <label key={record_id}>
              <input
                type="radio"
                className={choiceStyles.dot}
                name={id}
                checked={record?.record_id === record_id}
                onChange={() => onChange({ entity_type: type, record_id })}
              />
              <span className="cut">{name}</span>
            </label>
          ))}
        </div>
      )}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </fieldset>
  )
}

type Found = { record_id: string; name: string }

async function search(
  { api }: Scope,
  type: EntityType,
  words: string,
  signal: AbortSignal,
): Promise<readonly Found[]> {
  const query = { limit: resultsMax, ...(words && { q: words }) }
  if (type === 'deal') {
    const { data } = await api.deals.list(query, { signal })
    return data.map(({ deal_id, name }) => ({ record_id: deal_id, name: name ?? 'no name' }))
  }
  if (type === 'company') {
    const { data } = await api.companies.list(query, { signal })
    return data.map(({ company_id, name, domain }) => ({
      record_id: company_id,
      name: name ?? domain ?? 'no name',
    }))
  }
  const { data } = await api.contacts.list(query, { signal })
  return data.map(({ contact_id, first_name, last_name, email, phone }) => ({
    record_id: contact_id,
    name: [first_name, last_name].filter(Boolean).join(' ') || email || phone || 'no name',
  }))
}
