import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useScope } from '../../shell/scope.tsx'
import { useOwnedFields } from '../owners.ts'
import type { RecordField } from '../record-field.ts'
import { dealFields } from './fields.ts'
import { reasonsQuery, stagesQuery } from './queries.ts'

/** The fields of a deal, with the stages, owners and close reasons of the organization. */
export function useDealFields(): readonly RecordField[] {
  const scope = useScope()
  const { data: pipeline } = useQuery(stagesQuery(scope))
  const fields = useOwnedFields(dealFields)
  const { data: reasons } = useQuery(reasonsQuery(scope))
  // Closed deals keep their reason after it is archived.
  const { data: archived } = useQuery(reasonsQuery(scope, true))
  return useMemo(() => {
    const all = [...(reasons?.close_reasons ?? []), ...(archived?.close_reasons ?? [])]
    const known: Record<string, Partial<RecordField>> = {
      stage: { options: pipeline?.stages ?? [] },
      close_reason_id: { choices: all.map(({ close_reason_id, label }) => [close_reason_id, label]) },
    }
    return fields.map((field) => ({ ...field, ...known[field.name] }))
  }, [fields, pipeline, reasons, archived])
}
