import { useQuery } from '@tanstack/react-query'
import type { RefObject } from 'react'
import { Menu, MenuItem, MenuSection, Popover } from 'react-aria-components'
import type { Segment } from '../../../../sdk/src/generated/types.ts'
import { problemElsewhere } from '../../api/problem.ts'
import { Icon, type IconName } from '../../parts/icon.tsx'
import { count } from '../../parts/numbers.ts'
import { Time } from '../../parts/time.tsx'
import { useNavigate } from '../../routing/use-router.ts'
import { useScope } from '../../shell/scope.tsx'
import type { RecordKind } from '../kinds.ts'
import styles from './segment-menu.module.css'
import { segmentsQuery } from './segment-queries.ts'
import { useSaveSegment } from './use-save-segment.ts'
import type { OpenSegment } from './use-segment.ts'

type Act = { name: string; icon: IconName; danger?: boolean; run: () => void }

/** The menu of the segments of a list, with their counts, and of the actions on the open segment. */
export function SegmentPopover({
  kind,
  opened,
  trigger,
  onClose,
}: {
  kind: RecordKind
  opened: OpenSegment
  trigger: RefObject<HTMLElement | null>
  onClose: () => void
}) {
  const scope = useScope()
  const { data, error } = useQuery(segmentsQuery(scope, kind.entity))
  const acts = useActs(kind, opened)
  const { segment } = opened
  return (
    <Popover
      className={styles.popover ?? ''}
      aria-label="Segments"
      triggerRef={trigger}
      isOpen
      onOpenChange={onClose}
      placement="bottom start"
      offset={4}
    >
      <Menu className={styles.list ?? ''} aria-label="Segments" autoFocus="first" onClose={onClose}>
        <MenuSection
          aria-label={`Segments of ${kind.many}`}
          selectionMode="single"
          selectedKeys={[segment?.segment_id ?? 'all']}
        >
          <MenuItem id="all" textValue={`All ${kind.many}`} onAction={() => opened.open(null)}>
            <span className={styles.mark}>{!segment && <Icon name="check" />}</span>
            All {kind.many}
          </MenuItem>
          {(data ?? []).map((one) => (
            <MenuItem
              key={one.segment_id}
              id={one.segment_id}
              textValue={one.name}
              onAction={() => opened.open(one.segment_id)}
            >
              <span className={styles.mark}>
                {one.segment_id === segment?.segment_id && <Icon name="check" />}
              </span>
              <span className="stack g0 grow">
                <span className="cut" title={one.name}>
                  {one.name}
                </span>
                <span className="t12 three cut">
                  updated <Time at={one.updated_at} />
                </span>
              </span>
              <Size segment={one} />
            </MenuItem>
          ))}
        </MenuSection>
        {acts.length > 0 ? (
          <MenuSection aria-label="Actions">
            {acts.map(({ name, icon, danger, run }) => (
              <MenuItem key={name} textValue={name} data-danger={danger || undefined} onAction={run}>
                <Icon name={icon} />
                {name}
              </MenuItem>
            ))}
          </MenuSection>
        ) : null}
      </Menu>
      {error && !data && (
        <p className="pad bad t12" role="alert">
          The segments could not be read: {problemElsewhere(error, [])}
        </p>
      )}
      {data?.length === 0 && (
        <p className="pad two t12">
          There is no segment of {kind.many} yet. Filter the list, and save the filters as a segment.
        </p>
      )}
    </Popover>
  )
}

/** The number of records in a segment, or why there is none. */
function Size({ segment: { count: size, count_state: state } }: { segment: Segment }) {
  if (state === 'filter_invalid') return <span className="t12 warn">needs a new filter</span>
  if (state === 'counting') return <span className="t12 three">counting…</span>
  if (state === 'too_slow')
    return (
      <span className="t12 three" title="PostgreSQL needs more than 10 s to count it">
        not counted
      </span>
    )
  return size === null ? null : <span className="two">{count(size)}</span>
}

function useActs(kind: RecordKind, opened: OpenSegment): readonly Act[] {
  const { segment, shown, isChanged, open, ask } = opened
  const save = useSaveSegment(kind, opened)
  const { orgId, can } = useScope()
  const navigate = useNavigate()
  const mayWrite = can(`${kind.resource}:write`)
  const mayPush = kind.entity === 'contact' && can('crm:write') && !shown.archived
  const { q, filter } = shown
  const search = segment && !isChanged ? { segment: segment.segment_id } : { q, filter }
  const acts: (Act | false)[] = [
    mayWrite && isChanged && { name: 'Save the changes', icon: 'check', run: () => save.submit() },
    segment !== undefined &&
      isChanged && {
        ...{ name: 'Discard the changes', icon: 'rotate' },
        run: () => open(segment.segment_id),
      },
    mayPush && {
      ...{ name: 'Push to CRM', icon: 'push' },
      run: () => void navigate({ to: '/o/$orgId/crm/push', params: { orgId }, search }),
    },
    mayWrite && {
      ...{ name: segment ? 'Save as a new segment' : 'Save as segment', icon: 'plus' },
      run: () => ask('new'),
    },
    mayWrite && segment !== undefined && { name: 'Rename', icon: 'pencil', run: () => ask('rename') },
    mayWrite &&
      segment !== undefined && {
        ...{ name: 'Delete', icon: 'trash', danger: true },
        run: () => ask('delete'),
      },
  ]
  return acts.filter((act) => act !== false)
}
