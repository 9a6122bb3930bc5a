import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useScope } from '../../shell/scope.tsx'
import { ownersQuery } from '../owners.ts'
import type { RecordField } from '../record-field.ts'
import { dealFields } from './fields.ts'
import { reasonsQuery, stagesQuery } from './queries.ts'

/** The fields of a deal, with the stages, owners and close reasons of the organization. */
export function useDealFields(): readonly RecordField[] {
  const scope = useScope()
  const { data: pipeline } = useQuery(stagesQuery(scope))
  const { data: owners } = useQuery(ownersQuery(scope))
  const { data: reasons } = useQuery(reasonsQuery(scope))
  // Deals keep archived reasons.
  const { data: archived } = useQuery(reasonsQuery(scope, true))
  return useMemo(() => {
    const all = [...(reasons?.close_reasons ?? []), ...(archived?.close_reasons ?? [])]
    const known: Record<string, Partial<RecordField>> = {
      stage: { options: pipeline?.stages ?? [] },
      owner_id: { choices: (owners ?? []).map(({ owner_id, name }) => [owner_id, name]) },
      close_reason_id: { choices: all.map(({ close_reason_id, label }) => [close_reason_id, label]) },
    }
    return dealFields.map((field) => ({ ...field, ...known[field.name] }))
  }, [pipeline, owners, reasons, archived])
}
