import { Fragment, type InputHTMLAttributes, type ReactNode, useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { TextField } from './field.tsx'
import styles from './filters.module.css'
import { isId } from './is-id.ts'

/** After a pause of this length, the person has probably finished typing. */
const pauseMs = 300

/** The filters of a list. Their values are in the address. */
export function FilterBar({
  isFiltered,
  onClear,
  end,
  children,
}: {
  isFiltered: boolean
  onClear: () => void
  /** A link at the end of the bar. */
  end?: ReactNode
  children: ReactNode
}) {
  const [clears, setClears] = useState(0)
  return (
    <search className={styles.filters} aria-label="Filters">
      {/* Clears the text that was typed into a field. */}
      <Fragment key={clears}>{children}</Fragment>
      {isFiltered && (
        <Button
          kind="quiet"
          onClick={() => {
            setClears(clears + 1)
            onClear()
          }}
        >
          Clear filters
        </Button>
      )}
      {end}
    </search>
  )
}

type FilterProps = {
  label: string
  isLabelHidden?: boolean
  /** The empty text: no filter. */
  value: string
  placeholder?: string
  onChange: (value: string) => void
}

/** A filter by an id. It applies when the id is complete, or when the field is empty. */
export function IdFilter({ value, onChange, placeholder = '01a1fe49-…', ...props }: FilterProps) {
  const [shown, setTyped] = useTyped(value)
  const isComplete = (id: string) => id === '' || isId(id)
  return (
    <TextField
      {...props}
      value={shown}
      placeholder={placeholder}
      onChange={(text) => {
        setTyped(text)
        if (isComplete(text.trim())) onChange(text.trim())
      }}
      error={isComplete(shown.trim()) ? null : 'Paste the whole id.'}
    />
  )
}

/**
 * A filter by a text. It applies when the person stops typing.
 * @param onType called at once with the typed text
 * @param list the id of a datalist
 */
export function TextFilter({
  value,
  onType,
  onChange,
  ...props
}: FilterProps & { error?: string | null; onType?: (text: string) => unknown } & Pick<
    InputHTMLAttributes<HTMLInputElement>,
    'list' | 'autoFocus' | 'onKeyDown'
  >) {
  const [shown, setTyped] = useTyped(value)
  useEffect(() => {
    if (shown.trim() === value) return
    const timer = setTimeout(onChange, pauseMs, shown.trim())
    return () => clearTimeout(timer)
  })
  return (
    <TextField
      {...props}
      type="search"
      value={shown}
      onChange={(text) => {
        setTyped(text)
        onType?.(text.trim())
      }}
    />
  )
}

/** The typed text, until the value of the filter changes to another one. */
function useTyped(value: string): [shown: string, setTyped: (text: string) => void] {
  const [typed, setTyped] = useState(value)
  const [seen, setSeen] = useState(value)
  if (value !== seen) {
    setSeen(value)
    if (value !== typed.trim()) setTyped(value)
  }
  return [typed, setTyped]
}
