import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ActivityItem, ActivityKind } from '../../../../sdk/src/generated/types.ts'
import { actorWords, eventWords } from '../../parts/event-words.ts'
import { Select } from '../../parts/field.tsx'
import { Icon, type IconName } from '../../parts/icon.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { NextPageButton } from '../../parts/more.tsx'
import { phoneWords } from '../../parts/phone-number.ts'
import { Tag } from '../../parts/tag.tsx'
import { Time } from '../../parts/time.tsx'
import { Link } from '../../routing/link.tsx'
import { useScope } from '../../shell/scope.tsx'
import { idOf, type RecordKind, type ShownRecord } from '../kinds.ts'
import styles from './history.module.css'

const pageSize = 25
const pollMs = 10_000

const kinds: readonly (readonly [ActivityKind | '', string])[] = [
  ['', 'Everything'],
  ['web_event', 'Web events'],
  ['submission', 'Forms'],
  ['call', 'Calls'],
  ['note', 'Notes'],
  ['task', 'Tasks'],
  ['change', 'Changes'],
  ['merge', 'Merges'],
  ['push', 'Pushes to a CRM'],
]

const icons: Record<ActivityKind, IconName> = {
  web_event: 'globe',
  submission: 'columns',
  call: 'phone',
  note: 'pencil',
  task: 'check',
  change: 'events',
  merge: 'merge',
  push: 'push',
}

/** Whether records of a kind have a timeline. */
export const hasTimeline = (kind: RecordKind): boolean =>
  kind.path === '/people' || kind.path === '/companies'

/** Everything that happened to a person or a company, the latest first. */
export function Timeline({ kind, record }: { kind: RecordKind; record: ShownRecord }) {
  const { orgId, mode, api } = useScope()
  const id = idOf(kind, record)
  const [shown, setShown] = useState<ActivityKind | ''>('')
  const activity = useInfiniteQuery({
    queryKey: ['record-activity', orgId, mode, id, shown],
    queryFn: ({ pageParam: cursor, signal }) => {
      const query = { limit: pageSize, cursor, ...(shown && { kinds: shown }) }
      return kind.path === '/people'
        ? api.contacts.activity.list(id, query, { signal })
        : api.companies.activity.list(id, query, { signal })
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: pollMs,
  })
  return (
    <>
      <div className={styles.filter}>
        <Select label="Show" isLabelHidden value={shown} options={kinds} onChange={setShown} />
      </div>
      <Loaded query={activity}>
        {({ pages }) => {
          const items = pages.flatMap((page) => page.items)
          if (items.length === 0)
            return (
              <p className="two">{shown ? 'Nothing of this kind happened yet.' : 'Nothing happened yet.'}</p>
            )
          return (
            <>
              <ol className={styles.feed}>
                {items.map((item) => (
                  <li key={`${item.kind} ${item.object_id} ${item.type} ${item.contact_id}`}>
                    <Icon name={icons[item.kind]} />
                    <p>
                      {item.actor && <b className="strong">{actorWords(item.actor)} </b>}
                      <Words item={item} />
                      {item.claimed && (
                        <>
                          {' '}
                          <Tag>claimed</Tag>
                        </>
                      )}
                      {item.kind === 'note' && <span className="two"> {item.title}</span>}
                    </p>
                    <Time at={item.at} />
                  </li>
                ))}
              </ol>
              <NextPageButton query={activity} act="Show older activity" end="There is no older activity." />
            </>
          )
        }}
      </Loaded>
    </>
  )
}

/** The words for an item. The words for a call lead to the page of the call. */
function Words({ item }: { item: ActivityItem }) {
  const { orgId } = useScope()
  if (item.kind !== 'call') return wordsOf(item)
  return (
    <Link className="link" to="/o/$orgId/calls/$callId" params={{ orgId, callId: item.object_id }}>
      {wordsOf(item)}
    </Link>
  )
}

/** For example “Viewed /pricing”. */
function wordsOf({ kind, type, title, changed }: ActivityItem): string {
  const name = title ?? ''
  if (kind === 'web_event') {
    if (type === 'page' || type === 'screen') return `Viewed ${name || 'a page'}`
    return type === 'track' ? name : `Sent ${type}`
  }
  if (kind === 'submission')
    return type === 'accepted' ? `Sent the form “${name}”` : `Sent the form “${name}”: ${type}`
  if (kind === 'call')
    return `Call to ${title ? phoneWords(title) : 'an erased number'}: ${type.replaceAll('_', ' ')}`
  if (kind === 'note') return 'wrote a note'
  if (kind === 'task')
    return type === 'done' ? `added the task “${name}”, which is done` : `added the task “${name}”`
  if (kind === 'push') return `Pushed to ${name} as a ${type}`
  const act = eventWords(type)
  return changed && changed.length > 0 ? `${act}: ${changed.map(eventWords).join(', ')}` : act
}
