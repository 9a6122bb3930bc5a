import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ChangeDuplicateRules, EntityType } from '../../../../../sdk/src/generated/types.ts'
import type { Scope } from '../../../shell/scope.tsx'

/** What the engine would have done last week with changed settings. It writes nothing. */
export const previewQuery = ({ orgId, api }: Scope, type: EntityType, changes: ChangeDuplicateRules) =>
  queryOptions({
    queryKey: ['duplicate-rules-preview', orgId, type, changes],
    queryFn: async ({ signal }) =>
      (await api.duplicates.settings.preview({ [type]: changes }, { signal }))[type],
    placeholderData: keepPreviousData,
  })
