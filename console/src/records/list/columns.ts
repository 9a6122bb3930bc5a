import { useEffect, useMemo, useRef, useState } from 'react'
import { useSession } from '../../api/use-session.ts'
import type { Widths } from '../../parts/grid/layout.ts'
import { useScope } from '../../shell/scope.tsx'
import type { RecordKind } from '../kinds.ts'
import type { RecordField } from '../record-field.ts'

/** What this browser remembers. null: the columns that Crosswalk chooses. */
type Stored = { names: readonly string[] | null; widths: Widths }

/** The columns of a list. This browser remembers them for each organization. */
export type Columns = {
  /** The fields that a person chose as columns, in their order. */
  chosen: readonly RecordField[]
  choose: (names: readonly string[] | null) => void
  widths: Widths
  /** @param width null: the column grows with the page again */
  resize: (name: string, width: number | null) => void
}

export function useColumns(kind: RecordKind, fields: readonly RecordField[]): Columns {
  const { orgId } = useScope()
  const { member } = useSession()
  const key = `crosswalk.columns.${member.member_id}.${orgId}.${kind.entity}`
  const [{ names, widths }, setStored] = useState(() => readStored(key))
  const store = (next: Stored) => {
    setStored(next)
    if (next.names === null && Object.keys(next.widths).length === 0) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(next))
  }
  const chosen = useSame(
    useMemo(
      () => (names ?? kind.columns).flatMap((name) => fields.find((field) => field.name === name) ?? []),
      [names, kind, fields],
    ),
  )
  return {
    chosen,
    choose: (next) => store({ names: next, widths: next === null ? {} : widths }),
    widths,
    resize: (name, width) => {
      const { [name]: _, ...others } = widths
      store({ names, widths: width === null ? others : { ...others, [name]: width } })
    },
  }
}

/** Returns the same array while its items are the same, so that the rows are not drawn again. */
function useSame<Item>(items: readonly Item[]): readonly Item[] {
  const kept = useRef(items)
  const { current } = kept
  const isSame = items.length === current.length && items.every((item, index) => item === current[index])
  useEffect(() => {
    if (!isSame) kept.current = items
  })
  return isSame ? current : items
}

function readStored(key: string): Stored {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    // An earlier version stored only the names.
    const { names = null, widths = {} } = (Array.isArray(stored) ? { names: stored } : (stored ?? {})) as {
      names?: unknown
      widths?: object
    }
    return {
      names: Array.isArray(names) ? names.filter((name) => typeof name === 'string') : null,
      widths: Object.fromEntries(Object.entries(widths).filter(([, width]) => typeof width === 'number')),
    }
  } catch {
    return { names: null, widths: {} }
  }
}
