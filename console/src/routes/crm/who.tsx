import { useQuery } from '@tanstack/react-query'
import { Button } from '../../parts/button.tsx'
import { Select } from '../../parts/field.tsx'
import { conditionsOf } from '../../records/filters/conditions.ts'
import { useNamedFields } from '../../records/filters/use-named-fields.ts'
import { conditionWords } from '../../records/filters/words.ts'
import { people } from '../../records/kinds.ts'
import type { PushSearch } from '../../records/push-search.ts'
import { segmentsQuery } from '../../records/segments/segment-queries.ts'
import { useFields } from '../../records/use-fields.ts'
import { Link } from '../../routing/link.tsx'
import { useScope } from '../../shell/scope.tsx'
import styles from './push-page.module.css'
import { peopleWords } from './words.ts'

/** The people of a push: selected people, or the people of a segment, words and filters. */
export function Who({
  ids,
  search,
  onChange,
  onAll,
}: {
  ids: readonly string[]
  search: PushSearch
  onChange: (next: PushSearch) => void
  onAll: () => void
}) {
  const scope = useScope()
  const { orgId } = scope
  const { data: segments } = useQuery(segmentsQuery(scope, 'contact'))
  const { q, filter, segment } = search
  const fields = useNamedFields(useFields(people), filter)
  const list = segments ?? []
  return (
    <section className="stack g12" aria-label="Who">
      {ids.length > 0 ? (
        <>
          <h2>Who</h2>
          <div className={styles.chips}>
            <span className={styles.chip}>{peopleWords(ids.length)} that you selected</span>
            <Button kind="quiet" onClick={onAll}>
              Push all people instead
            </Button>
          </div>
        </>
      ) : (
        <>
          <div style={{ maxWidth: 360 }}>
            <Select
              label="Who"
              value={segment ?? ''}
              options={[
                ['', q === undefined && filter === undefined ? 'All people' : 'All people who match'],
                ...list.map(({ segment_id, name }) => [segment_id, name] as const),
                // A segment that was deleted meanwhile: the server says so.
                ...(segment && segments && list.every(({ segment_id }) => segment_id !== segment)
                  ? [[segment, 'A segment that does not exist'] as const]
                  : []),
              ]}
              onChange={(id) => onChange({ segment: id || undefined })}
            />
          </div>
          {(q !== undefined || filter !== undefined) && (
            <div className={styles.chips}>
              {q !== undefined && <span className={styles.chip}>“{q}” in any field</span>}
              {conditionsOf(filter).map((condition) => {
                const words = conditionWords(fields, condition)
                return (
                  <span key={words} className={styles.chip}>
                    {words}
                  </span>
                )
              })}
              <Link className="link" to="/o/$orgId/people" params={{ orgId }} search={{ q, filter }}>
                Change in People
              </Link>
            </div>
          )}
        </>
      )}
    </section>
  )
}
