import { useId } from 'react'
import { allows, permissionResources } from '../api/permissions.ts'
import choiceStyles from './choices.module.css'
import { FieldError, Segments } from './field.tsx'
import styles from './permission-table.module.css'

const levels = [
  ['', 'None'],
  ['read', 'Read'],
  ['write', 'Write'],
  ['manage', 'Manage'],
] as const

/** The permissions of a key or a member; null: everything. Manage includes write, and write includes read. */
export function PermissionTable({
  value,
  whole = 'Everything',
  limit = null,
  onChange,
  error,
}: {
  value: string[] | null
  /** The text for null. */
  whole?: string
  /** Only these permissions are offered; null: all. */
  limit?: readonly string[] | null
  onChange: (permissions: string[] | null) => void
  error: string | null
}) {
  const name = useId()
  const levelOf = (resource: string) =>
    value?.find((permission) => permission.startsWith(`${resource}:`))?.split(':')[1] ?? ''
  const set = (resource: string, level: string) => {
    const others = (value ?? []).filter((permission) => !permission.startsWith(`${resource}:`))
    onChange(level ? [...others, `${resource}:${level}`] : others)
  }
  const offered = permissionResources.filter(([resource]) => allows(limit, `${resource}:read`))
  return (
    <div className="stack">
      <Segments
        label="Permissions"
        value={value === null ? 'all' : 'some'}
        options={[
          ['all', whole],
          ['some', 'Only some'],
        ]}
        onChange={(choice) => onChange(choice === 'all' ? null : ['contacts:read'])}
      />
      {value !== null && (
        <div className={styles.table}>
          <span className="three t12">For</span>
          {levels.map(([level, text]) => (
            <span key={level} className="three t12">
              {text}
            </span>
          ))}
          {offered.map(([resource, text]) => [
            <span key={resource} className="cut">
              {text}
            </span>,
            ...levels.map(([level, levelText]) => (
              <label key={`${resource}:${level}`} className={styles.level}>
                <input
                  type="radio"
                  className={choiceStyles.dot}
                  name={`${name}-${resource}`}
                  aria-label={`${text}: ${levelText}`}
                  checked={levelOf(resource) === level}
                  disabled={level !== '' && !allows(limit, `${resource}:${level}`)}
                  onChange={() => set(resource, level)}
                />
              </label>
            )),
          ])}
        </div>
      )}
      {error && <FieldError>{error}</FieldError>}
    </div>
  )
}
