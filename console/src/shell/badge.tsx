import { useQuery } from '@tanstack/react-query'
import { approvalsQuery } from './approvals-query.ts'
import { useScope } from './scope.tsx'
import styles from './shell.module.css'

const pollMs = 10_000

/** The number of approvals that wait for the person; nothing while there are none. */
export function ApprovalsBadge() {
  const { data } = useQuery({ ...approvalsQuery(useScope()), refetchInterval: pollMs })
  const number = data?.length ?? 0
  if (number === 0) return null
  return (
    <span className={styles.badge}>
      {number > 99 ? '99+' : number}
      <span className="sr"> waiting</span>
    </span>
  )
}

/** On a phone, the navigation is hidden: a dot on its button says that approvals wait in it. */
export function ApprovalsDot() {
  const { data } = useQuery({ ...approvalsQuery(useScope()), enabled: false })
  return data?.length ? <span className={styles.dot} /> : null
}
