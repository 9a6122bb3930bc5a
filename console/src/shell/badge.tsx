import { useQuery } from '@tanstack/react-query'
import { approvalsQuery } from './approvals-query.ts'
import { dueTasksQuery } from './due-tasks-query.ts'
import { useScope } from './scope.tsx'
import styles from './shell.module.css'

const pollMs = 10_000
const tasksPollMs = 30_000

/** The number of approvals that wait for the person; nothing while there are none. */
export function ApprovalsBadge() {
  const { data } = useQuery({ ...approvalsQuery(useScope()), refetchInterval: pollMs })
  return <Badge number={data?.length ?? 0} words="waiting" />
}

/** The number of the person's tasks that are overdue or due today; nothing while there are none. */
export function DueTasksBadge() {
  const { data } = useQuery({ ...dueTasksQuery(useScope()), refetchInterval: tasksPollMs })
  return <Badge number={data ?? 0} words="due" />
}

function Badge({ number, words }: { number: number; words: string }) {
  if (number === 0) return null
  return (
    <span className={styles.badge}>
      {number > 99 ? '99+' : number}
      <span className="sr"> {words}</span>
    </span>
  )
}

/** On a phone, the navigation is hidden: a dot on its button says that approvals or due tasks wait in it. */
export function WaitingDot() {
  const scope = useScope()
  const { data: approvals } = useQuery({ ...approvalsQuery(scope), enabled: false })
  const { data: due } = useQuery({ ...dueTasksQuery(scope), enabled: false })
  return approvals?.length || due ? <span className={styles.dot} /> : null
}
