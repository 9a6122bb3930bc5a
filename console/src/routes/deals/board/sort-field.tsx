import fieldStyles from '../../../parts/field.module.css'
import styles from './board.module.css'

const sorts = [
  ['-updated_at', 'Last changed first'],
  ['-created_at', 'Newest first'],
  ['created_at', 'Oldest first'],
  ['-amount_cents', 'Largest amount first'],
  ['name', 'By name'],
] as const

/** Chooses the order of the cards in each column. */
export const SortField = ({ value, onChange }: { value: string; onChange: (sort: string) => void }) => (
  <select
    className={`${fieldStyles.input} ${styles.sort}`}
    aria-label="Order of the cards"
    value={value}
    onChange={(event) => onChange(event.target.value)}
  >
    {!sorts.some(([sort]) => sort === value) && <option value={value}>As in the list</option>}
    {sorts.map(([sort, text]) => (
      <option key={sort} value={sort}>
        {text}
      </option>
    ))}
  </select>
)
