import { useQuery } from '@tanstack/react-query'
import type { Touch } from '../../../../sdk/src/generated/types.ts'
import { Time } from '../../parts/time.tsx'
import { useScope } from '../../shell/scope.tsx'
import { idOf, type RecordKind, type ShownRecord } from '../kinds.ts'
import styles from './field-groups.module.css'
import { Group } from './field-groups.tsx'

/** Where a person came from at first, and at last. Nothing is shown for a person without web events. */
export function TouchFacts({ kind, record }: { kind: RecordKind; record: ShownRecord }) {
  const { orgId, mode, api, can } = useScope()
  const id = idOf(kind, record)
  const touches = useQuery({
    queryKey: ['record-touches', orgId, mode, id],
    queryFn: ({ signal }) => api.contacts.touches.get(id, { signal }),
    enabled: kind.path === '/people' && can('visitors:read'),
  })
  const { first_touch: first = null, last_touch: last = null } = touches.data ?? {}
  if (first === null) return null
  return (
    <Group name="Website">
      <TouchFact name="First touch" touch={first} />
      {last !== null && last.at !== first.at && <TouchFact name="Last touch" touch={last} />}
    </Group>
  )
}

const TouchFact = ({ name, touch }: { name: string; touch: Touch }) => (
  <div className={styles.field}>
    <dt className="cut">{name}</dt>
    <dd>
      <span className="stack g0">
        <span>{sourceOf(touch)}</span>
        <span className="t12 two">
          {touch.page !== null && `${touch.page}, `}
          <Time at={touch.at} />
        </span>
      </span>
    </dd>
  </div>
)

/** For example “newsletter · Spring”. */
function sourceOf({ source, campaign, referrer_host: host }: Touch): string {
  const parts = [source ?? host, campaign].filter((part) => part !== null)
  return parts.length === 0 ? 'Direct' : parts.join(' · ')
}
