import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button, buttonLook } from '../../parts/button.tsx'
import { Initials } from '../../parts/initials.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Note } from '../../parts/note.tsx'
import { OldData } from '../../parts/old-data.tsx'
import { Link } from '../../routing/link.tsx'
import { useScope } from '../../shell/scope.tsx'
import { idOf, type RecordKind, type ShownRecord } from '../kinds.ts'
import { FieldGroups } from '../record/field-groups.tsx'
import type { RecordField } from '../record-field.ts'
import { recordQuery } from '../record-queries.ts'
import { seenWords } from '../seen-words.ts'
import styles from './peek.module.css'

const pollMs = 5_000

/**
 * Shows one record beside the list.
 * @param actsOf actions on the record, below its name
 */
export function Peek({
  kind,
  fields,
  id,
  place,
  actsOf,
  onStep,
  onClose,
}: {
  kind: RecordKind
  fields: readonly RecordField[]
  id: string
  /** For example “4 of 214”. */
  place: string
  actsOf?: ((record: ShownRecord) => ReactNode) | undefined
  onStep: (by: number) => void
  onClose: () => void
}) {
  const scope = useScope()
  const record = useQuery({ ...recordQuery(kind, scope, id), refetchInterval: pollMs })
  const seen = seenWords(kind, scope)
  return (
    <aside
      className={styles.peek}
      aria-label={record.data ? kind.nameOf(record.data) : 'Record'}
      onKeyDown={(event) => {
        const isInDialog = (event.target as Element).closest('dialog') !== null
        if (event.key === 'Escape' && !event.defaultPrevented && !isInDialog) onClose()
      }}
    >
      <div className={styles.bar}>
        <span className="three">{place}</span>
        <Button kind="quiet" icon="up" aria-label="Previous" onClick={() => onStep(-1)} />
        <Button kind="quiet" icon="down" aria-label="Next" onClick={() => onStep(1)} />
        <span className="end rail">
          <Link
            to={`/o/$orgId${kind.path}/$recordId` as '/o/$orgId/people/$recordId'}
            params={{ orgId: scope.orgId, recordId: id }}
            {...buttonLook({})}
          >
            Open
          </Link>
          <Button kind="quiet" icon="close" aria-label="Close" onClick={onClose} />
        </span>
      </div>
      <div className={styles.old}>
        <OldData query={record} name={kind.one} seconds={pollMs / 1_000} seen={seen} />
      </div>
      <Loaded query={record} seen={seen}>
        {(shown) => (
          <>
            <div className={styles.head}>
              <Initials name={kind.nameOf(shown)} size="large" />
              <div className="stack g0">
                <h2 className="t16">{kind.nameOf(shown)}</h2>
                <p className="two">{kind.secondLine(shown)}</p>
              </div>
            </div>
            {idOf(kind, shown) !== id && (
              <div className={styles.old}>
                <Note>
                  The {kind.one} of this row was merged into{' '}
                  <Link
                    className="link"
                    style={{ textDecoration: 'underline' }}
                    to={`/o/$orgId${kind.path}/$recordId` as '/o/$orgId/people/$recordId'}
                    params={{ orgId: scope.orgId, recordId: idOf(kind, shown) }}
                    search={{ from: id }}
                  >
                    {kind.nameOf(shown)}
                  </Link>
                  , whose data you see here.
                </Note>
              </div>
            )}
            {actsOf && <div className={styles.acts}>{actsOf(shown)}</div>}
            <FieldGroups
              {...{ kind, fields }}
              record={shown}
              canEdit={scope.can(`${kind.resource}:write`) && shown.archived_at === null}
            />
          </>
        )}
      </Loaded>
    </aside>
  )
}
