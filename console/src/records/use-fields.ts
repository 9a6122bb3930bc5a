import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Field } from '../../../sdk/src/generated/types.ts'
import { type Scope, useScope } from '../shell/scope.tsx'
import type { RecordKind } from './kinds.ts'
import { operatorsOfDefined, type RecordField } from './record-field.ts'

const definedGroup = 'Your own fields'

/** The fields that the organization defined, of all types of records. */
export const fieldsQuery = ({ orgId, api }: Scope) =>
  queryOptions({
    queryKey: ['fields', orgId],
    queryFn: ({ signal }) => api.fields.list({}, { signal }),
    staleTime: 60_000,
  })

/** The fields of a type of record: the fields that all organizations have, and the fields that this organization defined. */
export function useFields({ entity, useFields: useCommonFields }: RecordKind): readonly RecordField[] {
  const fields = useCommonFields()
  const { data } = useQuery(fieldsQuery(useScope()))
  return useMemo(
    () => [...fields, ...(data?.fields ?? []).filter((field) => field.entity === entity).map(shownField)],
    [fields, data, entity],
  )
}

const shownField = ({ key, label, description, type, options, unique }: Field): RecordField => ({
  name: `custom.${key}`,
  label,
  type,
  group: definedGroup,
  options,
  hint: description,
  width: type === 'datetime' ? 180 : 140,
  isUnique: unique,
  isSortable: type !== 'multi_select',
  operators: operatorsOfDefined(type),
})
