import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { Segments } from '../../parts/field.tsx'
import { isGuarded } from '../../parts/guards.ts'
import { Initials } from '../../parts/initials.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Note } from '../../parts/note.tsx'
import { OldData } from '../../parts/old-data.tsx'
import { Time } from '../../parts/time.tsx'
import { useNavigate, useParams } from '../../routing/use-router.ts'
import { Page } from '../../shell/page.tsx'
import { useScope } from '../../shell/scope.tsx'
import { idOf, type RecordKind, type ShownRecord, titleOf } from '../kinds.ts'
import { recordQuery } from '../record-queries.ts'
import { seenWords } from '../seen-words.ts'
import { useFields } from '../use-fields.ts'
import { FieldGroups } from './field-groups.tsx'
import { History } from './history.tsx'
import { KnownAs } from './known-as.tsx'
import styles from './page.module.css'
import { RecordActs } from './record-acts.tsx'
import { RecordNotes } from './record-notes.tsx'
import { RecordTasks } from './record-tasks.tsx'
import { Related } from './related.tsx'
import { hasTimeline, Timeline } from './timeline.tsx'
import { TouchFacts } from './touches.tsx'

const pollMs = 5_000
const tabs = [
  ['history', 'History'],
  ['activity', 'Activity'],
] as const

/**
 * Everything about one record: its fields, its history, and what refers to it.
 * @param actsOf actions on the record, below its name
 */
export function RecordPage({
  kind,
  actsOf,
}: {
  kind: RecordKind
  actsOf?: (record: ShownRecord) => ReactNode
}): ReactNode {
  const scope = useScope()
  const { recordId } = useParams() as { recordId: string }
  const navigate = useNavigate()
  const record = useQuery({ ...recordQuery(kind, scope, recordId), refetchInterval: pollMs })
  const canonicalId = record.data && idOf(kind, record.data)
  const isOldId = canonicalId !== undefined && canonicalId !== recordId
  // What a person types on the page of a record that is merged meanwhile stays. Each answer asks again.
  const isHeld = isOldId && record.dataUpdatedAt > 0 && isGuarded()
  useEffect(() => {
    // An id of a merged record leads to the record that has its data. The address then names this record.
    if (isOldId && !isHeld)
      void navigate({
        to: `/o/$orgId${kind.path}/$recordId` as '/o/$orgId/people/$recordId',
        params: { orgId: scope.orgId, recordId: canonicalId },
        search: { from: recordId },
        replace: true,
      })
  }, [isOldId, isHeld, canonicalId, recordId, kind.path, navigate, scope.orgId])
  const name = record.data ? kind.nameOf(record.data) : ''
  const seen = seenWords(kind, scope)
  return (
    <Page
      name={titleOf(kind)}
      part={name}
      acts={record.data && <RecordActs key={canonicalId} kind={kind} record={record.data} />}
    >
      <div className={styles.old}>
        <OldData query={record} name={kind.one} seconds={pollMs / 1_000} seen={seen} />
        {isHeld && (
          <Note kind="warn">
            This {kind.one} was merged into {name}, whose data you see here. Save what you typed, or cancel
            it: the page then leads there.
          </Note>
        )}
      </div>
      <Loaded query={record} seen={seen}>
        {/* The key closes the open fields of one record before the page shows the next one. */}
        {(shown) => (
          <Panes
            key={isHeld ? recordId : idOf(kind, shown)}
            kind={kind}
            record={shown}
            acts={actsOf?.(shown)}
          />
        )}
      </Loaded>
    </Page>
  )
}

function Panes({ kind, record, acts }: { kind: RecordKind; record: ShownRecord; acts?: ReactNode }) {
  const { can } = useScope()
  const fields = useFields(kind)
  const [tab, setTab] = useState<'history' | 'activity'>('history')
  const name = kind.nameOf(record)
  const canEdit = can(`${kind.resource}:write`) && record.archived_at === null
  return (
    <div className={styles.panes}>
      <section className={styles.facts} aria-label="Fields" tabIndex={canEdit ? undefined : 0}>
        <div className={styles.head}>
          <Initials name={name} size="large" />
          <div className="stack g0">
            <h2 className="t20">{name}</h2>
            <p className="two">{kind.secondLine(record)}</p>
          </div>
        </div>
        {acts && <div className={styles.acts}>{acts}</div>}
        {record.archived_at !== null && (
          <div className={styles.note}>
            <Note>
              Archived <Time at={record.archived_at} />. Lists leave this {kind.one} out. Restore it to change
              it.
            </Note>
          </div>
        )}
        <FieldGroups {...{ kind, fields, record }} canEdit={canEdit} />
        <TouchFacts kind={kind} record={record} />
        <KnownAs kind={kind} record={record} />
      </section>
      <div className={styles.history}>
        {hasTimeline(kind) && (
          <div className={styles.tabs}>
            <Segments label="Show" isLabelHidden value={tab} options={tabs} onChange={setTab} />
          </div>
        )}
        {tab === 'activity' ? (
          <section aria-label="Activity">
            <Timeline kind={kind} record={record} />
          </section>
        ) : (
          <History kind={kind} record={record} fields={fields} />
        )}
      </div>
      <div className={styles.related}>
        <RecordTasks kind={kind} record={record} />
        <RecordNotes kind={kind} record={record} />
        <Related kind={kind} record={record} />
      </div>
    </div>
  )
}
