import { useState } from 'react'
import type { WebhookEventType } from '../../../../../sdk/src/generated/types.ts'
import { objectOf, objectWords } from '../../../parts/event-words.ts'
import { Checkbox, FieldError, Segments, TextField } from '../../../parts/field.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { useScope } from '../../../shell/scope.tsx'
import { useEventTypes } from '../../../shell/use-event-types.ts'
import styles from './types-field.module.css'

/** Types of events, as the API takes them: `*`, `contact.*` and `deal.closed`. */
export function TypesField({
  value,
  onChange,
  allText,
  error,
}: {
  value: readonly string[]
  onChange: (types: string[]) => void
  /** The choice of all events. */
  allText: string
  error: string | null
}) {
  const types = useEventTypes()
  const isAll = value.includes('*')
  return (
    <div className="stack">
      <Segments
        label="Events"
        value={isAll ? 'all' : 'some'}
        options={[
          ['all', allText],
          ['some', 'Only some'],
        ]}
        onChange={(choice) => onChange(choice === 'all' ? ['*'] : ['contact.*'])}
      />
      {!isAll && (
        <Loaded query={types}>
          {(known) => <Chooser known={known} value={value} onChange={onChange} />}
        </Loaded>
      )}
      {error && <FieldError>{error}</FieldError>}
    </div>
  )
}

/** The types that the person may read, grouped by the object in their name. */
function Chooser({
  known,
  value,
  onChange,
}: {
  known: readonly WebhookEventType[]
  value: readonly string[]
  onChange: (types: string[]) => void
}) {
  const { can } = useScope()
  const [sought, setSought] = useState('')
  const words = sought.toLowerCase().split(/\s+/).filter(Boolean)
  const shown = known.filter(
    ({ type, description, permissions }) =>
      permissions.some(can) && words.every((word) => `${type} ${description}`.toLowerCase().includes(word)),
  )
  const groups = Map.groupBy(shown, ({ type }) => objectOf(type))
  const set = (type: string, isOn: boolean, covered: (one: string) => boolean = () => false) => {
    const others = value.filter((one) => one !== type && !covered(one))
    onChange(isOn ? [...others, type] : others)
  }
  return (
    <>
      <TextField
        label="Search"
        type="search"
        value={sought}
        onChange={setSought}
        placeholder="closed, import, webhook …"
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls it */}
      <section className={styles.list} tabIndex={0} aria-label="Types of events">
        {groups.size === 0 && <p className="three">No type has these words.</p>}
        {[...groups].map(([object, members]) => {
          const pattern = `${object}.*`
          const hasAll = value.includes(pattern)
          return (
            <fieldset key={object} className={styles.group}>
              <legend className="sr">{objectWords(object)}</legend>
              <Checkbox
                checked={hasAll}
                onChange={(isOn) => set(pattern, isOn, (one) => objectOf(one) === object)}
              >
                <span className="strong">{objectWords(object)}</span>{' '}
                <span className="three t12">all, also types that are added later</span>
              </Checkbox>
              {members.map(({ type, description }) => (
                <div key={type} className={styles.type}>
                  <Checkbox
                    checked={hasAll || value.includes(type)}
                    disabled={hasAll}
                    onChange={(isOn) => set(type, isOn)}
                  >
                    <span className="mono">{type}</span> <span className="three t12">{description}</span>
                  </Checkbox>
                </div>
              ))}
            </fieldset>
          )
        })}
      </section>
      <p className="t12 three" role="status">
        {value.length === 0 ? 'Nothing is chosen.' : `Chosen: ${value.join(', ')}`}
      </p>
    </>
  )
}
