import { ApiError } from '../../../../sdk/src/errors.ts'
import { problemElsewhere } from '../../api/problem.ts'
import { showToast } from '../../parts/toast.tsx'
import { type Submit, useSubmit } from '../../parts/use-submit.ts'
import { useScope } from '../../shell/scope.tsx'
import type { RecordKind } from '../kinds.ts'
import { reloadLists } from '../record-queries.ts'
import { rereadSegments } from './segment-queries.ts'
import { selectionOf } from './shown-search.ts'
import type { OpenSegment } from './use-segment.ts'

/** Saves what the list shows in its segment, unless somebody else changed the segment since it was read. */
export function useSaveSegment(kind: RecordKind, { base, rebase, shown, open }: OpenSegment): Submit {
  const { orgId, api } = useScope()
  return useSubmit(async () => {
    if (!base) return
    const { segment_id, name, version } = base
    try {
      await api.segments.update(segment_id, selectionOf(shown), { ifMatch: version })
    } catch (error) {
      const isConflict = error instanceof ApiError && error.code === 'version_conflict'
      const why = isConflict
        ? `somebody else changed “${name}” meanwhile. Press Save again to replace their filters.`
        : problemElsewhere(error, [])
      showToast(`Not saved: ${why}`, 'bad')
      await rereadSegments(orgId)
      // After another failure, the person has not read that somebody else changed it.
      return isConflict ? rebase() : undefined
    }
    await rereadSegments(orgId)
    open(segment_id)
    void reloadLists(kind, orgId)
    showToast(`“${name}” is saved.`)
  })
}
