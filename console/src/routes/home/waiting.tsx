import { useQuery } from '@tanstack/react-query'
import { Icon } from '../../parts/icon.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { approvalsQuery } from '../../shell/approvals-query.ts'
import { useScope } from '../../shell/scope.tsx'
import styles from './page.module.css'
import { PlaceLink } from './place.tsx'
import { SectionHead } from './section-head.tsx'
import { approvalTask, readTasks, type Task } from './waiting-tasks.ts'

/** The tasks that wait for a person: proposals, expiring keys, what failed or was refused. */
export function Waiting() {
  const scope = useScope()
  const { orgId, mode } = scope
  const tasks = useQuery({
    queryKey: ['tasks', orgId, mode],
    queryFn: ({ signal }) => readTasks(scope, signal),
    refetchInterval: 30_000,
  })
  // The navigation polls it.
  const { data: approvals = [] } = useQuery({ ...approvalsQuery(scope), enabled: false })
  const shown = [...approvalTask(approvals.length), ...(tasks.data ?? [])]
  return (
    <section className="pad stack g0" aria-label="Waiting for you">
      <SectionHead title="Waiting for you" number={shown.length} />
      <Loaded query={tasks} rows={1}>
        {() =>
          shown.length === 0 ? (
            <p className="two">Nothing waits for you.</p>
          ) : (
            <ul className="rule">
              {shown.map((task) => (
                <TaskRow key={task.id} task={task} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  )
}

function TaskRow({ task: { icon, title, about, place, act } }: { task: Task }) {
  return (
    <li className={styles.task}>
      <span className="two">
        <Icon name={icon} />
      </span>
      <div className="grow stack g0">
        <span className="strong">{title}</span>
        <span className="two">{about}</span>
      </div>
      <PlaceLink place={place} isButton>
        {act}
      </PlaceLink>
    </li>
  )
}
