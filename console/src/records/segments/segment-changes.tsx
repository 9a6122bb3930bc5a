import { Button } from '../../parts/button.tsx'
import { lazyPart } from '../../routing/lazy-part.ts'
import { LateDialog } from '../../shell/late-dialog.tsx'
import { useScope } from '../../shell/scope.tsx'
import type { RecordKind } from '../kinds.ts'
import { rereadSegments } from './segment-queries.ts'
import { useSaveSegment } from './use-save-segment.ts'
import type { OpenSegment } from './use-segment.ts'

const SegmentDialog = lazyPart(() => import('./segment-dialog.tsx'), 'SegmentDialog')

/** The end of the filter bar. It says whether the list differs from its segment, and saves the segment. */
export function SegmentChanges({ kind, opened }: { kind: RecordKind; opened: OpenSegment }) {
  const { orgId, can } = useScope()
  const { segment, isChanged, shown, dialog, ask } = opened
  const save = useSaveSegment(kind, opened)
  const mayWrite = can(`${kind.resource}:write`)
  // The filter can be right as it is: then saving it is all that the person has to do.
  const isToSave = isChanged || segment?.problem?.code === 'field_type_changed'
  const hasFilters = shown.q !== undefined || shown.filter !== undefined
  return (
    <span className="rail end">
      {isChanged && <span className="three">Changed</span>}
      {mayWrite && isToSave && (
        <Button isBusy={save.isBusy} onClick={() => save.submit()}>
          Save
        </Button>
      )}
      {mayWrite && !segment && hasFilters && (
        <Button kind="quiet" onClick={() => ask('new')}>
          Save as segment
        </Button>
      )}
      {dialog && (
        <LateDialog>
          <SegmentDialog
            {...{ kind, segment, shown }}
            name={dialog}
            onClose={() => ask(null)}
            onDone={async (id) => {
              await rereadSegments(orgId)
              ask(null)
              if (id !== segment?.segment_id) opened.open(id)
            }}
          />
        </LateDialog>
      )}
    </span>
  )
}
