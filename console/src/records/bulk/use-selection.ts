import { useCallback, useState } from 'react'

export type Selection = {
  ids: ReadonlySet<string>
  has: (id: string) => boolean
  toggle: (ids: readonly string[], isSelected: boolean) => void
  clear: () => void
}

/** The selected records of a list, including those whose rows are not loaded any more. @param list another list: no selection */
export function useSelection(list: string): Selection {
  const [stored, setStored] = useState<{ list: string; ids: ReadonlySet<string> }>({ list, ids: new Set() })
  const ids = stored.list === list ? stored.ids : none
  const toggle = useCallback(
    (changed: readonly string[], isSelected: boolean) =>
      setStored((before) => {
        const next = new Set(before.list === list ? before.ids : none)
        for (const id of changed) {
          if (isSelected) next.add(id)
          else next.delete(id)
        }
        return { list, ids: next }
      }),
    [list],
  )
  const clear = useCallback(() => setStored({ list, ids: none }), [list])
  const has = useCallback((id: string) => ids.has(id), [ids])
  return { ids, has, toggle, clear }
}

const none: ReadonlySet<string> = new Set()
