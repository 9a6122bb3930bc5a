import { Button } from '../../parts/button.tsx'
import { Initials } from '../../parts/initials.tsx'
import { Link } from '../../routing/link.tsx'
import { useScope } from '../../shell/scope.tsx'
import { idOf, people, type ShownRecord } from '../kinds.ts'
import styles from './related.module.css'

/** People who are linked to a record, with links to their pages. */
export function PersonList({
  persons,
  onRemove,
}: {
  persons: readonly ShownRecord[]
  /** undefined: the person may not remove a link. */
  onRemove?: ((person: ShownRecord) => void) | undefined
}) {
  const { orgId } = useScope()
  return (
    <ul>
      {persons.map((person) => {
        const name = people.nameOf(person)
        return (
          <li key={idOf(people, person)} className={styles.deal}>
            <Initials name={name} />
            <Link
              className="cut"
              to="/o/$orgId/people/$recordId"
              params={{ orgId, recordId: idOf(people, person) }}
            >
              {name}
            </Link>
            <span className="cut end three">{String(person.job_title ?? '')}</span>
            {onRemove && (
              <Button
                kind="quiet"
                icon="close"
                aria-label={`Remove ${name} from the deal`}
                onClick={() => onRemove(person)}
              />
            )}
          </li>
        )
      })}
    </ul>
  )
}
