import { useState } from 'react'
import { useSession } from '../../api/use-session.ts'
import { useScope } from '../../shell/scope.tsx'
import type { RecordKind } from '../kinds.ts'
import type { RecordField } from '../record-field.ts'

/** The fields that a person chose as columns, in their order. This browser remembers them for each organization. */
export function useColumns(
  kind: RecordKind,
  fields: readonly RecordField[],
): { chosen: readonly RecordField[]; choose: (names: readonly string[] | null) => void } {
  const { orgId } = useScope()
  const { member } = useSession()
  const key = `crosswalk.columns.${member.member_id}.${orgId}.${kind.entity}`
  const [names, setNames] = useState(() => readNames(key))
  const chosen = (names ?? kind.columns).flatMap((name) => fields.find((field) => field.name === name) ?? [])
  const choose = (next: readonly string[] | null) => {
    setNames(next)
    if (next === null) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(next))
  }
  return { chosen, choose }
}

function readNames(key: string): readonly string[] | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return Array.isArray(stored) ? stored.filter((name) => typeof name === 'string') : null
  } catch {
    return null
  }
}
