import { useQuery } from '@tanstack/react-query'
import { Icon } from '../../parts/icon.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { approvalsQuery } from '../../shell/approvals-query.ts'
import { useScope } from '../../shell/scope.tsx'
import styles from './page.module.css'
import { PageLink } from './page-link.tsx'
import { SectionHead } from './section-head.tsx'
import { approvalItems, readWaiting, type WaitingItem } from './waiting-items.ts'

/** What waits for a person: proposals, expiring keys, what failed or was refused. */
export function Waiting() {
  const scope = useScope()
  const { orgId, mode } = scope
  const items = useQuery({
    queryKey: ['waiting', orgId, mode],
    queryFn: ({ signal }) => readWaiting(scope, signal),
    refetchInterval: 30_000,
  })
  // The navigation polls it.
  const { data: approvals = [] } = useQuery({ ...approvalsQuery(scope), enabled: false })
  const shown = [...approvalItems(approvals.length), ...(items.data ?? [])]
  return (
    <section className="pad stack g0" aria-label="Waiting for you">
      <SectionHead title="Waiting for you" number={shown.length} />
      <Loaded query={items} rows={1}>
        {() =>
          shown.length === 0 ? (
            <p className="two">Nothing waits for you.</p>
          ) : (
            <ul className="rule">
              {shown.map((item) => (
                <ItemRow key={item.id} item={item} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  )
}

function ItemRow({ item: { icon, title, about, path, act } }: { item: WaitingItem }) {
  return (
    <li className={styles.item}>
      <span className="two">
        <Icon name={icon} />
      </span>
      <div className="grow stack g0">
        <span className="strong">{title}</span>
        <span className="two">{about}</span>
      </div>
      <PageLink path={path} isButton>
        {act}
      </PageLink>
    </li>
  )
}
