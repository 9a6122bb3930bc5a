import { useId } from 'react'
import type { WebEvent } from '../../../../sdk/src/generated/types.ts'
import { DisclosureButton } from '../../parts/disclosure.tsx'
import { RowDetails } from '../../parts/table.tsx'
import { Tag } from '../../parts/tag.tsx'
import { Time } from '../../parts/time.tsx'
import { WebEventDetails } from './web-event-details.tsx'
import styles from './web-event-row.module.css'

/** Shows one event, and on demand all data that the client sent. */
export function WebEventRow({
  event,
  isOpen,
  onOpen,
  onVisitor,
  showsVisitor = true,
  names,
}: {
  event: WebEvent
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  /** Shows only the events of a visitor. */
  onVisitor: (visitorId: string) => void
  /** Whether the table has a column for the visitor. */
  showsVisitor?: boolean
  /** The names of the contacts whose ids are user ids. */
  names?: ReadonlyMap<string, string>
}) {
  const { mode, bot, type, url_path, visitor_id, user_key, received_at } = event
  const id = useId()
  const user = names?.get(user_key ?? '') ?? user_key
  const about = url_path ?? (type === 'identify' ? user : null)
  return (
    <>
      <tr>
        <td>
          <Time at={received_at} />
        </td>
        <th scope="row">
          <span className="rail">
            <DisclosureButton isOpen={isOpen} onChange={onOpen} controls={id}>
              <span className={`cut ${styles.name}`}>{titleOf(event)}</span>
            </DisclosureButton>
            {about !== null && (
              <span className={`${about === url_path ? 'mono ' : ''}cut ${styles.about}`}>{about}</span>
            )}
            {bot && <Tag>bot</Tag>}
            {mode === 'test' && <Tag kind="test">test</Tag>}
          </span>
        </th>
        <td className="opt">{type}</td>
        {showsVisitor && (
          <td className="opt">
            {visitor_id === null ? (
              (user ?? '–')
            ) : (
              <button
                type="button"
                className={`link cut ${styles.visitor}`}
                title={`Only the events of visitor ${visitor_id}`}
                onClick={() => onVisitor(visitor_id)}
              >
                {user ?? <span className="mono">{visitor_id.slice(0, 8)}</span>}
              </button>
            )}
          </td>
        )}
      </tr>
      {isOpen && (
        <RowDetails id={id}>
          <WebEventDetails event={event} onVisitor={onVisitor} />
        </RowDetails>
      )}
    </>
  )
}

const withoutName: Record<WebEvent['type'], string> = {
  track: 'Event',
  page: 'Page view',
  screen: 'Screen view',
  identify: 'Identify',
  group: 'Group',
  alias: 'Alias',
}

const titleOf = ({ type, name }: WebEvent): string => name ?? withoutName[type]
