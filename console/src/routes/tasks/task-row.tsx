import type { Task } from '../../../../sdk/src/generated/types.ts'
import { dayWords } from '../../parts/days.ts'
import { Checkbox } from '../../parts/field.tsx'
import { Initials } from '../../parts/initials.tsx'
import { type MenuAction, MenuButton } from '../../parts/menu.tsx'
import { noName } from '../../parts/no-name.ts'
import { Time } from '../../parts/time.tsx'
import { Link } from '../../routing/link.tsx'
import { useScope } from '../../shell/scope.tsx'
import styles from './page.module.css'

const types = {
  contact: { noun: 'Person', resource: 'contacts', path: '/people' },
  company: { noun: 'Company', resource: 'companies', path: '/companies' },
  deal: { noun: 'Deal', resource: 'deals', path: '/deals' },
} as const

/** A task. The title opens it, the box completes or reopens it, and the name of its record leads to the record. */
export function TaskRow({
  task,
  isLate,
  mayChange,
  onOpen,
  onDone,
  acts,
}: {
  task: Task
  isLate: boolean
  mayChange: boolean
  onOpen: () => void
  onDone: (isDone: boolean) => void
  acts: readonly MenuAction[]
}) {
  const { task_id, title, entity_type, record_id, record_name, due_on, assignee_name, completed_at } = task
  const { orgId, can } = useScope()
  const { noun, resource, path } = types[entity_type]
  const isDone = completed_at !== null
  return (
    <li className={styles.task} data-task={task_id}>
      {mayChange && (
        <Checkbox checked={isDone} onChange={onDone}>
          <span className="sr">
            {isDone ? 'Reopen' : 'Complete'} “{title}”
          </span>
        </Checkbox>
      )}
      <div className={styles.words}>
        <button type="button" className={styles.title} onClick={onOpen}>
          {title}
        </button>
        <span className="t12 two">
          {noun} ·{' '}
          {can(`${resource}:read`) ? (
            <Link
              className="link"
              to={`/o/$orgId${path}/$recordId` as '/o/$orgId/people/$recordId'}
              params={{ orgId, recordId: record_id }}
            >
              {record_name ?? noName}
            </Link>
          ) : (
            (record_name ?? noName)
          )}
        </span>
      </div>
      <span className={styles.who}>
        {assignee_name === null ? (
          <span className="three">Nobody</span>
        ) : (
          <>
            <Initials name={assignee_name} />
            <span className="cut">{assignee_name}</span>
          </>
        )}
      </span>
      <span className={`${styles.due} ${isLate ? 'bad' : 'two'}`}>
        {isDone ? <Time at={completed_at} /> : due_on && <time dateTime={due_on}>{dayWords(due_on)}</time>}
      </span>
      {mayChange && <MenuButton label={`Actions for “${title}”`} acts={acts} />}
    </li>
  )
}
