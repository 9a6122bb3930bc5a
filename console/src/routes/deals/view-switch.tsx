import { Segments } from '../../parts/field.tsx'
import { useNavigate, useSearch } from '../../routing/use-router.ts'
import styles from './deals.module.css'

const views = [
  ['board', 'Board'],
  ['list', 'List'],
  ['summary', 'Summary'],
] as const

/** Chooses how the page shows the deals. The filters stay. */
export function ViewSwitch() {
  const { view = 'board' } = useSearch('/o/$orgId/deals')
  const navigate = useNavigate('/o/$orgId/deals')
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
