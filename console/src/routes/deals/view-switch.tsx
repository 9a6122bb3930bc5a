import { useNavigate, useSearch } from '@tanstack/react-router'
import { Segments } from '../../parts/field.tsx'
import styles from './deals.module.css'

const views = [
  ['board', 'Board'],
  ['list', 'List'],
  ['summary', 'Summary'],
] as const

/** Chooses how the page shows the deals. The filters stay. */
export function ViewSwitch() {
  const { view = 'board' } = useSearch({ from: '/o/$orgId/deals' })
  const navigate = useNavigate({ from: '/o/$orgId/deals' })
  return (
    <div className={styles.views}>
      <Segments
        label="View"
        isLabelHidden
        value={view}
        options={views}
        onChange={(next) =>
          void navigate({
            search: (all) => ({ ...all, view: next === 'board' ? undefined : next, peek: undefined }),
          })
        }
      />
    </div>
  )
}
